//! What a designer wants to see, as the address says it: every view of the gallery can be sent to somebody.

use shared::tool_call::StateName;
use shared::tools::ToolPart;

use super::fixtures::Fixture;
use crate::i18n::Lang;

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$default:meta])? $variant:ident = $word:literal, $label:literal;)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$default])? $variant,)*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// As in the address.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// As in the gallery's own controls.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label,)*
                }
            }

            /// Reads what [`Self::word`] writes; anything else is the default.
            pub fn read(word: Option<&str>) -> Self {
                Self::ALL.iter().copied().find(|one| Some(one.word()) == word).unwrap_or_default()
            }
        }
    )*};
}

choices! {
    /// Light or dark.
    Theme {
        #[default] System = "system", "as the system has it";
        Light = "light", "light";
        Dark = "dark", "dark";
        /// Each specimen twice.
        Both = "both", "both, side by side";
    }
    /// How wide the page is on which a specimen stands.
    Width {
        #[default] Column = "column", "the chat's column";
        Narrow = "320", "320";
        Phone = "390", "390";
        Tablet = "768", "768";
        Desk = "1280", "1280";
    }
    TextSize {
        #[default] Usual = "100", "100 %";
        Double = "200", "200 %";
    }
    Motion {
        #[default] System = "system", "as the system has it";
        Reduced = "reduced", "reduced";
    }
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// A tool's name on the wire; none: all. `hostile`: texts that try to leave their places.
    pub tool: Option<String>,
    /// A state's name; none: all.
    pub state: Option<String>,
    pub lang: Lang,
    pub theme: Theme,
    pub width: Width,
    pub text: TextSize,
    pub motion: Motion,
}

/// Not a tool, but asked for in the same place.
pub const HOSTILE: &str = "hostile";

impl Wish {
    /// Whether a specimen is among what is wanted. `hostile`: whether it is one of those.
    pub fn takes(&self, fixture: &Fixture, hostile: bool) -> bool {
        let tool = match self.tool.as_deref() {
            None => !hostile,
            Some(HOSTILE) => hostile,
            Some(tool) => !hostile && tool == tool_name(&fixture.part),
        };
        tool && self.state.as_deref().is_none_or(|state| state == fixture.part.state().as_str())
    }

    /// The address of one specimen, shown in the same way.
    pub fn address_of(&self, name: &str, theme: Theme) -> String {
        format!(
            "/gallery/{name}?lang={}&theme={}&text={}&motion={}",
            self.lang.tag(),
            theme.word(),
            self.text.word(),
            self.motion.word()
        )
    }

    /// Whether specimens stand on pages of their own.
    pub fn needs_frames(&self) -> bool {
        self.theme == Theme::Both || self.width != Width::Column
    }
}

/// The tool of a part; one name for all that are not in the registry.
pub fn tool_name(part: &ToolPart) -> &str {
    match part {
        ToolPart::Untyped { .. } => "untyped",
        ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::RefundOrder(_) => part.tool_name(),
    }
}

/// The states, in the order of a part's life.
pub fn states() -> impl Iterator<Item = &'static str> {
    StateName::ALL.into_iter().map(StateName::as_str)
}
