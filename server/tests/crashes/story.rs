use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::guest::InsistentGuest;
use crate::support::{Turn, assistant_text, booking, evening, weather};

/// What a guest does, and what their model says to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Story {
    /// Books a table and agrees to it.
    Booking,
    /// Books a table and asks for the weather in the same breath.
    BookingAndWeather,
    /// Does not agree to a booking.
    Declining,
    /// Asks for the weather in two towns at once.
    TwoReads,
    /// Says something else while the form waits.
    Superseding,
    /// Stops while the form waits.
    StoppingTheForm,
    /// Stops while the model speaks.
    StoppingTheModel,
    /// Asks for more than one model call brings.
    OneStepOnly,
    /// Does not come back to the form.
    Forgetting,
    /// The operator ends the server in the middle of an answer.
    Operator,
}

/// What the world looks like in the end.
pub struct Outcome {
    pub status: &'static str,
    pub bookings: usize,
}

impl Story {
    pub fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::OneStepOnly => &[("TRUTHTABLE_MAX_STEPS", "1")],
            Self::Forgetting => &[("TRUTHTABLE_APPROVAL_SECONDS", "1")],
            Self::Booking
            | Self::BookingAndWeather
            | Self::Declining
            | Self::TwoReads
            | Self::Superseding
            | Self::StoppingTheForm
            | Self::StoppingTheModel
            | Self::Operator => &[],
        }
    }

    /// What the model says only once.
    pub fn first_turn(self) -> Option<Turn> {
        match self {
            Self::Operator => Some(Turn::text("Let me see").then_silent()),
            Self::Booking
            | Self::BookingAndWeather
            | Self::Declining
            | Self::TwoReads
            | Self::Superseding
            | Self::StoppingTheForm
            | Self::StoppingTheModel
            | Self::OneStepOnly
            | Self::Forgetting => None,
        }
    }

    /// What the model says to a request; the same to the same one.
    pub fn turn(self, request: &Value) -> Turn {
        let last = request["messages"].as_array().unwrap().last().unwrap();
        let hears_results =
            last["content"].as_array().unwrap().iter().any(|block| block["type"] == "tool_result");
        let table = || booking("dl-may-nui", 2, &evening(3));
        let turn = match self {
            _ if hears_results => Turn::text("That is how it stands, as the cards say."),
            Self::Booking
            | Self::Declining
            | Self::Superseding
            | Self::StoppingTheForm
            | Self::Forgetting => Turn::call("createBooking", table()).saying("One moment please, I look."),
            Self::BookingAndWeather => {
                Turn::call("getWeather", weather("Đà Lạt")).and_call("createBooking", table())
            }
            Self::TwoReads | Self::OneStepOnly => {
                Turn::call("getWeather", weather("Đà Lạt")).and_call("getWeather", weather("Hà Nội"))
            }
            Self::StoppingTheModel => Turn::text("Let me see").then_silent(),
            Self::Operator => Turn::text("Here I am again."),
        };
        // Slow enough for deltas to be committed while it speaks.
        turn.paced(Duration::from_millis(15))
    }

    /// `server`: the process that the guest meets first.
    pub async fn play(self, guest: &InsistentGuest, server: u32) {
        match self {
            Self::Booking | Self::BookingAndWeather => {
                guest.send("A table for two on Friday").await;
                guest.asked().await;
                guest.decide(true).await;
            }
            Self::Declining => {
                guest.send("A table for two on Friday").await;
                guest.asked().await;
                guest.decide(false).await;
            }
            Self::TwoReads | Self::OneStepOnly => guest.send("How is the weather?").await,
            Self::Superseding => {
                guest.send("A table for two on Friday").await;
                guest.asked().await;
                guest.send("Never mind, how are you?").await;
            }
            Self::StoppingTheForm => {
                guest.send("A table for two on Friday").await;
                guest.asked().await;
                guest.stop().await;
            }
            Self::StoppingTheModel => {
                guest.send("Tell me something").await;
                guest.until(speaks).await;
                guest.stop().await;
            }
            Self::Forgetting => guest.send("A table for two on Friday").await,
            Self::Operator => {
                guest.send("Tell me something").await;
                guest.until(speaks).await;
                let status = Command::new("kill").args(["-TERM", &server.to_string()]).status().unwrap();
                assert!(status.success(), "SIGTERM did not reach it");
            }
        }
        guest.ended().await;
    }

    pub fn outcome(self) -> Outcome {
        let (status, bookings) = match self {
            Self::Booking | Self::BookingAndWeather => ("done", 1),
            Self::Declining | Self::TwoReads | Self::Superseding | Self::Operator => ("done", 0),
            Self::StoppingTheForm | Self::StoppingTheModel | Self::Forgetting => ("cancelled", 0),
            Self::OneStepOnly => ("step-limit", 0),
        };
        Outcome { status, bookings }
    }
}

fn speaks(view: &Value) -> bool {
    assistant_text(view).contains("Let me")
}
