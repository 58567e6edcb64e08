//! One part for each tool in each state, and the conversations around them: for tests and for designers.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use serde_json::{Map, Value, json};
use shared::error_code::ErrorCode;
use shared::event::{CancelReason, ToolErrorKind};
use shared::ids::{ApprovalId, ToolCallId};
use shared::tool_call::{Approval, DecidedApproval, StreamingInput, ToolCall, ToolState};
use shared::tools::{
    Booking, BookingStatus, CancelBooking, CancelBookingInput, CancelBookingPreview, ChangeBooking,
    ChangeBookingInput, ChangeBookingPreview, CreateBooking, CreateBookingInput, CreateBookingPreview,
    DayForecast, FindTables, FindTablesInput, FindTablesOutput, GetOrder, GetOrderInput, GetOrderOutput,
    GetWeather, GetWeatherInput, GetWeatherOutput, ListBookings, ListBookingsInput, ListBookingsOutput,
    NoPreview, OrderItem, OrderRefund, OrderRefundStatus, OrderStatus, Placement, Refund, RefundFailure,
    RefundOrder, RefundOrderInput, RefundOrderPreview, RefundReceiver, RefundStatus, TableOption, Tool,
    ToolPart, Untyped, WeatherSource, WeatherSummary,
};

/// Text that tries to leave its place: markup, an early end of elements, and marks that turn text around.
pub const HOSTILE: &str = "</textarea><script>alert(1)</script><b>\u{202e}evil\u{200f}";

/// A part with a name for its state and variety.
#[derive(Clone, Debug)]
pub struct Fixture {
    pub name: String,
    pub part: ToolPart,
}

/// What a tool is shown with.
struct Sample<T: Tool> {
    /// For the ids and names.
    prefix: &'static str,
    streaming: &'static str,
    input: T::Input,
    preview: T::Preview,
    output: T::Output,
    code: ErrorCode,
    params: Map<String, Value>,
}

impl<T: Tool> Sample<T> {
    fn approval(&self) -> Approval<T::Preview> {
        Approval {
            approval_id: ApprovalId(format!("{}-approval", self.prefix)),
            expires_at: now() + chrono::TimeDelta::minutes(27),
            preview: self.preview.clone(),
        }
    }

    fn decided(&self, approved: bool) -> DecidedApproval<T::Preview> {
        let Approval { approval_id, expires_at, preview } = self.approval();
        DecidedApproval { approval_id, expires_at, preview, approved }
    }

    fn done(
        &self,
        output: T::Output,
        proposed_input: Option<T::Input>,
        revision: Option<u64>,
    ) -> ToolState<T> {
        let approval = T::NEEDS_APPROVAL.then(|| self.decided(true));
        ToolState::OutputAvailable { input: self.input.clone(), proposed_input, approval, output, revision }
    }

    fn failed(
        &self,
        kind: ToolErrorKind,
        code: ErrorCode,
        params: Option<Map<String, Value>>,
        text: &str,
    ) -> ToolState<T> {
        ToolState::OutputError {
            input: Some(self.input.clone()),
            proposed_input: None,
            kind,
            code,
            params,
            error_text: text.to_owned(),
        }
    }

    /// Every state, and every kind of failure and reason.
    fn states(&self) -> Vec<(String, ToolState<T>)> {
        let input = self.input.clone();
        let mut states = vec![
            (
                "input-streaming-empty".to_owned(),
                ToolState::InputStreaming { input: StreamingInput::default() },
            ),
            (
                "input-streaming".to_owned(),
                ToolState::InputStreaming { input: StreamingInput { input_text: self.streaming.to_owned() } },
            ),
            ("input-available".to_owned(), ToolState::InputAvailable { input: input.clone() }),
            (
                "approval-requested".to_owned(),
                ToolState::ApprovalRequested {
                    input: input.clone(),
                    proposed_input: None,
                    approval: self.approval(),
                },
            ),
            (
                "approval-responded-approved".to_owned(),
                ToolState::ApprovalResponded {
                    input: input.clone(),
                    proposed_input: None,
                    approval: self.decided(true),
                },
            ),
            (
                "approval-responded-declined".to_owned(),
                ToolState::ApprovalResponded {
                    input: input.clone(),
                    proposed_input: None,
                    approval: self.decided(false),
                },
            ),
            ("output-available".to_owned(), self.done(self.output.clone(), None, None)),
            ("output-updated".to_owned(), self.done(self.output.clone(), None, Some(1))),
            (
                "output-denied".to_owned(),
                ToolState::OutputDenied {
                    input: input.clone(),
                    proposed_input: None,
                    approval: self.decided(false),
                },
            ),
            (
                "output-unknown".to_owned(),
                ToolState::OutputUnknown {
                    input: input.clone(),
                    proposed_input: None,
                    approval: T::NEEDS_APPROVAL.then(|| self.decided(true)),
                },
            ),
        ];
        let failures = [
            (ToolErrorKind::Input, self.code.clone(), Some(self.params.clone()), "refused"),
            (ToolErrorKind::Tool, ErrorCode::Timeout, None, "timed out"),
            (ToolErrorKind::Unavailable, ErrorCode::SwitchedOff, None, "switched off"),
        ];
        for (kind, code, params, text) in failures {
            let name = format!("output-error-{}", code.as_str());
            states.push((name, self.failed(kind, code, params, text)));
        }
        let unknown_code = ErrorCode::Other("from-a-newer-version".to_owned());
        states.push((
            "output-error-unknown-code".to_owned(),
            self.failed(ToolErrorKind::Tool, unknown_code, None, "The kitchen is closed for a wedding."),
        ));
        let reasons = [
            (CancelReason::Stopped, "stopped"),
            (CancelReason::Superseded, "superseded"),
            (CancelReason::Expired, "expired"),
            (CancelReason::Interrupted, "interrupted"),
            (CancelReason::Limit, "limit"),
            (CancelReason::Repeated, "repeated"),
        ];
        for (reason, name) in reasons {
            let of = match reason {
                CancelReason::Repeated => Some(ToolCallId(format!("{}-output-available", self.prefix))),
                CancelReason::Stopped
                | CancelReason::Superseded
                | CancelReason::Expired
                | CancelReason::Interrupted
                | CancelReason::Limit => None,
            };
            let state = ToolState::OutputCancelled { input: Some(input.clone()), reason, of };
            states.push((format!("output-cancelled-{name}"), state));
        }
        states
    }

