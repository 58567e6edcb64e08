//! The real thing: server processes, guests with their tabs, and a model that proposes what a message says.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::COOKIE;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::event::AgentEvent;
use shared::reduce::Conversation;
use tokio::task::JoinSet;

use super::judge::{Judge, Seen};
use super::operations::{
    Action, CONVERSATIONS, GUEST_OF, Operation, SEATS, SLOTS, TOTAL, UNIT, Verdict, Wish,
};
use super::reference::{Answer, CallKey, Request, Status, Told};
use super::screen::{Keys, add_keys, screen, text};
use crate::support::{
    Database, DatabaseKind, Guest, Home, Listener, PATIENCE, ScriptedModel, Server, Turn,
    assert_valid_request, evening, told_by_user, tool_parts,
};

/// On PostgreSQL: how long a server may be silent before the other one takes its runs.
const LEASE: Duration = Duration::from_secs(1);
/// How often a script may disturb its servers: with more, a run would be taken too often without coming further.
const DISTURBANCES: usize = 2;

/// Servers that one script after the other is played on.
pub struct House {
    servers: Vec<Server>,
    model: ScriptedModel,
    database: Database,
    scripts: u32,
}

/// The words of a message: what the model is to propose, and how fast.
#[derive(Serialize, Deserialize)]
struct Words {
    calls: Vec<(String, Value)>,
    pace: u64,
}

fn turn_for(request: &Value) -> Turn {
    let words = told_by_user(request).pop().and_then(|words| serde_json::from_str(&words).ok());
    let Some(Words { calls, pace }) = words else { return Turn::text("Done.") };
    let mut calls = calls.into_iter();
    let Some((name, input)) = calls.next() else { return Turn::text("Nothing to do.") };
    let turn = calls.fold(Turn::call(&name, input), |turn, (name, input)| turn.and_call(&name, input));
    turn.paced(Duration::from_millis(pace))
}

impl House {
    pub async fn open(kind: DatabaseKind) -> Self {
        let model = ScriptedModel::answering(turn_for).await;
        let home = Home::fresh(kind);
        let lease = LEASE.as_secs().to_string();
        let settings = [
            &model.settings()[..],
            &[
                ("TRUTHTABLE_LEASE_SECONDS", lease.as_str()),
                ("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.1"),
                ("TRUTHTABLE_GIVE_UP_SECONDS", "15"),
            ],
        ]
        .concat();
        let count = match kind {
            DatabaseKind::Sqlite => 1,
            DatabaseKind::Postgres => 2,
        };
        let servers = (0..count).map(|_| Server::start_at(&home, &settings)).collect();
        Self { servers, model, database: home.database().await, scripts: 0 }
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Plays a script and compares what came of it with the reference; an error says what does not fit.
    pub async fn play(&mut self, script: &[Operation]) -> Result<(), String> {
        self.scripts += 1;
        let mut stay = Stay::begin(self).await;
        let outcome = stay.play(script).await;
        outcome.map_err(|error| {
            let mut told = error;
            for line in &stay.trace {
                let _ = write!(told, "\n    {line}");
            }
            told
        })
    }
}

/// What two guests do in one script, in a restaurant of their own.
struct Stay<'a> {
    house: &'a mut House,
    client: reqwest::Client,
    restaurant: String,
    /// Local time and milliseconds of each slot.
    slots: Vec<(String, i64)>,
    guests: Vec<Guest>,
    conversations: Vec<String>,
    /// The number of each guest's order.
    orders: Vec<String>,
    /// The last message of each conversation.
    last: Vec<Option<Sent>>,
    messages: u32,
    runs: HashMap<u32, String>,
    judge: Judge,
    readers: JoinSet<()>,
    read: Vec<Tab>,
    requests: usize,
    disturbances: usize,
    model_requests: usize,
    trace: Vec<String>,
}

/// What a tab that stays open has read so far.
type Tab = Arc<Mutex<Vec<(u64, AgentEvent)>>>;

#[derive(Clone)]
struct Sent {
    told: Told,
    body: Value,
}

/// A request, ready to be sent.
#[derive(Clone)]
struct Ready {
    told: Told,
    path: String,
    body: Value,
    guest: usize,
}

