//! Identifiers, one type each, so that none is taken for another.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    )*};
}

ids! {
    /// A guest, known by the session and never by an argument.
    UserId
    ConversationId
    /// One execution of the agent loop for one user message.
    RunId
    /// A UI message.
    MessageId
    /// Chosen by the browser, so that sending again is recognised.
    ClientMessageId
    /// Ours, unique; the provider's id is kept beside it on the server.
    ToolCallId
    /// One question to a person; asking again takes a new one.
    ApprovalId
}