    fn fixtures(&self, wrap: impl Fn(ToolCall<T>) -> ToolPart) -> Vec<Fixture> {
        let states = self.states().into_iter();
        states.map(|(name, state)| fixture(self.prefix, &name, state, &wrap)).collect()
    }
}

fn fixture<T: Tool>(
    prefix: &str,
    name: &str,
    state: ToolState<T>,
    wrap: impl Fn(ToolCall<T>) -> ToolPart,
) -> Fixture {
    let name = format!("{prefix}-{name}");
    Fixture { part: wrap(ToolCall { tool_call_id: ToolCallId(name.clone()), state }), name }
}

/// Every tool in every state.
pub fn all() -> Vec<Fixture> {
    let mut all = weather().fixtures(ToolPart::GetWeather);
    for (name, output) in [
        ("one-day", forecast(1)),
        ("open-meteo", from_open_meteo()),
        ("open-meteo-abroad", from_open_meteo_abroad()),
    ] {
        all.push(fixture("weather", name, weather().done(output, None, None), ToolPart::GetWeather));
    }
    all.extend(tables().fixtures(ToolPart::FindTables));
    let none_found = FindTablesOutput { restaurants: Vec::new(), ..tables().output };
    all.push(fixture("tables", "none", tables().done(none_found, None, None), ToolPart::FindTables));
    all.extend(bookings());
    all.extend(list().fixtures(ToolPart::ListBookings));
    all.extend(lists());
    all.extend(cancellations());
    all.extend(changes());
    all.extend(orders());
    all.extend(refunds());
    all.extend(untyped().fixtures(|call| ToolPart::Untyped { tool_name: "orderCake".to_owned(), call }));
    all
}

/// Bookings in every state, and their varieties.
fn bookings() -> Vec<Fixture> {
    let sample = booking();
    let mut all = sample.fixtures(ToolPart::CreateBooking);
    let waitlisted = Booking {
        status: BookingStatus::Waitlisted,
        reference: "CHO-88".to_owned(),
        ..sample.output.clone()
    };
    let proposed = CreateBookingInput {
        party_size: 2,
        starts_at: at("2026-12-05T18:30:00+07:00"),
        note: None,
        ..sample.input.clone()
    };
    let mut full = sample.approval();
    full.preview.status = Placement::Waitlisted;
    full.preview.seats_free = 1;
    full.preview.other_times = vec![at("2026-12-05T17:30:00+07:00"), at("2026-12-05T21:00:00+07:00")];
    let asks_full =
        ToolState::ApprovalRequested { input: sample.input.clone(), proposed_input: None, approval: full };
    let hours =
        json!({"hours": [{"opens": "10:00", "closes": "14:00"}, {"opens": "17:00", "closes": "22:00"}]});
    let closed = sample.failed(ToolErrorKind::Input, ErrorCode::Closed, object(hours), "closed");
    let holiday = object(json!({"hours": [], "date": "2027-02-06", "reason": "Tết Nguyên Đán"}));
    let closed_day = sample.failed(ToolErrorKind::Input, ErrorCode::Closed, holiday, "closed that day");
    let seats = object(json!({"seats": 12}));
    let too_large = sample.failed(ToolErrorKind::Input, ErrorCode::PartyTooLarge, seats, "too many");
    let cancelled = Booking { status: BookingStatus::Cancelled, ..sample.output.clone() };
    let mut agreed_to_wait = sample.decided(true);
    agreed_to_wait.preview.status = Placement::Waitlisted;
    let moved_up = ToolState::OutputAvailable {
        input: sample.input.clone(),
        proposed_input: None,
        approval: Some(agreed_to_wait),
        output: sample.output.clone(),
        revision: Some(1),
    };
    let later = Booking { starts_at: at("2026-12-05T20:30:00+07:00"), ..sample.output.clone() };
    let varieties = [
        ("approval-requested-full", asks_full),
        ("moved-up", moved_up),
        ("changed-later", sample.done(later, None, Some(1))),
        ("cancelled-since", sample.done(cancelled, None, Some(2))),
        ("waitlisted", sample.done(waitlisted, None, None)),
        ("edited", sample.done(sample.output.clone(), Some(proposed), None)),
        ("output-error-closed", closed),
        ("output-error-closed-day", closed_day),
        ("output-error-party-too-large", too_large),
    ];
    all.extend(varieties.map(|(name, state)| fixture("booking", name, state, ToolPart::CreateBooking)));
    all
}