impl<'a> Stay<'a> {
    async fn begin(house: &'a mut House) -> Self {
        let restaurant = format!("drawn-{}", house.scripts);
        house
            .database
            .execute_owned(format!(
                "INSERT INTO restaurants (id, name, city, address, cuisine, contact, time_zone, seats) VALUES \
                 ('{restaurant}', 'Drawn', 'Đà Lạt', 'Here', 'Any', '0263', 'Asia/Ho_Chi_Minh', {SEATS})"
            ))
            .await;
        for weekday in 1..=7 {
            house
                .database
                .execute_owned(format!(
                    "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) \
                     VALUES ('{restaurant}', {weekday}, 600, 1320)"
                ))
                .await;
        }
        let slot = |n: usize| {
            let local = evening(3 + 4 * n as i64);
            let at = chrono::DateTime::parse_from_rfc3339(&local).unwrap().timestamp_millis();
            (local, at)
        };
        let mut guests = vec![Guest::new(&house.servers[0]), Guest::new(&house.servers[0])];
        let mut conversations = Vec::new();
        for guest in GUEST_OF {
            conversations.push(guests[guest].converse(json!({})).await);
        }
        let mut orders = Vec::new();
        for guest in 0..guests.len() {
            let order = format!("DH-{:04}{}", house.scripts, guest + 2);
            let conversation = GUEST_OF.iter().position(|of| *of == guest).expect("every guest has one");
            house
                .database
                .execute_owned(format!(
                    "INSERT INTO orders (number, user_id, restaurant_name, time_zone, status, total, payee, \
                     placed_at) SELECT '{order}', user_id, 'Drawn', 'Asia/Ho_Chi_Minh', 'delivered', {}, \
                     'Visa 4242', 1 FROM conversations WHERE id = '{}'",
                    u64::from(TOTAL) * UNIT,
                    conversations[conversation]
                ))
                .await;
            orders.push(order);
        }
        let mut stay = Self {
            orders,
            model_requests: house.model.requests().len(),
            house,
            client: reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap(),
            restaurant,
            slots: (0..SLOTS).map(slot).collect(),
            guests,
            conversations,
            last: vec![None; CONVERSATIONS],
            messages: 0,
            runs: HashMap::new(),
            judge: Judge::new(),
            readers: JoinSet::new(),
            read: Vec::new(),
            requests: 0,
            disturbances: 0,
            trace: Vec::new(),
        };
        for conversation in 0..CONVERSATIONS {
            stay.keep_reading(conversation);
        }
        stay
    }

