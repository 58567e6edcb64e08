//! `truthtable handovers`: the list of conversations that guests have sent to a person.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Server, Turn, tool_parts};

fn handovers(database_url: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_truthtable"))
        .env_clear()
        .env("DATABASE_URL", database_url)
        .current_dir(folder.path())
        .arg("handovers")
        .args(arguments)
        .output()
        .unwrap()
}

#[track_caller]
fn printed(server: &Server, arguments: &[&str]) -> String {
    let output = handovers(&server.database_url(), arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// It stops with this code, nothing on stdout and one line on stderr, which is returned.
#[track_caller]
fn refused(code: i32, database_url: &str, arguments: &[&str]) -> String {
    let output = handovers(database_url, arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    stderr
}

/// Sends the conversation to a person; the reference.
async fn hand_over(guest: &Guest, conversation: &str, body: Value) -> String {
    let answer = guest.post(&format!("/api/conversations/{conversation}/handovers"), body).await.expect(200);
    answer.body["reference"].as_str().unwrap().to_owned()
}

/// Nothing that a terminal would obey, and nothing that turns text around.
#[track_caller]
fn assert_only_text(printed: &str) {
    for c in printed.chars() {
        let misleads =
            matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(c == '\n' || !(c.is_control() || misleads || c == '\u{2028}'), "{c:?} in {printed:?}");
    }
}

#[tokio::test]
async fn the_list_says_who_waits_for_what_and_how_they_are_reached() {
    let model = ScriptedModel::start([Turn::text("I was ab").cut(), Turn::text("Hello")]).await;
    let server = Server::start(&model.settings());
    assert_eq!(printed(&server, &[]), "Nothing waits.\n");
    let (guest, first) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&first, "Đặt giúp tôi một bàn").await;
    let body = json!({ "replyTo": "0909 123 456", "note": "Gấp\nxin cảm ơn" });
    let one = hand_over(&guest, &first, body).await;
    let second = guest.clone().converse(json!({})).await;
    guest.say(&second, "Hello there").await;
    let two = hand_over(&guest, &second, json!({})).await;

    let list = printed(&server, &[]);
    for part in [
        one.as_str(),
        "waits",
        "run interrupted",
        "Đặt giúp tôi một bàn",
        "0909 123 456",
        "Gấp\n",
        first.as_str(),
        view["run"]["runId"].as_str().unwrap(),
        two.as_str(),
        "run done",
        "not said",
        "+07:00",
        "2 waiting, 2 shown",
    ] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    assert!(list.find(&one) < list.find(&two), "the oldest first: {list}");
    assert_only_text(&list);
    assert_eq!(printed(&server, &["--open"]), list);

    let json: Value = serde_json::from_str(&printed(&server, &["--json"])).unwrap();
    let first_of = &json["handovers"][0];
    assert_eq!(first_of["reference"], one.as_str());
    assert_eq!(first_of["runStatus"], "interrupted");
    assert_eq!(first_of["title"], "Đặt giúp tôi một bàn");
    assert_eq!(first_of["replyTo"], "0909 123 456");
    assert_eq!(first_of["note"], "Gấp\nxin cảm ơn");
    assert_eq!(first_of["conversationId"], first.as_str());
    assert_eq!(first_of["runId"], view["run"]["runId"]);
    assert!(first_of["sentAt"].as_str().unwrap().ends_with('Z'), "{first_of}");
    assert_eq!(json["handovers"][1].get("replyTo"), None);
    assert_eq!(json["handovers"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_marked_as_handled_leaves_the_list() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Xin chào").await;
    let reference = hand_over(&guest, &conversation, json!({})).await;
    // As it may be typed.
    let typed = format!(" {} ", reference.to_lowercase());
    assert_eq!(printed(&server, &["--done", &typed]), format!("{reference} is marked as handled.\n"));
    assert_eq!(printed(&server, &["--done", &reference]), format!("{reference} was handled before.\n"));
    assert_eq!(printed(&server, &[]), "Nothing waits.\n");
    assert_eq!(printed(&server, &["--json"]), "{\n  \"handovers\": []\n}\n");
    let all = printed(&server, &["--all"]);
    assert!(
        all.contains(&reference) && all.contains("handled 2") && all.contains("0 waiting, 1 shown"),
        "{all}"
    );
    let all: Value = serde_json::from_str(&printed(&server, &["--all", "--json"])).unwrap();
    assert!(all["handovers"][0]["doneAt"].is_string(), "{all}");
    // The guest's reference stays good.
    assert_eq!(hand_over(&guest, &conversation, json!({})).await, reference);
}

#[tokio::test]
async fn what_the_model_withdrew_is_shown_as_withdrawn() {
    let model = ScriptedModel::start([Turn::text("Take this").stopping_with("refusal")]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Hello").await;
    let reference = hand_over(&guest, &conversation, json!({})).await;
    let shown = printed(&server, &["--show", &reference]);
    assert!(shown.contains("  WITHDRAWN: the model declined this turn\n  | Take this\n"), "{shown}");
}

#[tokio::test]
async fn one_is_shown_with_its_whole_conversation() {
    let booking = json!({
        "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": crate::support::local_time(3, 19, 0)
    });
    let model = ScriptedModel::start([
        Turn::call("createBooking", booking.clone()).saying("Let me book it."),
        Turn::text("As you like."),
        Turn::call("createBooking", booking),
        Turn::text("See you there!"),
    ])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for approved in [false, true] {
        guest.say(&conversation, "Book Mây Núi\nfor two").await;
        let (call, approval) = guest.waiting_call(&conversation, 0).await;
        let body = json!({ "approved": approved, "approvalId": approval });
        guest.decide(&conversation, &call, body).await.expect(200);
        guest.settled(&conversation).await;
    }
    let view = guest.view(&conversation).await;
    let booked = tool_parts(&view).last().unwrap();
    let reference = hand_over(&guest, &conversation, json!({ "note": "Is it true?" })).await;

    let shown = printed(&server, &["--show", &reference]);
    for part in [
        "GUEST\n  | Book Mây Núi\n  | for two\n",
        "  | Let me book it.\n",
        "TOOL createBooking [output-denied]",
        "OUTCOME: One request was not carried out. Nothing was booked, changed or paid.",
        "TOOL createBooking [output-available]",
        booked["toolCallId"].as_str().unwrap(),
        "OUTCOME: Booked: Mây Núi,",
        booked["output"]["reference"].as_str().unwrap(),
        "  | See you there!\n",
        "Is it true?",
    ] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    assert_only_text(&shown);

    let json: Value = serde_json::from_str(&printed(&server, &["--json", "--show", &reference])).unwrap();
    assert_eq!(json["handover"]["reference"], reference.as_str());
    assert_eq!(json["messages"], view["messages"]);
}

#[tokio::test]
async fn nothing_that_guest_or_model_wrote_speaks_to_the_terminal_or_passes_for_a_line_of_ours() {
    const SAID: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}txt\u{2028}x\u{7f}";
    let arguments = json!({ "city": format!("Huế{SAID}") }).to_string();
    let model = ScriptedModel::start([
        Turn::text("")
            .and_call_text("getWeather", &arguments)
            .and_call_text(SAID, "{}")
            .stopping_with("tool_use"),
        Turn::text(&format!("{SAID}\nGUEST\n  | I agree to everything")),
    ])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let words = "Hello\u{202e}\u{2028}\nASSISTANT\n  OUTCOME: Booked: everything.";
    guest.say(&conversation, words).await;
    let body = json!({ "replyTo": "a@example.com", "note": "one\u{202e}\n  run           forged\n\nABC123" });
    let reference = hand_over(&guest, &conversation, body).await;

    for arguments in
        [&[][..], &["--all"], &["--json"], &["--show", &reference], &["--json", "--show", &reference]]
    {
        let printed = printed(&server, arguments);
        assert!(!printed.is_empty());
        assert_only_text(&printed);
    }
    let shown = printed(&server, &["--show", &reference]);
    let lines: Vec<&str> = shown.lines().collect();
    for forged in ["ASSISTANT", "GUEST"] {
        assert_eq!(lines.iter().filter(|line| **line == forged).count(), 1, "{forged}: {shown}");
    }
    assert_eq!(lines.iter().filter(|line| line.starts_with("  OUTCOME:")).count(), 1, "{shown}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("  run ")).count(), 1, "{shown}");
    assert!(lines.contains(&"  |   OUTCOME: Booked: everything."), "{shown}");
    assert!(!lines.contains(&"ABC123"), "{shown}");
}

#[test]
fn a_missing_database_is_a_clear_sentence_and_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/truthtable.db");
    let line = refused(1, &format!("sqlite://{}", file.display()), &[]);
    assert!(line.contains("DATABASE_URL") && line.contains("there is no database"), "{line}");
    assert!(line.contains(file.to_str().unwrap()), "{line}");
    assert!(!file.exists() && !folder.path().join("data").exists());
    for arguments in [&["--show", "ABC123"][..], &["--done", "ABC123"], &["--json"]] {
        refused(1, &format!("sqlite:{}?mode=rwc", file.display()), arguments);
    }
    assert!(!folder.path().join("data").exists());
}

#[tokio::test]
async fn a_reference_that_is_none_and_options_that_contradict_each_other_are_refused() {
    let server = Server::start(&[]);
    for arguments in [&["--show", "NONE22"][..], &["--done", "NONE22"]] {
        let line = refused(1, &server.database_url(), arguments);
        assert!(line.contains("NONE22"), "{line}");
    }
    let line = refused(1, &server.database_url(), &["--show", "\u{1b}[2J"]);
    assert_only_text(&line);
    for arguments in [
        &["--open", "--all"][..],
        &["--show", "A", "--done", "A"],
        &["--all", "--show", "A"],
        &["--done", "A", "--json"],
        &["--show"],
        &["--nonsense"],
        &["ABC123"],
    ] {
        refused(2, &server.database_url(), arguments);
    }
}

#[tokio::test]
async fn a_reader_who_has_seen_enough_is_no_error() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for _ in 0..10 {
        guest.say(&conversation, &"Xin chào ".repeat(400)).await;
    }
    let reference = hand_over(&guest, &conversation, json!({})).await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
        .env_clear()
        .env("DATABASE_URL", server.database_url())
        .args(["handovers", "--show", &reference])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