/// Lists of bookings: none, one, past ones, and many.
fn lists() -> Vec<Fixture> {
    let sample = list();
    let booked = booking().output;
    let listed = |bookings, left_out| {
        sample.done(ListBookingsOutput { bookings, left_out, ..sample.output.clone() }, None, None)
    };
    let past = Booking {
        booking_id: "04".to_owned(),
        reference: "BEP-7Y1C".to_owned(),
        starts_at: at("2026-11-21T18:00:00+07:00"),
        ..booked.clone()
    };
    let many = (0_u8..20).map(|n| Booking {
        booking_id: format!("m{n}"),
        reference: format!("MAY-{:04}", 1000 + u16::from(n)),
        status: match n % 5 {
            3 => BookingStatus::Waitlisted,
            4 => BookingStatus::Cancelled,
            _ => BookingStatus::Confirmed,
        },
        restaurant_name: if n % 2 == 0 {
            "Bếp Mây"
        } else {
            "Nhà hàng Vườn Thông Chay Đường Hầm Đất Sét"
        }
        .to_owned(),
        starts_at: booked.starts_at + chrono::TimeDelta::days(i64::from(n)),
        party_size: n % 20 + 1,
        ..booked.clone()
    });
    let varieties = [
        ("none", listed(Vec::new(), 0)),
        ("one", listed(vec![booked.clone()], 0)),
        ("past", listed(vec![booked.clone(), past], 0)),
        ("many", listed(many.collect(), 7)),
    ];
    let all = varieties.map(|(name, state)| fixture("list", name, state, ToolPart::ListBookings));
    sample.fixtures(ToolPart::ListBookings).into_iter().chain(all).collect()
}

/// Cancellations in every state, and their varieties.
fn cancellations() -> Vec<Fixture> {
    let sample = cancellation();
    let mut waits = sample.approval();
    waits.preview.booking.status = BookingStatus::Waitlisted;
    let asks =
        ToolState::ApprovalRequested { input: sample.input.clone(), proposed_input: None, approval: waits };
    let before = sample.failed(ToolErrorKind::Input, ErrorCode::BookingCancelled, None, "cancelled before");
    let varieties = [("approval-requested-waits", asks), ("output-error-booking-cancelled", before)];
    let all = varieties.map(|(name, state)| fixture("cancel", name, state, ToolPart::CancelBooking));
    sample.fixtures(ToolPart::CancelBooking).into_iter().chain(all).collect()
}

/// Changes in every state, and their varieties.
fn changes() -> Vec<Fixture> {
    let sample = change();
    let asks = |before, after| {
        let mut approval = sample.approval();
        approval.preview.booking.status = before;
        approval.preview.status = after;
        approval.preview.seats_free = match after {
            Placement::Confirmed => 18,
            Placement::Waitlisted => 1,
        };
        ToolState::ApprovalRequested { input: sample.input.clone(), proposed_input: None, approval }
    };
    let waits = Booking { status: BookingStatus::Waitlisted, ..sample.output.clone() };
    let proposed = ChangeBookingInput { party_size: None, ..sample.input.clone() };
    let moved_again = Booking { starts_at: at("2026-12-06T18:00:00+07:00"), ..sample.output.clone() };
    let unknown = sample.failed(ToolErrorKind::Input, ErrorCode::UnknownBooking, None, "unknown");
    let varieties = [
        ("approval-requested-table", asks(BookingStatus::Waitlisted, Placement::Confirmed)),
        ("approval-requested-waits", asks(BookingStatus::Waitlisted, Placement::Waitlisted)),
        ("waitlisted", sample.done(waits, None, None)),
        ("edited", sample.done(sample.output.clone(), Some(proposed), None)),
        ("changed-later", sample.done(moved_again, None, Some(1))),
        ("output-error-unknown-booking", unknown),
    ];
    let all = varieties.map(|(name, state)| fixture("change", name, state, ToolPart::ChangeBooking));
    sample.fixtures(ToolPart::ChangeBooking).into_iter().chain(all).collect()
}