    /// A tab that stays open: it reads on from where it was, whatever happens to the servers.
    fn keep_reading(&mut self, conversation: usize) {
        let seen = Tab::default();
        self.read.push(seen.clone());
        let urls: Vec<String> = self
            .house
            .servers
            .iter()
            .map(|server| {
                format!("{}/api/conversations/{}/events", server.url, self.conversations[conversation])
            })
            .collect();
        let cookie = self.guests[GUEST_OF[conversation]].cookie().to_owned();
        let client = self.client.clone();
        self.readers.spawn(async move {
            for url in urls.iter().cycle() {
                let last = seen.lock().unwrap().last().map_or(0, |(id, _)| *id);
                let request =
                    client.get(url).header(COOKIE, &cookie).header("last-event-id", last.to_string());
                if let Ok(response) = request.send().await
                    && response.status() == 200
                {
                    let mut listener = Listener::new(response);
                    while let Some(event) = listener.next_however_late().await {
                        seen.lock().unwrap().push(event);
                    }
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }

    async fn play(&mut self, script: &[Operation]) -> Result<(), String> {
        for operation in script {
            self.trace.push(format!("{operation:?}"));
            self.carry_out(operation).await?;
        }
        self.trace.push("the end".to_owned());
        self.end().await
    }

    async fn carry_out(&mut self, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::Do { action, settle } => {
                self.act(action).await?;
                if *settle {
                    self.settle(action.conversation()).await?;
                }
                Ok(())
            }
            Operation::Both(one, other) => self.act_both(one, other).await,
            Operation::Kill { action, .. } | Operation::Pause { action }
                if self.disturbances == DISTURBANCES =>
            {
                self.act(action).await
            }
            Operation::Kill { action, after } => self.act_while_killed(action, *after).await,
            Operation::Pause { action } => self.act_while_paused(action).await,
            Operation::Expire { conversation } => {
                let sql = format!(
                    "UPDATE approvals SET expires_at = 1 WHERE status = 'pending' AND conversation_id = '{}'",
                    self.conversations[*conversation]
                );
                self.house.database.execute_owned(sql).await;
                self.judge.let_time_pass(*conversation);
                Ok(())
            }
            Operation::Reload { conversation } => self.reload(*conversation).await,
        }
    }

    async fn act(&mut self, action: &Action) -> Result<(), String> {
        let Some(ready) = self.prepare(action).await? else { return Ok(()) };
        let server = self.next_server();
        let answer = self.send(server, &ready).await;
        let seen = Some(answer.ok_or_else(|| format!("{:?}: no answer", ready.told))?);
        self.note(&ready, seen.as_ref())?;
        self.judge.saw(&ready.told, &seen.map(|(answer, _)| answer))?;
        match ready.told {
            Told::Stop { conversation } => self.judge.saw_ended(conversation),
            Told::Say { .. } | Told::Decide { .. } => Ok(()),
        }
    }

    async fn act_both(&mut self, one: &Action, other: &Action) -> Result<(), String> {
        let (one, other) = (self.prepare(one).await?, self.prepare(other).await?);
        let (Some(one), Some(other)) = (one, other) else { return Ok(()) };
        let (here, there) = (self.next_server(), self.next_server());
        let (first, second) = tokio::join!(self.send(here, &one), self.send(there, &other));
        self.note(&one, first.as_ref())?;
        self.note(&other, second.as_ref())?;
        let (first, second): (Seen, Seen) =
            (first.map(|(answer, _)| answer), second.map(|(answer, _)| answer));
        if first.is_none() || second.is_none() {
            return Err("no answer, although nothing happened to the server".to_owned());
        }
        self.judge.saw_both((&one.told, &first), (&other.told, &second))
    }

    async fn act_while_killed(&mut self, action: &Action, after: u64) -> Result<(), String> {
        let Some(ready) = self.prepare(action).await? else { return Ok(()) };
        self.disturbances += 1;
        let server = self.next_server();
        let sending = self.sending(server, &ready);
        let sending = tokio::spawn(sending);
        tokio::time::sleep(Duration::from_millis(after)).await;
        let victim = &mut self.house.servers[server];
        tokio::task::block_in_place(|| victim.restart());
        let answer = sending.await.unwrap();
        self.note(&ready, answer.as_ref())?;
        self.judge.saw(&ready.told, &answer.map(|(answer, _)| answer))
    }

    async fn act_while_paused(&mut self, action: &Action) -> Result<(), String> {
        let Some(ready) = self.prepare(action).await? else { return Ok(()) };
        self.disturbances += 1;
        let server = self.next_server();
        // Where another server is there, long enough to lose what it has.
        let pause =
            if self.house.servers.len() > 1 { LEASE.mul_f32(1.5) } else { Duration::from_millis(100) };
        self.house.servers[server].pause();
        let sending = tokio::spawn(self.sending(server, &ready));
        tokio::time::sleep(pause).await;
        self.house.servers[server].resume();
        let answer = sending.await.unwrap();
        self.note(&ready, answer.as_ref())?;
        self.judge.saw(&ready.told, &answer.map(|(answer, _)| answer))
    }

    fn next_server(&mut self) -> usize {
        self.requests += 1;
        self.requests % self.house.servers.len()
    }

    /// Writes down what came of a request; the same message starts the same run, however often it is sent.
    fn note(&mut self, ready: &Ready, answer: Option<&(Answer, Value)>) -> Result<(), String> {
        let seen = answer.map_or("no answer".to_owned(), |(answer, _)| answer.to_string());
        self.trace.push(format!("  {:?}: {seen}", ready.told));
        if let (Told::Say { message, .. }, Some((Answer { status: 202, .. }, body))) = (&ready.told, answer) {
            let run = text(&body["runId"]).to_owned();
            let known = self.runs.entry(*message).or_insert_with(|| run.clone());
            if *known != run {
                return Err(format!("message {message} started the run {known}, and now {run}"));
            }
        }
        Ok(())
    }

    async fn send(&self, server: usize, ready: &Ready) -> Option<(Answer, Value)> {
        self.sending(server, ready).await
    }

    fn sending(&self, server: usize, ready: &Ready) -> impl Future<Output = Option<(Answer, Value)>> + use<> {
        let request = self
            .client
            .post(format!("{}{}", self.house.servers[server].url, ready.path))
            .header(COOKIE, self.guests[ready.guest].cookie())
            .header("content-type", "application/json")
            .timeout(PATIENCE)
            .body(ready.body.to_string());
        async move {
            let response = request.send().await.ok()?;
            let status = response.status().as_u16();
            let body: Value = response.json().await.ok()?;
            // A stop's answer is the run, which may be anybody's guess.
            let says = body["decision"].as_str().or(body["type"].as_str()).unwrap_or_default();
            Some((Answer::new(status, says), body))
        }
    }

    async fn prepare(&mut self, action: &Action) -> Result<Option<Ready>, String> {
        let conversation = action.conversation();
        let path = |rest: &str| format!("/api/conversations/{}{rest}", self.conversations[conversation]);
        let guest = GUEST_OF[conversation];
        match action {
            Action::Say { wishes, pace, .. } => {
                let path = path("/messages");
                let mut requests = Vec::new();
                let mut calls = Vec::new();
                for wish in wishes {
                    let (request, call) = self.proposal(guest, *wish).await?;
                    requests.push(request);
                    calls.push(call);
                }
                self.messages += 1;
                let words = serde_json::to_string(&Words { calls, pace: *pace }).unwrap();
                let message = self.messages;
                let body = json!({ "clientMessageId": format!("message-{message}"), "text": words });
                let told = Told::Say { conversation, message, requests };
                self.last[conversation] = Some(Sent { told: told.clone(), body: body.clone() });
                Ok(Some(Ready { told, path, body, guest }))
            }
            Action::SayAgain { .. } => {
                let path = path("/messages");
                let sent = self.last[conversation].clone();
                Ok(sent.map(|Sent { told, body }| Ready { told, path, body, guest }))
            }
            Action::Decide { form, verdict, stale, .. } => {
                let (view, asked) = self.record(conversation).await?;
                let mut forms: Vec<(usize, &Value)> = tool_parts(&view)
                    .enumerate()
                    .filter(|(_, part)| asked.contains_key(text(&part["toolCallId"])))
                    .collect();
                // Those that wait, then the latest.
                forms.sort_by_key(|(n, part)| (part["state"] != "approval-requested", usize::MAX - n));
                if forms.is_empty() {
                    return Ok(None);
                }
                let (n, part) = forms[form % forms.len()];
                let id = text(&part["toolCallId"]);
                let ask = if *stale { 1 } else { asked[id].len() };
                let mut body =
                    json!({ "approvalId": asked[id][ask - 1], "approved": *verdict != Verdict::Decline });
                let mut edit = None;
                if let Verdict::Edit(number) = verdict
                    && part["type"] != "tool-cancelBooking"
                {
                    let mut input = part["input"].clone();
                    if part["type"] == "tool-refundOrder" {
                        input["amount"] = json!(u64::from(*number) * UNIT);
                    } else {
                        input["partySize"] = json!(number);
                    }
                    body["editedInput"] = input;
                    edit = Some(*number);
                }
                let told = Told::Decide {
                    call: CallKey(conversation, n),
                    ask: ask as u8,
                    approve: *verdict != Verdict::Decline,
                    edit,
                };
                Ok(Some(Ready { told, path: path(&format!("/approvals/{id}")), body, guest }))
            }
            Action::Stop { .. } => {
                let told = Told::Stop { conversation };
                Ok(Some(Ready { told, path: path("/stop"), body: json!({}), guest }))
            }
        }
    }

    /// A wish as the reference has it, and as the model proposes it.
    async fn proposal(&mut self, guest: usize, wish: Wish) -> Result<(Request, (String, Value)), String> {
        match wish {
            Wish::Book { slot, size } => {
                let input = json!({
                    "restaurantId": self.restaurant, "partySize": size, "startsAt": self.slots[slot].0
                });
                Ok((Request::Book { slot, size }, ("createBooking".to_owned(), input)))
            }
            Wish::Change { slot, size } => {
                let (booking, id) = self.latest_booking(guest, slot).await?;
                let input = json!({ "bookingId": id, "partySize": size });
                Ok((Request::Change { booking, size }, ("changeBooking".to_owned(), input)))
            }
            Wish::Cancel { slot } => {
                let (booking, id) = self.latest_booking(guest, slot).await?;
                Ok((Request::Cancel { booking }, ("cancelBooking".to_owned(), json!({ "bookingId": id }))))
            }
            Wish::Refund { amount } => {
                let mut input = json!({ "orderId": self.orders[guest], "reason": "It was cold." });
                if let Some(amount) = amount {
                    input["amount"] = json!(u64::from(amount) * UNIT);
                }
                Ok((Request::Refund { amount }, ("refundOrder".to_owned(), input)))
            }
        }
    }

    async fn latest_booking(
        &mut self,
        guest: usize,
        slot: usize,
    ) -> Result<(Option<CallKey>, String), String> {
        let conversation = GUEST_OF.iter().position(|of| *of == guest).expect("every guest has one");
        let sql = format!(
            "SELECT id || ' ' || tool_call_id FROM bookings WHERE restaurant_id = '{}' AND starts_at = {} \
             AND user_id = (SELECT user_id FROM conversations WHERE id = '{}') \
             ORDER BY created_at DESC, id DESC LIMIT 1",
            self.restaurant, self.slots[slot].1, self.conversations[conversation]
        );
        let found = self.house.database.texts_owned(sql).await;
        let Some((id, call)) = found.first().and_then(|found| found.split_once(' ')) else {
            return Ok((None, "none".to_owned()));
        };
        let keys = self.keys().await?;
        let key = *keys.get(call).ok_or_else(|| format!("a booking of the unknown call {call}"))?;
        self.judge.saw_booking(key)?;
        Ok((Some(key), id.to_owned()))
    }

    /// The page as its stored events tell it, and the ids of the questions of each call.
    async fn record(&self, conversation: usize) -> Result<(Value, HashMap<String, Vec<String>>), String> {
        let sql = format!(
            "SELECT body FROM events WHERE conversation_id = '{}' ORDER BY seq",
            self.conversations[conversation]
        );
        let bodies = self.house.database.texts_owned(sql).await;
        let events: Vec<AgentEvent> = bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
        let mut asked: HashMap<String, Vec<String>> = HashMap::new();
        for event in &events {
            if let AgentEvent::ToolApprovalRequested { tool_call_id, approval_id, .. } = event {
                asked.entry(tool_call_id.as_str().to_owned()).or_default().push(approval_id.0.clone());
            }
        }
        let numbered: Vec<(u64, AgentEvent)> = (1..).zip(events).collect();
        Ok((fold(&numbered)?, asked))
    }

    async fn keys(&self) -> Result<Keys, String> {
        let mut keys = Keys::new();
        for conversation in 0..CONVERSATIONS {
            add_keys(&mut keys, conversation, &self.record(conversation).await?.0);
        }
        Ok(keys)
    }

    async fn view(&mut self, conversation: usize) -> Value {
        let server = self.next_server();
        let guest = self.guests[GUEST_OF[conversation]].at(&self.house.servers[server]);
        guest.view(&self.conversations[conversation]).await
    }

    /// Waits until the run is not at work any more, and compares the page with what it may look like.
    async fn settle(&mut self, conversation: usize) -> Result<Value, String> {
        let waiting = tokio::time::Instant::now();
        let view = loop {
            let view = self.view(conversation).await;
            let at_work = matches!(view["run"]["status"].as_str(), Some("queued" | "running"));
            // What nobody knows yet is being looked into.
            if !at_work && tool_parts(&view).all(|part| part["state"] != "output-unknown") {
                break view;
            }
            if waiting.elapsed() > PATIENCE {
                return Err(format!("the run of conversation {conversation} does not end: {view:#}"));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let screen = screen(&view, &self.keys().await?);
        self.trace.push(format!("  conversation {conversation} shows {screen:?}"));
        self.judge.saw_settled(conversation, &screen)?;
        Ok(view)
    }

    /// What the server tells at once is what its events tell from the first on, and from any event on.
    async fn reload(&mut self, conversation: usize) -> Result<(), String> {
        let view = self.view(conversation).await;
        let last = view["lastEventId"].as_u64().unwrap_or_default();
        if last == 0 {
            return Ok(());
        }
        let server = self.next_server();
        let guest = self.guests[GUEST_OF[conversation]].at(&self.house.servers[server]);
        let mut events = Vec::new();
        for (from, until) in [(0, last / 2), (last / 2, last)] {
            let query = format!("?after={from}");
            let mut listener = guest.listen(&self.conversations[conversation], &query, &[]).await;
            while events.len() < until as usize {
                events.push(listener.next().await.ok_or("the stream ended")?);
            }
        }
        let (mut view, mut folded) = (view, fold(&events)?);
        if view["run"]["status"] == "queued" {
            // The row is ahead of the events: nobody has begun yet.
            (view["run"], folded["run"]) = (Value::Null, Value::Null);
        }
        if folded == view { Ok(()) } else { Err(format!("the events tell {folded:#}, the server {view:#}")) }
    }

    /// Stops what waits, says something more in each conversation, and looks at everything.
    async fn end(&mut self) -> Result<(), String> {
        for conversation in 0..CONVERSATIONS {
            if self.settle(conversation).await?["run"]["status"] == "awaiting-approval" {
                self.act(&Action::Stop { conversation }).await?;
            }
        }
        for conversation in 0..CONVERSATIONS {
            self.act(&Action::Say { conversation, wishes: Vec::new(), pace: 0 }).await?;
            self.settle(conversation).await?;
        }
        let mut views = Vec::new();
        for conversation in 0..CONVERSATIONS {
            views.push(self.settle(conversation).await?);
            self.reload(conversation).await?;
        }
        self.check_bookings().await?;
        self.check_refunds().await?;
        self.check_receipts(&views).await?;
        self.check_rows().await?;
        self.check_readers(&views).await?;
        let requests = self.house.model.requests();
        requests[self.model_requests..].iter().for_each(assert_valid_request);
        Ok(())
    }

    /// The restaurant's book is one of those that may be.
    async fn check_bookings(&mut self) -> Result<(), String> {
        let keys = self.keys().await?;
        let sql = format!(
            "SELECT tool_call_id || ' ' || status || ' ' || party_size FROM bookings WHERE restaurant_id = '{}'",
            self.restaurant
        );
        let mut booked = Vec::new();
        for row in self.house.database.texts_owned(sql).await {
            let (call, rest) = row.split_once(' ').ok_or("a row of three")?;
            booked.push(format!("{:?} {rest}", keys.get(call).ok_or("a booking of no call")?));
        }
        booked.sort();
        let mut could = Vec::new();
        for state in self.judge.possible() {
            let mut bookings: Vec<String> = state
                .bookings
                .iter()
                .map(|booking| format!("{:?} {} {}", booking.by, booking.status.as_str(), booking.size))
                .collect();
            bookings.sort();
            if bookings == booked {
                return self.check_seats().await;
            }
            could.push(bookings);
        }
        Err(format!("booked is {booked:?}; could be one of {could:?}"))
    }

    /// The receiver has paid back what it was to, and once.
    async fn check_refunds(&mut self) -> Result<(), String> {
        let mut paid = Vec::new();
        for order in &self.orders {
            let sql = format!(
                "SELECT CAST(amount / {UNIT} AS TEXT) FROM ledger_refunds WHERE order_number = '{order}'"
            );
            paid.push(self.house.database.texts_owned(sql).await);
        }
        let could: BTreeSet<Vec<Vec<String>>> = self
            .judge
            .possible()
            .iter()
            .map(|state| {
                let of_guest = |refund: &Option<(u8, CallKey)>| {
                    refund.iter().map(|(amount, _)| amount.to_string()).collect()
                };
                state.refunds.iter().map(of_guest).collect()
            })
            .collect();
        if could.contains(&paid) {
            Ok(())
        } else {
            Err(format!("paid back was {paid:?}; could be one of {could:?}"))
        }
    }

    async fn check_seats(&self) -> Result<(), String> {
        let sql = format!(
            "SELECT CAST(SUM(party_size) AS TEXT) FROM bookings WHERE restaurant_id = '{}' AND status = '{}' \
             GROUP BY starts_at",
            self.restaurant,
            Status::Confirmed.as_str()
        );
        let taken = self.house.database.texts_owned(sql).await;
        match taken.iter().find(|taken| taken.parse::<u64>().unwrap() > u64::from(SEATS)) {
            None => Ok(()),
            Some(taken) => Err(format!("{taken} of {SEATS} seats are taken")),
        }
    }

    /// Every receipt on every page says what the book says.
    async fn check_receipts(&self, views: &[Value]) -> Result<(), String> {
        let sql = format!(
            "SELECT id || ' ' || reference || ' ' || status || ' ' || party_size FROM bookings \
             WHERE restaurant_id = '{}' \
             UNION ALL SELECT id || ' ' || order_number || ' ' || status || ' ' || amount FROM refunds \
             WHERE order_number IN ('{}')",
            self.restaurant,
            self.orders.join("', '")
        );
        let rows = self.house.database.texts_owned(sql).await;
        for part in views.iter().flat_map(tool_parts).filter(|part| part["state"] == "output-available") {
            let output = &part["output"];
            let field = |name: &str| text(&output[name]);
            let shown = if part["type"] == "tool-refundOrder" {
                let (id, order) = (field("refundId"), field("orderId"));
                format!("{id} {order} {} {}", field("status"), output["amount"])
            } else {
                let (id, reference) = (field("bookingId"), field("reference"));
                format!("{id} {reference} {} {}", field("status"), output["partySize"])
            };
            if !rows.contains(&shown) {
                return Err(format!("a receipt shows {shown:?}; the book has {rows:#?}"));
            }
        }
        Ok(())
    }

    /// Nothing is left open, and every call has its one result.
    async fn check_rows(&self) -> Result<(), String> {
        for conversation in &self.conversations {
            let left = self
                .house
                .database
                .texts_owned(format!(
                    "SELECT 'run ' || status FROM runs WHERE conversation_id = '{conversation}' \
                       AND status IN ('queued', 'running', 'awaiting-approval') \
                     UNION ALL SELECT 'call ' || state FROM tool_calls WHERE conversation_id = '{conversation}' \
                       AND (state <> 'ended' OR result_content IS NULL) \
                     UNION ALL SELECT 'approval ' || status FROM approvals \
                       WHERE conversation_id = '{conversation}' AND status = 'pending'"
                ))
                .await;
            if !left.is_empty() {
                return Err(format!("left open: {left:?}"));
            }
        }
        Ok(())
    }

    /// The tabs that stayed open have seen every event once, and show the same page.
    async fn check_readers(&self, views: &[Value]) -> Result<(), String> {
        let waiting = tokio::time::Instant::now();
        for (seen, view) in self.read.iter().zip(views) {
            let last = view["lastEventId"].as_u64().unwrap_or_default();
            while seen.lock().unwrap().last().map_or(0, |(id, _)| *id) < last {
                if waiting.elapsed() > PATIENCE {
                    return Err("a tab that stayed open never came to the end".to_owned());
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let folded = fold(&seen.lock().unwrap())?;
            if folded != *view {
                return Err(format!("a tab that stayed open shows {folded:#}, another one {view:#}"));
            }
        }
        Ok(())
    }
}

/// The page that the events make, which must be all of them, one after the other.
fn fold(events: &[(u64, AgentEvent)]) -> Result<Value, String> {
    let mut folded = Conversation::default();
    for (expected, (id, event)) in (1..).zip(events) {
        if *id != expected {
            return Err(format!("event {id} came in place of {expected}"));
        }
        folded.apply(*id, event).map_err(|refusal| format!("{event:?}: {refusal}"))?;
    }
    Ok(serde_json::to_value(&folded).unwrap())
}
