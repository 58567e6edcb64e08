//! One file a persona: how it goes about a booking. In everything else they are alike.

mod cut;
mod helpful;
mod liar;
mod silent_liar;
mod sloppy;

use super::dialogue::Manner;
use super::persona::Persona;

impl Persona {
    pub fn manner(self) -> Manner {
        match self {
            Self::Helpful => helpful::MANNER,
            Self::Liar => liar::MANNER,
            Self::SilentLiar => silent_liar::MANNER,
            Self::Sloppy => sloppy::MANNER,
            Self::Cut => cut::MANNER,
        }
    }
}