/// What no card shows where there is a reference.
const REFUND_ID: &str = "0198f3c2-6a51-7cc3-98c4-dc0c0c07398f";

/// Orders in every state, and their varieties.
fn orders() -> Vec<Fixture> {
    let sample = order();
    let latest = || GetOrderInput { order_id: GetOrderInput::LATEST.to_owned() };
    let refund = |reference: &str, amount, status| OrderRefund {
        refund_id: REFUND_ID.to_owned(),
        reference: Some(reference.to_owned()),
        amount,
        status,
        created_at: now() - chrono::TimeDelta::hours(3),
    };
    let with = |refunds: Vec<OrderRefund>, refunded| GetOrderOutput {
        refunds,
        refunded,
        left: sample.output.total - refunded,
        ..sample.output.clone()
    };
    let submitted = with(vec![refund("R-7D2MKX4Q", 120_000, OrderRefundStatus::Submitted)], 120_000);
    let refunded = with(
        vec![
            refund("R-Q9WZ3HTN", 350_000, OrderRefundStatus::Failed),
            refund("R-8H3KD2ZV", 350_000, OrderRefundStatus::Succeeded),
        ],
        350_000,
    );
    let failed = with(vec![refund("R-Q9WZ3HTN", 350_000, OrderRefundStatus::Failed)], 0);
    let unknown = vec![refund("R-7D2MKX4Q", 120_000, OrderRefundStatus::Unknown)];
    let checked = GetOrderOutput { left: 230_000, refunds: unknown, ..sample.output.clone() };
    let status = |status| GetOrderOutput { status, ..sample.output.clone() };
    let huge = GetOrderOutput {
        restaurant_name: LONG_NAME.to_owned(),
        payee: LONG_PAYEE.to_owned(),
        items: vec![OrderItem {
            name: "Tiệc cưới trọn gói ba trăm bàn, mỗi bàn mười hai món, kèm trang trí hoa tươi".to_owned(),
            quantity: 300,
            unit_price: 123_456_789,
        }],
        total: 37_037_036_700,
        refunds: vec![refund(
            "re_3PqLongReferenceOfARefundThatDoesNotEnd0123456789",
            1_000_000_000,
            OrderRefundStatus::Submitted,
        )],
        refunded: 1_000_000_000,
        left: 36_037_036_700,
        ..sample.output.clone()
    };
    let none = object(json!({"orders": []}));
    let varieties = [
        ("latest", ToolState::InputAvailable { input: latest() }),
        ("preparing", sample.done(status(OrderStatus::Preparing), None, None)),
        ("cancelled", sample.done(status(OrderStatus::Cancelled), None, None)),
        ("refund-submitted", sample.done(submitted, None, None)),
        ("refunded", sample.done(refunded, None, None)),
        ("refund-unknown", sample.done(checked, None, None)),
        ("refund-failed", sample.done(failed, None, None)),
        ("huge", sample.done(huge, None, None)),
        (
            "output-error-no-orders",
            sample.failed(ToolErrorKind::Input, ErrorCode::UnknownOrder, none, "no orders"),
        ),
    ];
    let all = varieties.map(|(name, state)| fixture("order", name, state, ToolPart::GetOrder));
    sample.fixtures(ToolPart::GetOrder).into_iter().chain(all).collect()
}

