//! The demo model's characters: what a model may do to a guest, on purpose.

/// The personas it knows, for help texts and validation of `{persona}` in POST /api/conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Persona {
    /// Asks for what is missing, proposes, hears refusals and errors.
    Helpful,
    /// Claims success whatever happened.
    Liar,
    /// Says "booked" or "refunded" and calls nothing.
    SilentLiar,
    /// Needs three attempts for valid arguments.
    Sloppy,
    /// Its stream ends in the middle of the arguments.
    Cut,
    /// Repeats a call that fails, for a table or a refund.
    Stubborn,
    /// Never stops looking tables up, or asking for the same refund.
    Restless,
    /// Calls a tool that does not exist.
    Inventor,
    /// Books two tables at once, one of them twice; asks for a refund several times at once.
    Hasty,
    /// Asks again for what was declined.
    Nagging,
    /// Does what a tool's result tells it to.
    Obedient,
    /// Answers at great length.
    Chatty,
    /// Ends with a refusal what it has begun to book or refund.
    Refuser,
    /// Comes to its output limit while it books or asks for a refund.
    Truncated,
    /// Falls silent in the middle of the arguments.
    Slow,
}

impl Persona {
    /// All of them, the default first.
    pub const ALL: [Persona; 15] = [
        Self::Helpful,
        Self::Liar,
        Self::SilentLiar,
        Self::Sloppy,
        Self::Cut,
        Self::Stubborn,
        Self::Restless,
        Self::Inventor,
        Self::Hasty,
        Self::Nagging,
        Self::Obedient,
        Self::Chatty,
        Self::Refuser,
        Self::Truncated,
        Self::Slow,
    ];

    /// The name on the wire: `demo/<name>` is the model.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Helpful => "helpful",
            Self::Liar => "liar",
            Self::SilentLiar => "silent-liar",
            Self::Sloppy => "sloppy",
            Self::Cut => "cut",
            Self::Stubborn => "stubborn",
            Self::Restless => "restless",
            Self::Inventor => "inventor",
            Self::Hasty => "hasty",
            Self::Nagging => "nagging",
            Self::Obedient => "obedient",
            Self::Chatty => "chatty",
            Self::Refuser => "refuser",
            Self::Truncated => "truncated",
            Self::Slow => "slow",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|persona| persona.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for persona in Persona::ALL {
            assert_eq!(Persona::parse(persona.as_str()), Some(persona));
        }
        assert_eq!(Persona::parse("Helpful"), None);
        assert_eq!(Persona::parse(""), None);
    }

    #[test]
    fn the_readme_tells_of_each() {
        let readme = include_str!("../../../../README.md");
        for persona in Persona::ALL {
            let row = format!("\n| `{}` | ", persona.as_str());
            assert_eq!(readme.matches(&row).count(), 1, "{row}");
        }
    }
}
