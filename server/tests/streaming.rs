//! The events as readers get them: in order, from any point on, as they happen, and after every kind of end.

mod support;

use std::time::{Duration, Instant};

use serde_json::json;
use shared::event::AgentEvent;
use shared::reduce::Conversation;
use support::{Guest, ScriptedModel, Server, Turn, assistant_text, local_time, tool_parts};

fn is_end(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::RunFinished { .. })
}

fn is_text(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::TextDelta { .. })
}

fn is_reset(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::StepReset { .. })
}

fn fold(from: &mut Conversation, events: &[(u64, AgentEvent)]) {
    for (id, event) in events {
        from.apply(*id, event).unwrap_or_else(|refusal| panic!("{id} {event:?}: {refusal}"));
    }
}

fn as_json(conversation: &Conversation) -> serde_json::Value {
    serde_json::to_value(conversation).unwrap()
}

fn words(count: usize) -> String {
    (0..count).map(|number| format!("word{number} ")).collect()
}

/// A conversation with text, a read, a form that was confirmed, and a second message.
async fn eventful(server: &Server) -> (Guest, String) {
    let (guest, conversation) = Guest::with_conversation(server, "").await;
    guest.say(&conversation, "A table, and the weather").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    guest.settled(&conversation).await;
    guest.say(&conversation, "Thanks").await;
    (guest, conversation)
}

async fn eventful_model() -> ScriptedModel {
    let booking = json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) });
    ScriptedModel::start([
        Turn::call("getWeather", json!({ "city": "Đà Lạt", "days": 3 }))
            .and_call("createBooking", booking)
            .saying("One moment please, I look."),
        Turn::text("It is booked, and it will be cool."),
        Turn::text("You are welcome."),
    ])
    .await
}

#[tokio::test]
async fn ids_count_from_1_without_gaps_and_events_have_no_name() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = eventful(&server).await;
    let last = guest.view(&conversation).await["lastEventId"].as_u64().unwrap();
    let mut reader = guest.listen(&conversation, "", &[]).await;
    // `next` fails where an `event:` line comes.
    for wanted in 1..=last {
        assert_eq!(reader.next().await.unwrap().0, wanted);
    }
}

#[tokio::test]
async fn a_reader_begins_after_the_event_it_names() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = eventful(&server).await;
    let last = guest.view(&conversation).await["lastEventId"].as_u64().unwrap();
    for (query, headers, first) in [
        ("", &[][..], 1),
        ("?after=0", &[], 1),
        ("?after=", &[], 1),
        ("?after=5", &[], 6),
        // What the browser has seen since counts more than the address that it was given.
        ("?after=2", &[("last-event-id", "7")], 8),
        ("", &[("last-event-id", "3")], 4),
    ] {
        let mut reader = guest.listen(&conversation, query, headers).await;
        assert_eq!(reader.next().await.unwrap().0, first, "{query} {headers:?}");
    }
    // At the end, and beyond it: what comes next.
    let mut reader = guest.listen(&conversation, &format!("?after={last}"), &[]).await;
    guest.send(&conversation, "And?").await;
    assert_eq!(reader.next().await.unwrap().0, last + 1);
}

#[tokio::test]
async fn a_reader_that_leaves_and_comes_back_at_every_event_sees_the_same_parts() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = eventful(&server).await;
    let view = guest.view(&conversation).await;
    let last = view["lastEventId"].as_u64().unwrap();
    assert!(last > 15, "{last}");
    let mut reader = guest.listen(&conversation, "", &[]).await;
    let mut whole = Vec::new();
    while whole.len() < last as usize {
        whole.push(reader.next().await.unwrap());
    }
    for cut in 0..=whole.len() {
        let mut folded = Conversation::default();
        fold(&mut folded, &whole[..cut]);
        // As the page has it when it is loaded: from JSON.
        let mut folded: Conversation = serde_json::from_value(as_json(&folded)).unwrap();
        let mut reader = guest.listen(&conversation, &format!("?after={cut}"), &[]).await;
        while folded.last_event_id < last {
            fold(&mut folded, &[reader.next().await.unwrap()]);
        }
        assert_eq!(as_json(&folded), view, "left after event {cut}");
    }
}