/// Refunds in every state, and their varieties.
fn refunds() -> Vec<Fixture> {
    let sample = refund();
    let mut all = sample.fixtures(ToolPart::RefundOrder);
    let submitted = Refund { status: RefundStatus::Submitted, settled_at: None, ..sample.output.clone() };
    let failed = |failure| Refund {
        status: RefundStatus::Failed,
        failure_reason: Some(failure),
        receiver: RefundReceiver::Stripe,
        ..sample.output.clone()
    };
    for failure in RefundFailure::ALL {
        let word = json!(failure).as_str().unwrap_or_default().to_owned();
        let state = sample.done(failed(failure), None, Some(1));
        all.push(fixture("refund", &format!("failed-{word}"), state, ToolPart::RefundOrder));
    }
    let part = RefundOrderInput { amount: Some(120_000), ..sample.input.clone() };
    let mut part_approval = sample.approval();
    part_approval.preview.amount = 120_000;
    let asks_part =
        ToolState::ApprovalRequested { input: part.clone(), proposed_input: None, approval: part_approval };
    let edited = ToolState::OutputAvailable {
        input: RefundOrderInput { reason: "Lẩu nguội và thiếu bún".to_owned(), ..part },
        proposed_input: Some(sample.input.clone()),
        approval: Some(sample.decided(true)),
        output: Refund { amount: 120_000, ..sample.output.clone() },
        revision: None,
    };
    let huge_preview = RefundOrderPreview {
        restaurant_name: LONG_NAME.to_owned(),
        payee: LONG_PAYEE.to_owned(),
        total: 37_037_036_700,
        left: 37_037_036_700,
        amount: 1_000_000_000,
        ..sample.preview.clone()
    };
    let huge_input = RefundOrderInput { amount: Some(1_000_000_000), ..sample.input.clone() };
    let asks_huge = ToolState::ApprovalRequested {
        input: huge_input,
        proposed_input: None,
        approval: Approval { preview: huge_preview, ..sample.approval() },
    };
    let huge = Refund {
        reference: Some("re_3PqLongReferenceOfARefundThatDoesNotEnd0123456789".to_owned()),
        restaurant_name: LONG_NAME.to_owned(),
        payee: LONG_PAYEE.to_owned(),
        amount: 1_000_000_000,
        receiver: RefundReceiver::Stripe,
        ..sample.output.clone()
    };
    let huge_submitted = Refund { status: RefundStatus::Submitted, settled_at: None, ..huge.clone() };
    let refused = |code, params| sample.failed(ToolErrorKind::Input, code, params, "refused");
    let rejected = |reason: &str| {
        let params = object(json!({ "reason": reason }));
        sample.failed(ToolErrorKind::Tool, ErrorCode::RefundRejected, params, "rejected")
    };
    let unavailable = sample.failed(ToolErrorKind::Tool, ErrorCode::ReceiverUnavailable, None, "not reached");
    let varieties = [
        ("approval-requested-part", asks_part),
        ("approval-requested-huge", asks_huge),
        ("submitted", sample.done(submitted, None, None)),
        ("huge", sample.done(huge, None, None)),
        ("huge-submitted", sample.done(huge_submitted, None, None)),
        ("edited", edited),
        ("output-error-nothing-left-to-refund", refused(ErrorCode::NothingLeftToRefund, None)),
        ("output-error-more-than-left", refused(ErrorCode::MoreThanLeft, object(json!({"left": 350_000})))),
        (
            "output-error-another-refund",
            refused(ErrorCode::AnotherRefund, object(json!({"amount": 120_000, "status": "submitted"}))),
        ),
        ("output-error-refund-rejected", rejected("disputed")),
        ("output-error-refund-rejected-before", rejected("charge_already_refunded")),
        ("output-error-refund-rejected-other", rejected("charge_expired_for_capture")),
        (
            "output-error-another-refund-unknown",
            refused(ErrorCode::AnotherRefund, object(json!({"amount": 120_000, "status": "unknown"}))),
        ),
        ("output-error-receiver-unavailable", unavailable),
        ("output-error-frozen", sample.failed(ToolErrorKind::Unavailable, ErrorCode::Frozen, None, "paused")),
    ];
    all.extend(varieties.map(|(name, state)| fixture("refund", name, state, ToolPart::RefundOrder)));
    all
}

