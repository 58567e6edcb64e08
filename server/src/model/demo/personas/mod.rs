//! One file a persona: how it goes about a booking. In everything else they are alike.

mod chatty;
mod cut;
mod hasty;
mod helpful;
mod inventor;
mod liar;
mod nagging;
mod obedient;
mod refuser;
mod restless;
mod silent_liar;
mod sloppy;
mod slow;
mod stubborn;
mod truncated;

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
            Self::Stubborn => stubborn::MANNER,
            Self::Restless => restless::MANNER,
            Self::Inventor => inventor::MANNER,
            Self::Hasty => hasty::MANNER,
            Self::Nagging => nagging::MANNER,
            Self::Obedient => obedient::MANNER,
            Self::Chatty => chatty::MANNER,
            Self::Refuser => refuser::MANNER,
            Self::Truncated => truncated::MANNER,
            Self::Slow => slow::MANNER,
        }
    }
}