#[tokio::test]
async fn two_readers_get_the_same() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut early = guest.listen(&conversation, "", &[]).await;
    guest.say(&conversation, "A table, and the weather").await;
    let mut late = guest.listen(&conversation, "", &[]).await;
    assert_eq!(early.until(is_end).await, late.until(is_end).await);
    // Live, both of them.
    guest.send(&conversation, "Something else").await;
    assert_eq!(early.until(is_end).await, late.until(is_end).await);
}

#[tokio::test]
async fn a_stream_stays_open_from_message_to_message() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    for text in ["Xin chào", "Thời tiết Huế", "Còn Đà Lạt?"] {
        guest.send(&conversation, text).await;
        let seen = reader.until(is_end).await;
        let first = &seen.first().unwrap().1;
        assert!(matches!(first, AgentEvent::UserMessage { text: said, .. } if said == text), "{first:?}");
    }
}

#[tokio::test]
async fn proxies_are_told_to_pass_events_on_at_once() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let reader = guest.listen(&conversation, "", &[("accept-encoding", "gzip")]).await;
    assert_eq!(reader.headers["x-accel-buffering"], "no");
    assert_eq!(reader.headers.get("content-encoding"), None);
    let cache = reader.headers["cache-control"].to_str().unwrap();
    assert!(cache.contains("no-cache"), "{cache}");
}

#[tokio::test]
async fn text_arrives_while_the_model_is_still_writing() {
    let model = ScriptedModel::start([Turn::text("The beginning of").then_silent()]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Tell me").await;
    // The model never ends its turn: what is read here came before any end.
    let seen = reader.until(is_text).await;
    assert!(seen.iter().all(|(_, event)| !is_end(event)));
    let view = guest.view(&conversation).await;
    assert_eq!(view["run"]["status"], "running");
}

#[tokio::test]
async fn arguments_arrive_while_the_model_is_still_writing_them() {
    let call =
        Turn::call("getWeather", json!({ "city": "Đà Lạt, a city of pines", "days": 3 })).then_silent();
    let model = ScriptedModel::start([call]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, "Tell me").await;
    let view = guest
        .until(&conversation, |view| {
            tool_parts(view).next().is_some_and(|part| part["partialInput"].get("city").is_some())
        })
        .await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "input-streaming");
    assert_eq!(part.get("input"), None);
    assert!("Đà Lạt, a city of pines".starts_with(part["partialInput"]["city"].as_str().unwrap()), "{part}");
}

