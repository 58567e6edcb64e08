//! The one list of tools, and what follows from it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{
    CancelBooking, ChangeBooking, CreateBooking, FindTables, GetOrder, GetWeather, ListBookings, RefundOrder,
    Tool, ToolEffect, Untyped,
};
use crate::event::AgentEvent;
use crate::ids::ToolCallId;
use crate::reduce::Refusal;
use crate::tool_call::{StateName, ToolCall};

#[doc(hidden)]
#[macro_export]
macro_rules! __by_effect {
    (read $tool:ty; read $Read:ident => $read:expr, write $Write:ident => $write:expr) => {{
        type $Read = $tool;
        $read
    }};
    (write $tool:ty; read $Read:ident => $read:expr, write $Write:ident => $write:expr) => {{
        type $Write = $tool;
        $write
    }};
}

// `$d` is a dollar sign: `with_tool!` is a macro that this macro makes.
macro_rules! tools {
    (($d:tt) $($effect:ident $tool:ident)*) => {
        /// A tool of the registry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ToolName {
            $($tool,)*
        }

        // The word before a tool in the list below is what its contract says.
        $(const _: () = __by_effect! {
            $effect ();
            read _R => assert!(matches!($tool::EFFECT, ToolEffect::Read)),
            write _W => assert!(matches!($tool::EFFECT, ToolEffect::Write))
        };)*

        impl ToolName {
            pub const ALL: &'static [ToolName] = &[$(ToolName::$tool),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$tool => $tool::NAME,)*
                }
            }

            pub fn effect(self) -> ToolEffect {
                match self {
                    $(Self::$tool => $tool::EFFECT,)*
                }
            }

            pub fn needs_approval(self) -> bool {
                match self {
                    $(Self::$tool => $tool::NEEDS_APPROVAL,)*
                }
            }

            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|name| name.as_str() == text)
            }
        }

        /// One call of one tool, as the screen shows it. A new tool does not compile until every
        /// card handles it.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(
            clippy::large_enum_variant,
            reason = "a message has a handful of parts, and every card matches on them"
        )]
        pub enum ToolPart {
            $($tool(ToolCall<$tool>),)*
            /// Not in the registry (any more).
            Untyped { tool_name: String, call: ToolCall<Untyped> },
        }

        impl ToolPart {
            /// A new part, in `input-streaming`.
            pub fn start(tool_name: &str, tool_call_id: ToolCallId) -> Self {
                match ToolName::parse(tool_name) {
                    $(Some(ToolName::$tool) => Self::$tool(ToolCall::start(tool_call_id)),)*
                    None => Self::Untyped {
                        tool_name: tool_name.to_owned(),
                        call: ToolCall::start(tool_call_id),
                    },
                }
            }

            pub fn tool_name(&self) -> &str {
                match self {
                    $(Self::$tool(_) => $tool::NAME,)*
                    Self::Untyped { tool_name, .. } => tool_name,
                }
            }

            pub fn effect(&self) -> ToolEffect {
                match self {
                    $(Self::$tool(_) => $tool::EFFECT,)*
                    Self::Untyped { .. } => Untyped::EFFECT,
                }
            }

            pub fn tool_call_id(&self) -> &ToolCallId {
                match self {
                    $(Self::$tool(call) => &call.tool_call_id,)*
                    Self::Untyped { call, .. } => &call.tool_call_id,
                }
            }

            pub fn state(&self) -> StateName {
                match self {
                    $(Self::$tool(call) => call.state.name(),)*
                    Self::Untyped { call, .. } => call.state.name(),
                }
            }

            /// Folds one tool event of this call; refuses what may not follow and changes nothing then.
            pub fn apply(&mut self, event: &AgentEvent) -> Result<(), Refusal> {
                match self {
                    $(Self::$tool(call) => call.apply(event),)*
                    Self::Untyped { call, .. } => call.apply(event),
                }
            }

            /// The part's outcome as the turn's last line tells it.
            pub fn outcome(&self) -> crate::outcome::CallOutcome {
                match self {
                    $(Self::$tool(call) => crate::outcome::of_call(call),)*
                    Self::Untyped { call, .. } => crate::outcome::of_call(call),
                }
            }
        }

        impl Serialize for ToolPart {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[derive(Serialize)]
                #[serde(bound = "")]
                struct OnWire<'a, T: Tool> {
                    r#type: String,
                    #[serde(flatten)]
                    call: &'a ToolCall<T>,
                }
                let r#type = format!("tool-{}", self.tool_name());
                match self {
                    $(Self::$tool(call) => OnWire { r#type, call }.serialize(serializer),)*
                    Self::Untyped { call, .. } => OnWire { r#type, call }.serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for ToolPart {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;

                let value = Value::deserialize(deserializer)?;
                let tool_name = value
                    .get("type")
                    .and_then(Value::as_str)
                    .and_then(|r#type| r#type.strip_prefix("tool-"))
                    .ok_or_else(|| D::Error::custom("a part's type is `text`, `reasoning` or `tool-<name>`"))?
                    .to_owned();
                match ToolName::parse(&tool_name) {
                    $(Some(ToolName::$tool) => ToolCall::deserialize(&value).map(Self::$tool),)*
                    None => ToolCall::deserialize(&value).map(|call| Self::Untyped { tool_name, call }),
                }
                .map_err(D::Error::custom)
            }
        }

        /// Runs an expression with the type of a tool: `with_tool!(name, T => run::<T>(…))`. What it
        /// needs of `T` every tool of the registry must have, or it does not compile. With an arm for
        /// tools that read and one for those that write: `with_tool!(name, read R => …, write W => …)`.
        #[macro_export]
        macro_rules! with_tool {
            ($d name:expr, read $d Read:ident => $d read:expr, write $d Write:ident => $d write:expr $d(,)?) => {
                match $d name {
                    $($d crate::tools::ToolName::$tool => $d crate::__by_effect! {
                        $effect $d crate::tools::$tool;
                        read $d Read => $d read, write $d Write => $d write
                    },)*
                }
            };
            ($d name:expr, $d T:ident => $d body:expr) => {
                match $d name {
                    $($d crate::tools::ToolName::$tool => {
                        type $d T = $d crate::tools::$tool;
                        $d body
                    })*
                }
            };
        }
    };
}

tools! { ($)
    read GetWeather
    read FindTables
    read ListBookings
    read GetOrder
    write CreateBooking
    write ChangeBooking
    write CancelBooking
    write RefundOrder
}
