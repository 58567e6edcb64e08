//! What one assistant turn has done, as data: the last line of the turn is made of this. From the record
//! only; the model's prose has no part in it.

use chrono::{DateTime, FixedOffset};
use shared::ids::ToolCallId;
use shared::message::{MessagePart, Role, UiMessage};
use shared::outcome::{CallOutcome, TurnOutcome};
use shared::reduce::RunView;
use shared::run::RunPhase;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{BookingStatus, RefundStatus, Tool, ToolPart, canonical_order_id};

use crate::i18n::{Lang, format, texts, visible};

/// Something that a finished call has done in the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    Booked {
        restaurant: String,
        starts_at: DateTime<FixedOffset>,
        reference: String,
        status: BookingStatus,
    },
    Changed {
        restaurant: String,
        starts_at: DateTime<FixedOffset>,
        reference: String,
        status: BookingStatus,
    },
    CancelledBooking {
        restaurant: String,
        starts_at: DateTime<FixedOffset>,
        reference: String,
    },
    /// Asked for; whether the money is back its status says.
    Refund {
        amount: u64,
        order_id: String,
        payee: String,
        /// None: a record of an earlier version, which has only an id that nobody reads out.
        reference: Option<String>,
        status: RefundStatus,
    },
    /// A tool whose results this version does not know.
    Ran {
        tool_name: String,
    },
}

/// Something that may have been done.
#[derive(Clone, Debug, PartialEq)]
pub enum Unknown {
    Refund { order_id: String },
    Other,
}

/// A turn that is not live.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLine {
    pub done: Vec<Deed>,
    pub waiting: usize,
    /// Decided, not finished: a turn that is parked for another call.
    pub open: usize,
    pub not_done: usize,
    pub unknown: Vec<Unknown>,
    /// The calls whose outcome stands for repeated ones.
    pub repeats: Vec<Option<ToolCallId>>,
    pub nothing_happened: bool,
}

impl TurnLine {
    /// The line of a message; none for the guest's own and while its run is live.
    pub fn of(message: &UiMessage, run: Option<&RunView>) -> Option<Self> {
        match message.role {
            Role::User => return None,
            Role::Assistant => {}
        }
        let phase = run.filter(|run| run.message_id == message.id).map(|run| run.status.phase());
        match phase {
            Some(RunPhase::Live) => return None,
            // Without its run, an older message: a conversation has one live run at most, the latest.
            Some(RunPhase::Parked | RunPhase::Ended) | None => {}
        }
        let turn = TurnOutcome::of(message);
        Some(Self {
            done: turn.done.iter().map(|part| deed(part)).collect(),
            // Reading may need a person's agreement too.
            waiting: message.parts.iter().filter(|part| waits(part)).count(),
            open: turn.open.len(),
            not_done: turn.not_done.len(),
            unknown: turn.unknown.iter().map(|part| unknown(part)).collect(),
            repeats: turn.repeats.iter().map(|part| repeated_of(part)).collect(),
            nothing_happened: turn.nothing_happened(),
        })
    }

    /// The main thing about the turn, for `data-outcome`.
    pub fn kind(&self) -> &'static str {
        if !self.unknown.is_empty() {
            "unknown"
        } else if self.waiting > 0 || self.open > 0 {
            "waiting"
        } else if !self.done.is_empty() {
            "done"
        } else if !self.repeats.is_empty() {
            "repeated"
        } else {
            "nothing"
        }
    }

    /// How a line of deeds is to be felt, beside its words: whether a table or money came of it.
    pub fn tone(&self) -> &'static str {
        let standings = || self.done.iter().map(Deed::standing);
        if standings().any(|standing| standing == DeedStanding::Stands) {
            "stands"
        } else if standings().any(|standing| standing == DeedStanding::Waits) {
            "waits"
        } else {
            "over"
        }
    }

    /// The line, a sentence each.
    pub fn sentences(&self, lang: Lang) -> Vec<String> {
        let mut sentences: Vec<String> = self.done.iter().map(|deed| deed.words(lang)).collect();
        sentences.extend(unknown_words(lang, &self.unknown));
        if self.waiting > 0 {
            sentences.push(waiting_words(lang, self.waiting));
        }
        if self.open > 0 {
            sentences.push(open_words(lang, self.open));
        }
        if self.not_done > 0 {
            sentences.push(not_done_words(lang, self.not_done));
        }
        let last = if !self.nothing_happened {
            // Something was done, or may have been; what was not is told above.
            (!self.done.is_empty() && self.unknown.is_empty() && self.open == 0 && self.waiting == 0)
                .then(|| texts::nothing_else(lang))
        } else if self.waiting > 0 {
            Some(texts::nothing_yet(lang))
        } else if !self.repeats.is_empty() {
            Some(texts::nothing_new_happened(lang))
        } else {
            Some(texts::nothing_happened(lang))
        };
        sentences.extend(last.map(str::to_owned));
        sentences
    }
}