#[tokio::test]
async fn at_a_human_pace_the_first_words_come_well_before_the_last() {
    let server = Server::start(&[("TRUTHTABLE_DEMO_PACE", "1")]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    let sent = Instant::now();
    guest.send(&conversation, "Xin chào").await;
    reader.until(is_text).await;
    let first = sent.elapsed();
    let rest = reader.until(is_end).await;
    let last = sent.elapsed();
    assert!(rest.iter().filter(|(_, event)| is_text(event)).count() >= 3, "{rest:#?}");
    assert!(first * 2 < last, "first words after {first:?}, the end after {last:?}");
}

#[tokio::test]
async fn deltas_are_committed_in_groups_and_none_is_lost() {
    let pace = Duration::from_millis(4);
    let model = ScriptedModel::start([Turn::text(&words(200)).paced(pace)]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Tell me").await;
    let seen = reader.until(is_end).await;
    let text: String = seen
        .iter()
        .filter_map(|(_, event)| match event {
            AgentEvent::TextDelta { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(text, words(200));

    // When each was written, in milliseconds.
    let at = server
        .database()
        .await
        .numbers("SELECT at FROM events WHERE body LIKE '%text-delta%' ORDER BY seq")
        .await;
    assert!(at.len() > 4, "200 words in {} groups", at.len());
    // Timers may be late, never early; the last group goes with the end of the turn.
    let gaps: Vec<i64> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (_, before_last) = gaps.split_last().unwrap();
    assert!(before_last.iter().all(|gap| *gap >= 48), "{gaps:?}");
    let mut sorted = before_last.to_vec();
    sorted.sort_unstable();
    assert!(sorted[sorted.len() / 2] <= 120, "{gaps:?}");
}

#[tokio::test]
async fn words_that_come_at_once_are_one_event() {
    let model = ScriptedModel::start([Turn::text(&words(300))]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Tell me").await;
    let deltas =
        server.database().await.number("SELECT COUNT(*) FROM events WHERE body LIKE '%text-delta%'").await;
    assert!(deltas < 30, "300 words in {deltas} events");
}

#[tokio::test]
async fn a_reader_that_goes_away_stops_nothing() {
    let model = ScriptedModel::start([Turn::text(&words(60)).paced(Duration::from_millis(5))]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Tell me").await;
    reader.until(is_text).await;
    drop(reader);
    let view = guest.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done");
    assert_eq!(assistant_text(&view), words(60));
}

#[tokio::test]
async fn nobody_needs_to_listen() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = eventful(&server).await;
    assert_eq!(as_json(&guest.folded(&conversation).await), guest.view(&conversation).await);
    assert_eq!(server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn sigterm_ends_the_streams_and_the_process_exits_with_0() {
    let model = eventful_model().await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = eventful(&server).await;
    let last = guest.view(&conversation).await["lastEventId"].as_u64().unwrap();
    let mut readers = Vec::new();
    for _ in 0..3 {
        let mut reader = guest.listen(&conversation, "", &[]).await;
        while reader.next().await.unwrap().0 < last {}
        readers.push(reader);
    }
    let asked = Instant::now();
    let exit = tokio::task::spawn_blocking(move || server.terminate()).await.unwrap();
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert_eq!(exit.code(), Some(0), "{exit}");
    for mut reader in readers {
        assert_eq!(reader.next().await, None);
    }
}

#[tokio::test]
async fn sigterm_while_a_model_hangs_leaves_a_run_that_the_next_process_ends() {
    let model =
        ScriptedModel::start([Turn::text("Half a").then_silent(), Turn::text("A whole answer.")]).await;
    let mut server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, "Tell me").await;
    guest.until(&conversation, |view| view["run"]["textOpen"] == true).await;
    let mut server = tokio::task::spawn_blocking(move || {
        let asked = Instant::now();
        let exit = server.stop();
        assert!(asked.elapsed() < Duration::from_secs(25), "{:?}", asked.elapsed());
        assert_eq!(exit.code(), Some(0), "{exit}");
        server
    })
    .await
    .unwrap();
    server.restart();
    let view = guest.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done");
    assert_eq!(assistant_text(&view), "A whole answer.");
}

#[tokio::test]
async fn killed_in_the_middle_of_a_model_call_the_run_is_taken_up_and_ends() {
    let halves =
        Turn::call("getWeather", json!({ "city": "Huế", "days": 2 })).saying("I look now").then_silent();
    let model = ScriptedModel::start([
        halves,
        Turn::call("getWeather", json!({ "city": "Huế" })).saying("Let me see."),
        Turn::text("It rains."),
    ])
    .await;
    let mut server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let run = guest.send(&conversation, "Weather in Huế?").await;
    guest.until(&conversation, |view| tool_parts(view).next().is_some()).await;
    let seen = guest.view(&conversation).await;
    assert_eq!(assistant_text(&seen), "I look now");

    server.restart();
    let view = guest.settled(&conversation).await;
    assert_eq!((&view["run"]["runId"], &view["run"]["status"]), (&json!(run), &json!("done")));
    // What the first attempt had shown is withdrawn: one call, one answer.
    assert_eq!(assistant_text(&view), "Let me see.\nIt rains.");
    let states: Vec<_> = tool_parts(&view).map(|part| part["state"].clone()).collect();
    assert_eq!(states, ["output-available"]);
    assert_eq!(view["run"]["step"], 2);
    // A reader that had seen the first attempt is told to withdraw it.
    let last = seen["lastEventId"].as_u64().unwrap();
    let mut folded: Conversation = serde_json::from_value(seen).unwrap();
    let mut reader = guest.listen(&conversation, &format!("?after={last}"), &[]).await;
    let events = reader.until(is_end).await;
    assert!(events.iter().any(|(_, event)| is_reset(event)), "{events:#?}");
    fold(&mut folded, &events);
    assert_eq!(as_json(&folded), view);
    // The model heard the question once each time, and no half turn.
    let heard = &model.requests()[1];
    assert_eq!(heard["messages"].as_array().unwrap().len(), 1, "{heard:#}");
}

#[tokio::test]
async fn killed_while_a_form_waits_it_still_waits_and_can_be_confirmed() {
    let model = eventful_model().await;
    let mut server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let before = guest.say(&conversation, "A table, and the weather").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    server.restart();
    assert_eq!(guest.view(&conversation).await, before);
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done");
    assert_eq!(server.database().await.bookings().await.len(), 1);
}
