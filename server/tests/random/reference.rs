//! The reference: what there is once, in the order in which things may have happened. It knows no
//! database, no worker and no crash; a state that several orders could have led to is several states.

use std::fmt;

use super::operations::{CONVERSATIONS, GUEST_OF, SEATS, TOTAL};

/// A tool call: its conversation, and its place among the calls there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallKey(pub usize, pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    Confirmed,
    Waitlisted,
    Cancelled,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Waitlisted => "waitlisted",
            Self::Cancelled => "cancelled",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Booking {
    pub by: CallKey,
    guest: usize,
    slot: usize,
    pub size: u8,
    pub status: Status,
    cancelled_by: Option<CallKey>,
}

/// What a call asks for; a booking is named by the call that made it, none is one that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    Book {
        slot: usize,
        size: u8,
    },
    Change {
        booking: Option<CallKey>,
        size: u8,
    },
    Cancel {
        booking: Option<CallKey>,
    },
    /// Of the guest's own order.
    Refund {
        amount: Option<u8>,
    },
}

impl Request {
    fn tool(self) -> &'static str {
        match self {
            Self::Book { .. } => "createBooking",
            Self::Change { .. } => "changeBooking",
            Self::Cancel { .. } => "cancelBooking",
            Self::Refund { .. } => "refundOrder",
        }
    }

    fn with_number(self, number: u8) -> Self {
        match self {
            Self::Book { slot, .. } => Self::Book { slot, size: number },
            Self::Change { booking, .. } => Self::Change { booking, size: number },
            Self::Refund { .. } => Self::Refund { amount: Some(number) },
            Self::Cancel { .. } => self,
        }
    }

    /// Whether the two are about the same thing.
    fn has_key_of(self, other: Self) -> bool {
        match (self, other) {
            (Self::Book { slot: one, .. }, Self::Book { slot: other, .. }) => one == other,
            (Self::Change { booking: one, .. }, Self::Change { booking: other, .. })
            | (Self::Cancel { booking: one }, Self::Cancel { booking: other }) => one == other,
            (Self::Refund { .. }, Self::Refund { .. }) => true,
            (Self::Book { .. } | Self::Change { .. } | Self::Cancel { .. } | Self::Refund { .. }, _) => false,
        }
    }

    /// Of two about the same thing, whether they want the same.
    fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Refund { amount: Some(one) }, Self::Refund { amount: Some(other) }) => one == other,
            (Self::Refund { .. }, Self::Refund { .. }) => true,
            (Self::Book { .. } | Self::Change { .. } | Self::Cancel { .. } | Self::Refund { .. }, _) => {
                self == other
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    Stopped,
    Superseded,
    Expired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CallState {
    /// `due`: its time is over, and nobody has noticed yet.
    Waiting {
        due: bool,
    },
    Approved,
    /// The booking that it shows is known by the call that made it.
    Output(CallKey),
    Refunded(u8),
    Denied,
    Cancelled(Reason),
    Repeated(CallKey),
    Failed(&'static str),
}

/// What the person was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Preview {
    /// The booking as it stands.
    booking: Option<(Status, u8)>,
    /// What a confirmation would give.
    gives: Status,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Call {
    proposed: Request,
    /// As the form has it now.
    request: Request,
    state: CallState,
    /// How often it was asked.
    asks: u8,
    preview: Option<Preview>,
    /// What was decided about the last question.
    standing: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Run {
    None,
    /// The model has been asked what to do.
    Thinking {
        requests: Vec<Request>,
    },
    /// Something was decided.
    Working,
    /// All results are there; the model has the last word.
    Closing,
    Parked,
    Ended(&'static str),
}

impl Run {
    fn is_live(&self) -> bool {
        match self {
            Self::Thinking { .. } | Self::Working | Self::Closing => true,
            Self::None | Self::Parked | Self::Ended(_) => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Conversation {
    run: Run,
    stop_requested: bool,
    calls: Vec<Call>,
    /// Where the calls of the turn begin.
    turn: usize,
    /// Whether a form of the turn was decided by the guest.
    decided_any: bool,
    /// The messages that were taken.
    taken: Vec<u32>,
}

/// An action with everything in it that the server is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Say {
        conversation: usize,
        message: u32,
        requests: Vec<Request>,
    },
    Decide {
        call: CallKey,
        /// Which of its questions, from 1.
        ask: u8,
        approve: bool,
        edit: Option<u8>,
    },
    Stop {
        conversation: usize,
    },
}

/// The server's answer: its status, and the decision or the kind of problem that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub says: String,
}

impl Answer {
    pub fn new(status: u16, says: &str) -> Self {
        Self { status, says: says.to_owned() }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.says)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    pub bookings: Vec<Booking>,
    /// What each guest has got back of their order, and by which call.
    pub refunds: [Option<(u8, CallKey)>; GUESTS],
    conversations: Vec<Conversation>,
}

const GUESTS: usize = 2;
const CONFLICT: &str = "conflicts-with-earlier";
const ASKED_AGAIN: &str = "asked-again";

impl Reference {
    pub fn new() -> Self {
        let conversation = Conversation {
            run: Run::None,
            stop_requested: false,
            calls: Vec::new(),
            turn: 0,
            decided_any: false,
            taken: Vec::new(),
        };
        Self {
            bookings: Vec::new(),
            refunds: [None; GUESTS],
            conversations: vec![conversation; CONVERSATIONS],
        }
    }

    pub fn is_live(&self, conversation: usize) -> bool {
        self.conversations[conversation].run.is_live()
    }

    pub fn has_booking(&self, by: CallKey) -> bool {
        self.bookings.iter().any(|booking| booking.by == by)
    }

    /// The run's status and its calls, as a page shows them; for one that is not at work.
    pub fn screen(&self, conversation: usize) -> Vec<String> {
        let of = &self.conversations[conversation];
        let run = match &of.run {
            Run::None => "no run",
            Run::Thinking { .. } | Run::Working | Run::Closing => "at work",
            Run::Parked => "awaiting-approval",
            Run::Ended(status) => status,
        };
        let shown = |call: &Call| {
            let tool = call.proposed.tool();
            match call.state {
                CallState::Waiting { .. } => format!("{tool} approval-requested"),
                CallState::Approved => format!("{tool} approval-responded"),
                CallState::Output(by) => {
                    let booking = self.booking(by);
                    format!("{tool} output-available {} for {}", booking.status.as_str(), booking.size)
                }
                CallState::Refunded(amount) => format!("{tool} output-available succeeded for {amount}"),
                CallState::Denied => format!("{tool} output-denied"),
                CallState::Cancelled(reason) => {
                    let reason = match reason {
                        Reason::Stopped => "stopped",
                        Reason::Superseded => "superseded",
                        Reason::Expired => "expired",
                    };
                    format!("{tool} output-cancelled {reason}")
                }
                CallState::Repeated(of) => format!("{tool} output-cancelled repeated {of:?}"),
                CallState::Failed(code) => format!("{tool} output-error {code}"),
            }
        };
        std::iter::once(run.to_owned()).chain(of.calls.iter().map(shown)).collect()
    }

    fn booking(&self, by: CallKey) -> &Booking {
        self.bookings.iter().find(|booking| booking.by == by).expect("a booking is never forgotten")
    }

    fn call(&mut self, key: CallKey) -> &mut Call {
        &mut self.conversations[key.0].calls[key.1]
    }

    fn seats_free(&self, slot: usize, but: Option<CallKey>) -> u8 {
        let holds = |booking: &&Booking| {
            booking.slot == slot && booking.status == Status::Confirmed && Some(booking.by) != but
        };
        let taken: u8 = self.bookings.iter().filter(holds).map(|booking| booking.size).sum();
        SEATS.saturating_sub(taken)
    }

    fn place(&self, slot: usize, size: u8, but: Option<CallKey>) -> Result<Status, &'static str> {
        if size > SEATS {
            return Err("party-too-large");
        }
        Ok(if size <= self.seats_free(slot, but) { Status::Confirmed } else { Status::Waitlisted })
    }

    fn live_booking(&self, guest: usize, slot: usize) -> Option<&Booking> {
        self.bookings.iter().find(|booking| {
            booking.guest == guest && booking.slot == slot && booking.status != Status::Cancelled
        })
    }

    fn preview(&self, request: Request) -> Result<Preview, &'static str> {
        let own = |by: Option<CallKey>| {
            let booking = self.booking(by.ok_or("unknown-booking")?);
            if booking.status == Status::Cancelled { Err("booking-cancelled") } else { Ok(booking) }
        };
        match request {
            Request::Book { slot, size } => {
                Ok(Preview { booking: None, gives: self.place(slot, size, None)? })
            }
            Request::Change { booking, size } => {
                let booking = own(booking)?;
                let gives = self.place(booking.slot, size, Some(booking.by))?;
                if size == booking.size {
                    return Err("nothing-to-change");
                }
                if booking.status == Status::Confirmed && gives == Status::Waitlisted {
                    return Err("full");
                }
                Ok(Preview { booking: Some((booking.status, booking.size)), gives })
            }
            Request::Cancel { booking } => {
                let booking = own(booking)?;
                Ok(Preview { booking: Some((booking.status, booking.size)), gives: Status::Cancelled })
            }
            // Whatever was refunded before stands for this one, so that all is left.
            Request::Refund { amount: Some(amount) } if amount > TOTAL => Err("more-than-left"),
            Request::Refund { .. } => Ok(Preview { booking: None, gives: Status::Confirmed }),
        }
    }

    /// What stands for the request already.
    fn done_before(&self, guest: usize, request: Request) -> Option<CallState> {
        match request {
            Request::Book { slot, size } => self.live_booking(guest, slot).map(|booking| {
                if booking.size == size {
                    CallState::Repeated(booking.by)
                } else {
                    CallState::Failed(CONFLICT)
                }
            }),
            Request::Cancel { booking } => self.booking(booking?).cancelled_by.map(CallState::Repeated),
            Request::Change { .. } => None,
            Request::Refund { amount } => self.refunds[guest].map(|(refunded, by)| {
                if amount.is_none_or(|amount| amount == refunded) {
                    CallState::Repeated(by)
                } else {
                    CallState::Failed("another-refund")
                }
            }),
        }
    }

    fn plan(&mut self, conversation: usize, requests: &[Request]) {
        let turn = self.conversations[conversation].calls.len();
        self.conversations[conversation].turn = turn;
        self.conversations[conversation].decided_any = false;
        for request in requests {
            let call = self.planned(conversation, *request);
            self.conversations[conversation].calls.push(call);
        }
        let of = &mut self.conversations[conversation];
        let waits = of.calls[turn..].iter().any(|call| matches!(call.state, CallState::Waiting { .. }));
        of.run = match (waits, of.stop_requested) {
            (true, false) => Run::Parked,
            // It does not begin to wait: it is about to end.
            (true, true) => Run::Working,
            (false, _) => Run::Closing,
        };
    }

    fn planned(&self, conversation: usize, request: Request) -> Call {
        let ended =
            |state| Call { proposed: request, request, state, asks: 0, preview: None, standing: None };
        if let Some(state) = self.done_before(GUEST_OF[conversation], request) {
            return ended(state);
        }
        let of = &self.conversations[conversation];
        let asked = (of.turn..of.calls.len()).rev().find(|n| {
            let call = &of.calls[*n];
            matches!(call.state, CallState::Waiting { .. }) && call.proposed.has_key_of(request)
        });
        if let Some(first) = asked {
            let same = of.calls[first].proposed.is_same(request);
            let repeated = CallState::Repeated(CallKey(conversation, first));
            return ended(if same { repeated } else { CallState::Failed(CONFLICT) });
        }
        match self.preview(request) {
            Ok(preview) => Call {
                state: CallState::Waiting { due: false },
                asks: 1,
                preview: Some(preview),
                ..ended(CallState::Denied)
            },
            Err(code) => ended(CallState::Failed(code)),
        }
    }

    /// Runs what was agreed to, or asks again.
    fn execute(&mut self, key: CallKey) {
        let guest = GUEST_OF[key.0];
        let (request, agreed) = {
            let call = self.call(key);
            (call.request, call.preview.expect("what was asked had a preview"))
        };
        if let Some(state) = self.done_before(guest, request) {
            self.call(key).state = state;
            return;
        }
        let preview = match self.preview(request) {
            Ok(preview) => preview,
            Err(code) => {
                self.call(key).state = CallState::Failed(code);
                return;
            }
        };
        let kept = !(agreed.gives == Status::Confirmed && preview.gives == Status::Waitlisted);
        if !kept || agreed.booking != preview.booking {
            let call = self.call(key);
            call.state = CallState::Waiting { due: false };
            call.asks += 1;
            call.preview = Some(preview);
            call.standing = None;
            return;
        }
        let shown = match request {
            Request::Book { slot, size } => {
                let status = preview.gives;
                self.bookings.push(Booking { by: key, guest, slot, size, status, cancelled_by: None });
                key
            }
            Request::Change { booking, size } => {
                let by = booking.expect("none has no preview");
                let booking = self.bookings.iter_mut().find(|booking| booking.by == by).expect("it is there");
                (booking.size, booking.status) = (size, preview.gives);
                by
            }
            Request::Cancel { booking } => {
                let by = booking.expect("none has no preview");
                let booking = self.bookings.iter_mut().find(|booking| booking.by == by).expect("it is there");
                (booking.status, booking.cancelled_by) = (Status::Cancelled, Some(key));
                by
            }
            Request::Refund { amount } => {
                let amount = amount.unwrap_or(TOTAL);
                self.refunds[guest] = Some((amount, key));
                self.call(key).state = CallState::Refunded(amount);
                return;
            }
        };
        self.call(key).state = CallState::Output(shown);
        self.move_up();
    }

    /// First in line first.
    fn move_up(&mut self) {
        for n in 0..self.bookings.len() {
            let waiting = &self.bookings[n];
            let fits = waiting.size <= self.seats_free(waiting.slot, None);
            if waiting.status == Status::Waitlisted && fits {
                self.bookings[n].status = Status::Confirmed;
            }
        }
    }

    /// What may happen next without anybody asking for it.
    pub fn next(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for conversation in 0..CONVERSATIONS {
            self.next_in(conversation, &mut all);
        }
        all
    }

    fn next_in(&self, conversation: usize, all: &mut Vec<Self>) {
        let of = &self.conversations[conversation];
        let mut then = |change: &dyn Fn(&mut Self)| {
            let mut next = self.clone();
            change(&mut next);
            all.push(next);
        };
        for (n, call) in of.calls.iter().enumerate() {
            match call.state {
                CallState::Waiting { due: true } => {
                    then(&|next| next.expire(CallKey(conversation, n)));
                }
                CallState::Approved if of.run == Run::Working => {
                    then(&|next| next.execute(CallKey(conversation, n)));
                }
                CallState::Waiting { due: false }
                | CallState::Approved
                | CallState::Output(_)
                | CallState::Refunded(_)
                | CallState::Denied
                | CallState::Cancelled(_)
                | CallState::Repeated(_)
                | CallState::Failed(_) => {}
            }
        }
        let set_run = |next: &mut Self, run: Run| next.conversations[conversation].run = run;
        match &of.run {
            Run::None | Run::Parked | Run::Ended(_) => return,
            Run::Thinking { requests } if requests.is_empty() => {
                then(&|next| set_run(next, Run::Ended("done")))
            }
            Run::Thinking { requests } => {
                then(&|next| next.plan(conversation, requests));
                if of.stop_requested {
                    // As many of the calls were on the screen as had come.
                    for shown in 1..=requests.len() {
                        then(&|next| next.stop_with(conversation, &requests[..shown]));
                    }
                }
            }
            Run::Working => {
                let any = |wanted: fn(&CallState) -> bool| of.calls.iter().any(|call| wanted(&call.state));
                let agreed = any(|state| matches!(state, CallState::Approved));
                let waits = any(|state| matches!(state, CallState::Waiting { .. }));
                match (agreed, waits, of.stop_requested) {
                    (true, _, _) | (false, true, true) => {}
                    (false, true, false) => then(&|next| set_run(next, Run::Parked)),
                    (false, false, _) => then(&|next| set_run(next, Run::Closing)),
                }
            }
            Run::Closing => then(&|next| set_run(next, Run::Ended("done"))),
        }
        if of.stop_requested {
            then(&|next| next.end(conversation, Reason::Stopped));
        }
    }

    /// A stop in the middle of a turn: of its calls these were shown, and nobody has looked at them.
    fn stop_with(&mut self, conversation: usize, shown: &[Request]) {
        let stopped = |request: &Request| Call {
            proposed: *request,
            request: *request,
            state: CallState::Cancelled(Reason::Stopped),
            asks: 0,
            preview: None,
            standing: None,
        };
        self.conversations[conversation].calls.extend(shown.iter().map(stopped));
        self.conversations[conversation].run = Run::Ended("cancelled");
    }

    /// Ends the run before its time; nothing stays open.
    fn end(&mut self, conversation: usize, reason: Reason) {
        let of = &mut self.conversations[conversation];
        for call in &mut of.calls {
            match call.state {
                CallState::Waiting { due } => {
                    let reason = if due { Reason::Expired } else { reason };
                    call.state = CallState::Cancelled(reason);
                    call.standing = Some(match reason {
                        Reason::Stopped => "stopped",
                        Reason::Superseded => "superseded",
                        Reason::Expired => "expired",
                    });
                }
                CallState::Approved => call.state = CallState::Cancelled(reason),
                CallState::Output(_)
                | CallState::Refunded(_)
                | CallState::Denied
                | CallState::Cancelled(_)
                | CallState::Repeated(_)
                | CallState::Failed(_) => {}
            }
        }
        of.run = Run::Ended("cancelled");
    }

    fn expire(&mut self, key: CallKey) {
        let call = self.call(key);
        call.state = CallState::Cancelled(Reason::Expired);
        call.standing = Some("expired");
        let of = &mut self.conversations[key.0];
        let open = |call: &Call| matches!(call.state, CallState::Waiting { .. } | CallState::Approved);
        if of.run == Run::Parked && !of.calls.iter().any(open) {
            of.run = if of.decided_any { Run::Working } else { Run::Ended("cancelled") };
        }
    }

    /// Lets the time of all forms of a conversation be over.
    pub fn let_time_pass(&mut self, conversation: usize) {
        for call in &mut self.conversations[conversation].calls {
            if let CallState::Waiting { due } = &mut call.state {
                *due = true;
            }
        }
    }

    /// What becomes of it when the server is told this, and what the server answers.
    pub fn told(mut self, told: &Told) -> (Self, Answer) {
        let answer = match told {
            Told::Say { conversation, message, requests } => self.say(*conversation, *message, requests),
            Told::Decide { call, ask, approve, edit } => self.decide(*call, *ask, *approve, *edit),
            Told::Stop { conversation } => self.stop(*conversation),
        };
        (self, answer)
    }

    fn say(&mut self, conversation: usize, message: u32, requests: &[Request]) -> Answer {
        let accepted = Answer::new(202, "");
        if self.conversations[conversation].taken.contains(&message) {
            return accepted;
        }
        match self.conversations[conversation].run {
            Run::Thinking { .. } | Run::Working | Run::Closing => return Answer::new(409, "run-active"),
            Run::Parked => self.end(conversation, Reason::Superseded),
            Run::None | Run::Ended(_) => {}
        }
        let of = &mut self.conversations[conversation];
        of.taken.push(message);
        of.run = Run::Thinking { requests: requests.to_vec() };
        of.stop_requested = false;
        accepted
    }

    fn decide(&mut self, key: CallKey, ask: u8, approve: bool, edit: Option<u8>) -> Answer {
        // Where it has not been asked yet, nobody has seen it.
        let Some(call) = self.conversations[key.0].calls.get(key.1).cloned() else {
            return Answer::new(404, "not-found");
        };
        if ask != call.asks {
            return Answer::new(409, ASKED_AGAIN);
        }
        if let Some(standing) = call.standing {
            return Answer::new(409, standing);
        }
        match call.state {
            CallState::Waiting { due: true } => {
                self.expire(key);
                return Answer::new(409, "expired");
            }
            CallState::Waiting { due: false } => {}
            CallState::Approved
            | CallState::Output(_)
            | CallState::Refunded(_)
            | CallState::Denied
            | CallState::Cancelled(_)
            | CallState::Repeated(_)
            | CallState::Failed(_) => return Answer::new(404, "not-found"),
        }
        let decision = if approve {
            let wanted = edit.map_or(call.request, |number| call.request.with_number(number));
            if edit.is_some() && (self.stands(GUEST_OF[key.0], wanted) || self.preview(wanted).is_err()) {
                return Answer::new(422, "invalid-input");
            }
            let call = self.call(key);
            (call.request, call.state) = (wanted, CallState::Approved);
            "approved"
        } else {
            self.call(key).state = CallState::Denied;
            "declined"
        };
        self.call(key).standing = Some(decision);
        let of = &mut self.conversations[key.0];
        of.decided_any = true;
        let waits = of.calls.iter().any(|call| matches!(call.state, CallState::Waiting { .. }));
        if of.run == Run::Parked && (approve || !waits) {
            of.run = Run::Working;
        }
        Answer::new(200, decision)
    }

    fn stands(&self, guest: usize, request: Request) -> bool {
        self.done_before(guest, request).is_some()
    }

    fn stop(&mut self, conversation: usize) -> Answer {
        match self.conversations[conversation].run {
            Run::None | Run::Ended(_) => {}
            Run::Parked => self.end(conversation, Reason::Stopped),
            Run::Thinking { .. } | Run::Working | Run::Closing => {
                self.conversations[conversation].stop_requested = true;
            }
        }
        Answer::new(200, "")
    }
}