/// Every tool with hostile text wherever text can be.
pub fn hostile() -> Vec<Fixture> {
    let text = || HOSTILE.to_owned();
    let weather = Sample::<GetWeather> {
        prefix: "hostile-weather",
        streaming: r#"{"city":"</script><script>alert(1)"#,
        input: GetWeatherInput { city: text(), days: 2 },
        output: GetWeatherOutput {
            city: text(),
            region: Some(text()),
            country: Some(text()),
            ..from_open_meteo()
        },
        ..weather()
    };
    let mut tables = Sample::<FindTables> { prefix: "hostile-tables", ..tables() };
    tables.input.city = text();
    tables.input.cuisine = Some(text());
    tables.output.city = text();
    for restaurant in &mut tables.output.restaurants {
        restaurant.name = text();
        restaurant.address = text();
        restaurant.cuisine = text();
    }
    let mut booking = Sample::<CreateBooking> { prefix: "hostile-booking", ..booking() };
    booking.input.note = Some(text());
    booking.preview.restaurant_name = text();
    booking.preview.address = text();
    booking.output.restaurant_name = text();
    booking.output.reference = text();
    booking.output.contact = Some(text());
    booking.output.note = Some(text());
    let hostile_booking = booking.output.clone();
    let mut list = Sample::<ListBookings> { prefix: "hostile-list", ..list() };
    list.output.bookings = vec![
        hostile_booking.clone(),
        Booking { status: BookingStatus::Cancelled, ..hostile_booking.clone() },
    ];
    let mut cancellation = Sample::<CancelBooking> { prefix: "hostile-cancel", ..cancellation() };
    cancellation.preview.booking = hostile_booking.clone();
    cancellation.output = hostile_booking.clone();
    let mut change = Sample::<ChangeBooking> { prefix: "hostile-change", ..change() };
    change.preview.booking = hostile_booking.clone();
    change.output = hostile_booking;
    change.params = object(json!({"times": [HOSTILE, "2026-12-05T20:00:00+07:00", 7]})).unwrap_or_default();
    let mut order = Sample::<GetOrder> { prefix: "hostile-order", ..order() };
    order.streaming = r#"{"orderId":"</script><script>alert(1)"#;
    order.input.order_id = text();
    order.output.order_id = text();
    order.output.restaurant_name = text();
    order.output.payee = text();
    for item in &mut order.output.items {
        item.name = text();
    }
    order.output.refunds = vec![OrderRefund {
        refund_id: text(),
        reference: Some(text()),
        amount: 1,
        status: OrderRefundStatus::Failed,
        created_at: now(),
    }];
    order.params = object(json!({"orders": [HOSTILE, 7, ""]})).unwrap_or_default();
    let mut refund = Sample::<RefundOrder> { prefix: "hostile-refund", ..refund() };
    refund.input.order_id = text();
    refund.input.reason = text();
    refund.preview.order_id = text();
    refund.preview.restaurant_name = text();
    refund.preview.payee = text();
    refund.output.refund_id = text();
    refund.output.reference = Some(text());
    refund.output.order_id = text();
    refund.output.restaurant_name = text();
    refund.output.payee = text();
    refund.params = order.params.clone();
    let untyped = Sample::<Untyped> {
        prefix: "hostile-untyped",
        input: json!({ HOSTILE: HOSTILE }),
        preview: json!(HOSTILE),
        output: json!([HOSTILE]),
        ..untyped()
    };
    let mut all = weather.fixtures(ToolPart::GetWeather);
    all.extend(tables.fixtures(ToolPart::FindTables));
    all.extend(booking.fixtures(ToolPart::CreateBooking));
    all.extend(list.fixtures(ToolPart::ListBookings));
    all.extend(cancellation.fixtures(ToolPart::CancelBooking));
    all.extend(change.fixtures(ToolPart::ChangeBooking));
    all.extend(order.fixtures(ToolPart::GetOrder));
    all.extend(refund.fixtures(ToolPart::RefundOrder));
    let failed = Refund { status: RefundStatus::Failed, ..refund.output.clone() };
    all.push(fixture("hostile-refund", "failed", refund.done(failed, None, Some(1)), ToolPart::RefundOrder));
    let rejected = object(json!({ "reason": HOSTILE }));
    let rejected = refund.failed(ToolErrorKind::Tool, ErrorCode::RefundRejected, rejected, "rejected");
    all.push(fixture("hostile-refund", "rejected", rejected, ToolPart::RefundOrder));
    all.extend(untyped.fixtures(|call| ToolPart::Untyped { tool_name: HOSTILE.to_owned(), call }));
    let unknown_code = ErrorCode::Other("new".to_owned());
    let failed = booking.failed(ToolErrorKind::Tool, unknown_code, None, HOSTILE);
    all.push(fixture("hostile-booking", "fallback", failed, ToolPart::CreateBooking));
    all
}

/// The moment at which the fixtures are looked at.
pub fn now() -> DateTime<Utc> {
    at("2026-11-30T19:05:00+07:00").with_timezone(&Utc)
}

fn weather() -> Sample<GetWeather> {
    Sample {
        prefix: "weather",
        streaming: r#"{"city":"Đà L"#,
        input: GetWeatherInput { city: "Đà Lạt".to_owned(), days: 7 },
        preview: NoPreview {},
        output: forecast(7),
        code: ErrorCode::UnknownCity,
        params: object(json!({"cities": ["Đà Lạt", "Hà Nội", "TP. HCM", "Đà Nẵng"]})).unwrap_or_default(),
    }
}

fn forecast(days: usize) -> GetWeatherOutput {
    let day = |day, min_c, max_c, summary, chance_of_rain| DayForecast {
        date: NaiveDate::from_ymd_opt(2026, 12, day).unwrap_or_default(),
        min_c,
        max_c,
        summary,
        chance_of_rain: Some(chance_of_rain),
    };
    let week = vec![
        day(1, 14, 22, WeatherSummary::PartlyCloudy, 20),
        day(2, 15, 23, WeatherSummary::Clear, 5),
        day(3, 13, 21, WeatherSummary::Fog, 30),
        day(4, 15, 20, WeatherSummary::Showers, 80),
        day(5, 14, 19, WeatherSummary::Thunderstorm, 90),
        day(6, 13, 22, WeatherSummary::Cloudy, 35),
        day(7, 12, 23, WeatherSummary::Drizzle, 55),
    ];
    GetWeatherOutput {
        city: "Đà Lạt".to_owned(),
        region: None,
        country: None,
        source: WeatherSource::Sample,
        fetched_at: None,
        days: week.into_iter().take(days).collect(),
    }
}

/// A forecast for a place of the house's own list.
fn from_open_meteo() -> GetWeatherOutput {
    GetWeatherOutput {
        region: Some("Lâm Đồng".to_owned()),
        country: Some("Vietnam".to_owned()),
        source: WeatherSource::OpenMeteo,
        fetched_at: Some(at("2026-12-01T14:05:00+07:00")),
        ..forecast(3)
    }
}

