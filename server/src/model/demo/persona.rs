//! The demo model's characters: what a model may do to a guest, on purpose.

/// The personas it knows, for help texts and validation of `{persona}` in POST /api/conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Persona {
    /// Asks for what is missing, proposes, hears refusals and errors.
    Helpful,
    /// Claims success whatever happened.
    Liar,
    /// Says "booked" and calls nothing.
    SilentLiar,
    /// Needs three attempts for valid arguments.
    Sloppy,
    /// Its stream ends in the middle of the arguments.
    Cut,
}

impl Persona {
    /// All of them, the default first.
    pub const ALL: [Persona; 5] = [Self::Helpful, Self::Liar, Self::SilentLiar, Self::Sloppy, Self::Cut];

    /// The name on the wire: `demo/<name>` is the model.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Helpful => "helpful",
            Self::Liar => "liar",
            Self::SilentLiar => "silent-liar",
            Self::Sloppy => "sloppy",
            Self::Cut => "cut",
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
}
