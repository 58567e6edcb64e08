use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::guest::InsistentGuest;
use super::world::{ORDER, World};
use crate::support::{FakeStripe, Turn, assistant_text, booking, evening, tool_parts, weather};

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
    /// Wants their money back, from the ledger, and agrees to it.
    Refund,
    /// The same, from Stripe.
    StripeRefund,
    /// Stripe does it, and nobody hears of it or can look for a while.
    LostRefund,
    /// Stripe takes it on and does it later.
    PendingRefund,
    /// The operator ends the server in the middle of an answer.
    Operator,
    /// The model's answer breaks off once.
    BrokenOnce,
    /// The model's answer breaks off whenever it is asked.
    BrokenAlways,
}

/// What the world looks like in the end.
pub struct Outcome {
    pub status: &'static str,
    pub bookings: usize,
    pub refunds: usize,
}

/// Who moves the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    Ledger,
    Stripe,
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
            | Self::Refund
            | Self::StripeRefund
            | Self::LostRefund
            | Self::PendingRefund
            | Self::Operator
            | Self::BrokenOnce
            | Self::BrokenAlways => &[],
        }
    }

    /// What the model says only once.
    pub fn first_turn(self) -> Option<Turn> {
        match self {
            Self::Operator => Some(Turn::text("Let me see").then_silent()),
            Self::BrokenOnce => Some(Turn::text("Let me").cut_once()),
            Self::Booking
            | Self::BookingAndWeather
            | Self::Declining
            | Self::TwoReads
            | Self::Superseding
            | Self::StoppingTheForm
            | Self::StoppingTheModel
            | Self::OneStepOnly
            | Self::Refund
            | Self::StripeRefund
            | Self::LostRefund
            | Self::PendingRefund
            | Self::Forgetting
            | Self::BrokenAlways => None,
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
            Self::Refund | Self::StripeRefund | Self::LostRefund | Self::PendingRefund => {
                Turn::call("refundOrder", json!({ "orderId": ORDER, "reason": "It came cold." }))
            }
            Self::Operator | Self::BrokenOnce => Turn::text("Here I am again."),
            Self::BrokenAlways => Turn::text("Let me").cut_once(),
        };
        // Slow enough for deltas to be committed while it speaks.
        turn.paced(Duration::from_millis(15))
    }

    pub fn receiver(self) -> Receiver {
        match self {
            Self::StripeRefund | Self::LostRefund | Self::PendingRefund => Receiver::Stripe,
            Self::Booking
            | Self::BookingAndWeather
            | Self::Declining
            | Self::TwoReads
            | Self::Superseding
            | Self::StoppingTheForm
            | Self::StoppingTheModel
            | Self::OneStepOnly
            | Self::Forgetting
            | Self::Refund
            | Self::Operator
            | Self::BrokenOnce
            | Self::BrokenAlways => Receiver::Ledger,
        }
    }

    /// `server`: the process that the guest meets first.
    pub async fn play(self, guest: &InsistentGuest, world: &World, server: u32) {
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
            Self::Refund | Self::StripeRefund => agree_to_refund(guest, world).await,
            Self::LostRefund => {
                agree_to_refund(guest, world).await;
                guest.until(|view| refund_part(view)["state"] == "output-unknown").await;
                guest.ended().await;
                stripe(world).fail_looks(false);
                guest.until(|view| refund_part(view)["state"] == "output-available").await;
            }
            Self::PendingRefund => {
                agree_to_refund(guest, world).await;
                guest.until(|view| refund_part(view)["output"]["status"] == "submitted").await;
                guest.ended().await;
                stripe(world).settle("succeeded", None);
                guest.until(|view| refund_part(view)["output"]["status"] == "succeeded").await;
            }
            Self::Forgetting => guest.send("A table for two on Friday").await,
            Self::BrokenOnce | Self::BrokenAlways => guest.send("Tell me something").await,
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
        let (status, bookings, refunds) = match self {
            Self::Booking | Self::BookingAndWeather => ("done", 1, 0),
            Self::Declining | Self::TwoReads | Self::Superseding | Self::Operator | Self::BrokenOnce => {
                ("done", 0, 0)
            }
            Self::BrokenAlways => ("interrupted", 0, 0),
            Self::StoppingTheForm | Self::StoppingTheModel | Self::Forgetting => ("cancelled", 0, 0),
            Self::OneStepOnly => ("step-limit", 0, 0),
            Self::Refund | Self::StripeRefund | Self::LostRefund | Self::PendingRefund => ("done", 0, 1),
        };
        Outcome { status, bookings, refunds }
    }
}

async fn agree_to_refund(guest: &InsistentGuest, world: &World) {
    world.give_order(&guest.conversation).await;
    guest.send("My money back, please").await;
    guest.asked().await;
    guest.decide(true).await;
}

fn stripe(world: &World) -> &FakeStripe {
    world.stripe.as_ref().expect("a story with Stripe")
}

fn refund_part(view: &Value) -> Value {
    tool_parts(view).last().cloned().unwrap_or_default()
}

fn speaks(view: &Value) -> bool {
    assistant_text(view).contains("Let me")
}