/// Skies that Vietnam does not have, and figures that are missing.
fn from_open_meteo_abroad() -> GetWeatherOutput {
    let summaries = [
        (WeatherSummary::Snow, Some(80)),
        (WeatherSummary::SnowShowers, Some(45)),
        (WeatherSummary::FreezingRain, None),
        (WeatherSummary::Hailstorm, Some(100)),
        (WeatherSummary::Unknown, None),
    ];
    let first = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap_or_default();
    let days =
        first.iter_days().zip(summaries).zip(-20..).map(|((date, (summary, chance_of_rain)), min_c)| {
            DayForecast { date, min_c, max_c: min_c + 9, summary, chance_of_rain }
        });
    GetWeatherOutput {
        city: "Tromsø".to_owned(),
        region: Some("Troms".to_owned()),
        country: Some("Norway".to_owned()),
        source: WeatherSource::OpenMeteo,
        fetched_at: Some(at("2026-12-01T08:05:00+01:00")),
        days: days.collect(),
    }
}

fn tables() -> Sample<FindTables> {
    let starts_at = at("2026-12-05T19:00:00+07:00");
    let option = |id: &str, name: &str, address: &str, cuisine: &str, times: &[&str]| TableOption {
        restaurant_id: id.to_owned(),
        name: name.to_owned(),
        address: address.to_owned(),
        cuisine: cuisine.to_owned(),
        contact: Some("0263 5550 112".to_owned()),
        free_times: times.iter().map(|time| at(&format!("2026-12-05T{time}:00+07:00"))).collect(),
    };
    Sample {
        prefix: "tables",
        streaming: r#"{"city":"Đà Lạt","partySize":4,"#,
        input: FindTablesInput {
            city: "Đà Lạt".to_owned(),
            starts_at,
            party_size: 4,
            cuisine: Some("Việt".to_owned()),
        },
        preview: NoPreview {},
        output: FindTablesOutput {
            city: "Đà Lạt".to_owned(),
            starts_at,
            party_size: 4,
            restaurants: vec![
                option(
                    "bep-may",
                    "Bếp Mây",
                    "12 Trần Hưng Đạo, Phường 10",
                    "Món Việt",
                    &["18:00", "18:30", "19:00", "19:30", "20:00"],
                ),
                option(
                    "nha-thong",
                    "Nhà Thông",
                    "45 Hồ Tùng Mậu, Phường 3",
                    "Lẩu và nướng",
                    &["18:30", "20:30"],
                ),
                option("suong-som", "Sương Sớm", "7 Nguyễn Chí Thanh, Phường 1", "Chay", &["19:00"]),
            ],
        },
        code: ErrorCode::UnknownCity,
        params: object(json!({"cities": ["Đà Lạt", "Hà Nội"]})).unwrap_or_default(),
    }
}

fn booking() -> Sample<CreateBooking> {
    let starts_at = at("2026-12-05T19:00:00+07:00");
    let note = Some("Bàn cạnh cửa sổ, có một bé 3 tuổi".to_owned());
    Sample {
        prefix: "booking",
        streaming: r#"{"restaurantId":"bep-may","partySize":4,"startsAt":"2026-12-05T19:0"#,
        input: CreateBookingInput {
            restaurant_id: "bep-may".to_owned(),
            party_size: 4,
            starts_at,
            note: note.clone(),
        },
        preview: CreateBookingPreview {
            restaurant_name: "Bếp Mây".to_owned(),
            address: "12 Trần Hưng Đạo, Phường 10".to_owned(),
            city: "Đà Lạt".to_owned(),
            contact: Some("0263 5550 112".to_owned()),
            starts_at,
            status: Placement::Confirmed,
            seats_free: 18,
            other_times: Vec::new(),
        },
        output: Booking {
            booking_id: "01".to_owned(),
            reference: "MAY-4K7Q".to_owned(),
            status: BookingStatus::Confirmed,
            restaurant_id: "bep-may".to_owned(),
            restaurant_name: "Bếp Mây".to_owned(),
            address: "12 Trần Hưng Đạo, Phường 10".to_owned(),
            city: "Đà Lạt".to_owned(),
            contact: Some("0263 355 0112".to_owned()),
            starts_at,
            party_size: 4,
            note,
        },
        code: ErrorCode::Past,
        params: Map::new(),
    }
}

fn list() -> Sample<ListBookings> {
    let booked = booking().output;
    let waiting = Booking {
        booking_id: "02".to_owned(),
        reference: "THO-9Q2N".to_owned(),
        status: BookingStatus::Waitlisted,
        restaurant_name: "Nhà Thông".to_owned(),
        starts_at: at("2026-12-12T18:30:00+07:00"),
        party_size: 2,
        note: None,
        ..booked.clone()
    };
    let cancelled = Booking {
        booking_id: "03".to_owned(),
        reference: "SUO-3W8D".to_owned(),
        status: BookingStatus::Cancelled,
        restaurant_name: "Sương Sớm".to_owned(),
        starts_at: at("2026-12-13T12:00:00+07:00"),
        party_size: 6,
        note: None,
        ..booked.clone()
    };
    Sample {
        prefix: "list",
        streaming: "{",
        input: ListBookingsInput {},
        preview: NoPreview {},
        output: ListBookingsOutput { bookings: vec![booked, waiting, cancelled], as_of: now(), left_out: 3 },
        code: ErrorCode::ToolFailed,
        params: Map::new(),
    }
}