/// What a deed is worth now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeedStanding {
    Stands,
    /// A place in line, or money that is not back yet.
    Waits,
    /// Given back, or the giving back itself; a refund that failed.
    Over,
}

impl Deed {
    fn standing(&self) -> DeedStanding {
        match self {
            Self::Booked { status, .. } | Self::Changed { status, .. } => match status {
                BookingStatus::Confirmed => DeedStanding::Stands,
                BookingStatus::Waitlisted => DeedStanding::Waits,
                BookingStatus::Cancelled => DeedStanding::Over,
            },
            Self::CancelledBooking { .. } => DeedStanding::Over,
            Self::Refund { status, .. } => match status {
                RefundStatus::Succeeded => DeedStanding::Stands,
                RefundStatus::Submitted => DeedStanding::Waits,
                RefundStatus::Failed => DeedStanding::Over,
            },
            Self::Ran { .. } => DeedStanding::Stands,
        }
    }

    fn words(&self, lang: Lang) -> String {
        match self {
            Self::Booked { restaurant, starts_at, reference, status } => {
                let restaurant = visible(restaurant);
                let when = format::moment(lang, *starts_at);
                let reference = visible(reference);
                match (lang, status) {
                    (Lang::Vi, BookingStatus::Confirmed) => {
                        format!("Đã đặt: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::Vi, BookingStatus::Waitlisted) => {
                        format!("Đã vào danh sách chờ, chưa có bàn: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::Vi, BookingStatus::Cancelled) => {
                        format!("Đã đặt, sau đó đã huỷ: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::En, BookingStatus::Confirmed) => {
                        format!("Booked: {restaurant}, {when}, reference {reference}.")
                    }
                    (Lang::En, BookingStatus::Waitlisted) => format!(
                        "On the waiting list, no table yet: {restaurant}, {when}, reference {reference}."
                    ),
                    (Lang::En, BookingStatus::Cancelled) => {
                        format!("Booked, cancelled since: {restaurant}, {when}, reference {reference}.")
                    }
                }
            }
            Self::Changed { restaurant, starts_at, reference, status } => {
                let restaurant = visible(restaurant);
                let when = format::moment(lang, *starts_at);
                let reference = visible(reference);
                match (lang, status) {
                    (Lang::Vi, BookingStatus::Confirmed) => {
                        format!("Đã đổi: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::Vi, BookingStatus::Waitlisted) => {
                        format!("Đã đổi, đang trong danh sách chờ: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::Vi, BookingStatus::Cancelled) => {
                        format!("Đã đổi, sau đó đã huỷ: {restaurant}, {when}, mã {reference}.")
                    }
                    (Lang::En, BookingStatus::Confirmed) => {
                        format!("Changed: {restaurant}, {when}, reference {reference}.")
                    }
                    (Lang::En, BookingStatus::Waitlisted) => {
                        format!("Changed, on the waiting list: {restaurant}, {when}, reference {reference}.")
                    }
                    (Lang::En, BookingStatus::Cancelled) => {
                        format!("Changed, cancelled since: {restaurant}, {when}, reference {reference}.")
                    }
                }
            }
            Self::CancelledBooking { restaurant, starts_at, reference } => {
                let restaurant = visible(restaurant);
                let when = format::moment(lang, *starts_at);
                let reference = visible(reference);
                match lang {
                    Lang::Vi => format!("Đã huỷ: {restaurant}, {when}, mã {reference}."),
                    Lang::En => format!("Cancelled: {restaurant}, {when}, reference {reference}."),
                }
            }
            Self::Refund { amount, order_id, payee, reference, status } => {
                let amount = format::dong(lang, *amount);
                let (order, payee) = (visible(order_id), visible(payee));
                let number =
                    reference.as_deref().map(visible).map_or_else(String::new, |number| match lang {
                        Lang::Vi => format!(", mã {number}"),
                        Lang::En => format!(", refund {number}"),
                    });
                match (lang, status) {
                    (Lang::Vi, RefundStatus::Submitted) => format!(
                        "Đã gửi yêu cầu hoàn tiền, tiền chưa về: {amount} cho đơn {order}, về {payee}{number}."
                    ),
                    (Lang::Vi, RefundStatus::Succeeded) => {
                        format!("Đã hoàn tiền: {amount} cho đơn {order}, về {payee}{number}.")
                    }
                    (Lang::Vi, RefundStatus::Failed) => {
                        format!("Hoàn tiền không thành công: {amount} cho đơn {order}{number}.")
                    }
                    (Lang::En, RefundStatus::Submitted) => format!(
                        "Refund asked for, the money is not back yet: {amount} for order {order}, to {payee}{number}."
                    ),
                    (Lang::En, RefundStatus::Succeeded) => {
                        format!("Refunded: {amount} for order {order}, to {payee}{number}.")
                    }
                    (Lang::En, RefundStatus::Failed) => {
                        format!("The refund failed: {amount} for order {order}{number}.")
                    }
                }
            }
            Self::Ran { tool_name } => {
                let tool_name = visible(tool_name);
                match lang {
                    Lang::Vi => format!("Đã thực hiện: {tool_name}."),
                    Lang::En => format!("Carried out: {tool_name}."),
                }
            }
        }
    }
}

fn waits(part: &MessagePart) -> bool {
    match part {
        MessagePart::Tool(part) => part.outcome() == CallOutcome::Waiting,
        MessagePart::Text(_) | MessagePart::Reasoning(_) => false,
    }
}

fn deed(part: &ToolPart) -> Deed {
    let ran = || Deed::Ran { tool_name: part.tool_name().to_owned() };
    match part {
        ToolPart::CreateBooking(call) => output(call).map_or_else(ran, |booking| Deed::Booked {
            restaurant: booking.restaurant_name.clone(),
            starts_at: booking.starts_at,
            reference: booking.reference.clone(),
            status: booking.status,
        }),
        ToolPart::ChangeBooking(call) => output(call).map_or_else(ran, |booking| Deed::Changed {
            restaurant: booking.restaurant_name.clone(),
            starts_at: booking.starts_at,
            reference: booking.reference.clone(),
            status: booking.status,
        }),
        ToolPart::CancelBooking(call) => output(call).map_or_else(ran, |booking| Deed::CancelledBooking {
            restaurant: booking.restaurant_name.clone(),
            starts_at: booking.starts_at,
            reference: booking.reference.clone(),
        }),
        ToolPart::RefundOrder(call) => output(call).map_or_else(ran, |refund| Deed::Refund {
            amount: refund.amount,
            order_id: refund.order_id.clone(),
            payee: refund.payee.clone(),
            reference: refund.reference.clone(),
            status: refund.status,
        }),
        ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::Untyped { .. } => ran(),
    }
}

fn output<T: Tool>(call: &ToolCall<T>) -> Option<&T::Output> {
    match &call.state {
        ToolState::OutputAvailable { output, .. } => Some(output),
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => None,
    }
}

fn repeated_of(part: &ToolPart) -> Option<ToolCallId> {
    match part.outcome() {
        CallOutcome::Repeats(of) => of,
        CallOutcome::Open
        | CallOutcome::Waiting
        | CallOutcome::Done
        | CallOutcome::NotDone
        | CallOutcome::Unknown => None,
    }
}

fn unknown(part: &ToolPart) -> Unknown {
    match part {
        ToolPart::RefundOrder(call) => call.state.input().map_or(Unknown::Other, |input| Unknown::Refund {
            order_id: canonical_order_id(&input.order_id),
        }),
        ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::Untyped { .. } => Unknown::Other,
    }
}

/// A sentence for each refund, because money is asked for by its order, and one for the rest.
fn unknown_words(lang: Lang, unknown: &[Unknown]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut others = 0_usize;
    for unknown in unknown {
        match unknown {
            Unknown::Refund { order_id } => {
                let order = visible(order_id);
                sentences.push(match lang {
                    Lang::Vi => format!(
                        "Chưa rõ khoản hoàn tiền cho đơn {order} đã được thực hiện hay chưa; chúng tôi đang kiểm tra, xin đừng yêu cầu lại."
                    ),
                    Lang::En => format!(
                        "We do not know yet whether the refund for order {order} went through; we are checking, do not try again."
                    ),
                });
            }
            Unknown::Other => others += 1,
        }
    }
    match (lang, others) {
        (_, 0) => {}
        (Lang::Vi, 1) => sentences
            .push("Chưa rõ một yêu cầu đã được thực hiện hay chưa; chúng tôi đang kiểm tra.".to_owned()),
        (Lang::Vi, _) => sentences
            .push(format!("Chưa rõ {others} yêu cầu đã được thực hiện hay chưa; chúng tôi đang kiểm tra.")),
        (Lang::En, 1) => {
            sentences.push("One request may or may not have been carried out; we are checking.".to_owned());
        }
        (Lang::En, _) => sentences
            .push(format!("{others} requests may or may not have been carried out; we are checking.")),
    }
    sentences
}

fn waiting_words(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (Lang::Vi, 1) => "Đang chờ bạn quyết định.".to_owned(),
        (Lang::Vi, _) => format!("{count} yêu cầu đang chờ bạn quyết định."),
        (Lang::En, 1) => "Waiting for your decision.".to_owned(),
        (Lang::En, _) => format!("{count} requests wait for your decision."),
    }
}

fn open_words(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (Lang::Vi, 1) => "Một yêu cầu đang được thực hiện.".to_owned(),
        (Lang::Vi, _) => format!("{count} yêu cầu đang được thực hiện."),
        (Lang::En, 1) => "One request is being carried out.".to_owned(),
        (Lang::En, _) => format!("{count} requests are being carried out."),
    }
}

fn not_done_words(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (Lang::Vi, 1) => "Một yêu cầu không được thực hiện.".to_owned(),
        (Lang::Vi, _) => format!("{count} yêu cầu không được thực hiện."),
        (Lang::En, 1) => "One request was not carried out.".to_owned(),
        (Lang::En, _) => format!("{count} requests were not carried out."),
    }
}