fn cancellation() -> Sample<CancelBooking> {
    let booked = booking().output;
    Sample {
        prefix: "cancel",
        streaming: r#"{"bookingId":"0"#,
        input: CancelBookingInput { booking_id: "01".to_owned() },
        preview: CancelBookingPreview { booking: booked.clone() },
        output: Booking { status: BookingStatus::Cancelled, ..booked },
        code: ErrorCode::UnknownBooking,
        params: Map::new(),
    }
}

fn change() -> Sample<ChangeBooking> {
    let booked = booking().output;
    let later = at("2026-12-05T20:30:00+07:00");
    Sample {
        prefix: "change",
        streaming: r#"{"bookingId":"01","startsAt":"2026-12-05T20:"#,
        input: ChangeBookingInput {
            booking_id: "01".to_owned(),
            starts_at: Some(later),
            party_size: Some(6),
        },
        preview: ChangeBookingPreview {
            booking: booked.clone(),
            starts_at: later,
            party_size: 6,
            status: Placement::Confirmed,
            seats_free: 18,
        },
        output: Booking { starts_at: later, party_size: 6, ..booked },
        code: ErrorCode::Full,
        params: object(json!({"times": ["2026-12-05T20:00:00+07:00", "2026-12-05T21:00:00+07:00"]}))
            .unwrap_or_default(),
    }
}

const LONG_NAME: &str = "Nhà hàng Vườn Thông Chay Đường Hầm Đất Sét bên Hồ Tuyền Lâm";
const LONG_PAYEE: &str =
    "Ví điện tử của Nguyễn Phúc Bảo Long Hoàng Anh •••• 4242, liên kết ngân hàng ngoài nước";

fn order() -> Sample<GetOrder> {
    let item = |name: &str, quantity, unit_price| OrderItem { name: name.to_owned(), quantity, unit_price };
    Sample {
        prefix: "order",
        streaming: r#"{"orderId":"DH-7K2Q4""#,
        input: GetOrderInput { order_id: "DH-7K2Q4".to_owned() },
        preview: NoPreview {},
        output: GetOrderOutput {
            order_id: "DH-7K2Q4".to_owned(),
            restaurant_name: "Bếp Mây".to_owned(),
            placed_at: at("2026-11-29T19:12:00+07:00"),
            items: vec![
                item("Lẩu gà lá é", 1, 230_000),
                item("Nem nướng", 2, 45_000),
                item("Trà atisô", 3, 10_000),
            ],
            total: 350_000,
            status: OrderStatus::Delivered,
            payee: "Visa •••• 4242".to_owned(),
            refunds: Vec::new(),
            refunded: 0,
            left: 350_000,
        },
        code: ErrorCode::UnknownOrder,
        params: object(json!({"orders": ["DH-7K2Q4", "DH-9XW3M"]})).unwrap_or_default(),
    }
}

fn refund() -> Sample<RefundOrder> {
    Sample {
        prefix: "refund",
        streaming: r#"{"orderId":"DH-7K2Q4","amount":3500"#,
        input: RefundOrderInput {
            order_id: "DH-7K2Q4".to_owned(),
            amount: None,
            reason: "Món giao đến đã nguội".to_owned(),
        },
        preview: RefundOrderPreview {
            order_id: "DH-7K2Q4".to_owned(),
            restaurant_name: "Bếp Mây".to_owned(),
            payee: "Visa •••• 4242".to_owned(),
            total: 350_000,
            refunded: 0,
            left: 350_000,
            amount: 350_000,
        },
        output: Refund {
            refund_id: REFUND_ID.to_owned(),
            reference: Some("R-8H3KD2ZV".to_owned()),
            order_id: "DH-7K2Q4".to_owned(),
            restaurant_name: "Bếp Mây".to_owned(),
            payee: "Visa •••• 4242".to_owned(),
            amount: 350_000,
            status: RefundStatus::Succeeded,
            created_at: now(),
            settled_at: Some(now() + chrono::TimeDelta::minutes(2)),
            failure_reason: None,
            receiver: RefundReceiver::Ledger,
        },
        code: ErrorCode::UnknownOrder,
        params: object(json!({"orders": ["DH-7K2Q4", "DH-9XW3M"]})).unwrap_or_default(),
    }
}

fn untyped() -> Sample<Untyped> {
    Sample {
        prefix: "untyped",
        streaming: r#"{"layers":3,"writing":"Chúc m"#,
        input: json!({"layers": 3, "writing": "Chúc mừng sinh nhật"}),
        preview: json!({"price": "450.000 ₫"}),
        output: json!({"orderId": "C-77"}),
        code: ErrorCode::InvalidInput,
        params: Map::new(),
    }
}

fn at(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).unwrap_or_default()
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}
