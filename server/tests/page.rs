//! The page as the server sends it, before any script has run: the record and nothing else.

mod support;

use std::collections::BTreeSet;

use reqwest::Method;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};
use support::{Answer, Guest, ScriptedModel, Server, Turn, local_time, markup, tool_parts};

const VI: &[(&str, &str)] = &[("accept-language", "vi-VN,vi;q=0.9,en;q=0.8")];
const EN: &[(&str, &str)] = &[("accept-language", "en-GB,en;q=0.9")];

async fn page(guest: &Guest, path: &str, headers: &[(&str, &str)]) -> Answer {
    let answer = guest.raw(Method::GET, path, None, headers).await;
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
    assert!(answer.text.starts_with("<!DOCTYPE html>"), "{path}: {}", answer.text);
    answer
}

fn lang(page: &str) -> &str {
    page.split("<html lang=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_else(|| panic!("{page}"))
}

/// The values of an attribute, in the order of the page.
fn values(markup: &str, attribute: &str) -> Vec<String> {
    let begin = format!(" {attribute}=\"");
    let pieces = markup.split(&begin).skip(1);
    pieces.map(|piece| piece.split('"').next().unwrap().to_owned()).collect()
}

/// How many elements carry the attribute, with or without a value.
fn count(markup: &str, attribute: &str) -> usize {
    let tags = markup.split('<').filter_map(|tag| tag.split('>').next());
    tags.filter(|tag| tag.split_whitespace().any(|word| word.split('=').next() == Some(attribute))).count()
}

fn booking(restaurant: &str) -> Value {
    json!({ "restaurantId": restaurant, "partySize": 4, "startsAt": local_time(3, 19, 0) })
}

async fn decide(guest: &Guest, conversation: &str, approved: bool) -> Value {
    let (call, approval) = guest.waiting_call(conversation, 0).await;
    guest
        .decide(conversation, &call, json!({ "approved": approved, "approvalId": approval }))
        .await
        .expect(200);
    guest.settled(conversation).await
}

#[tokio::test]
async fn home_is_an_empty_chat_that_says_what_the_model_is() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    for (headers, lang_wanted, demo) in [(VI, "vi", "mô hình mẫu"), (EN, "en", "demo model")] {
        let answer = page(&guest, "/", headers).await.expect(200);
        assert_eq!(lang(&answer.text), lang_wanted);
        let markup = markup(&answer.text);
        assert!(markup.to_lowercase().contains(demo), "{markup}");
        assert!(markup.contains("<textarea"), "{markup}");
        assert_eq!(count(&markup, "data-tool-call"), 0);
        assert_eq!(count(&markup, "data-outcome"), 0);
        // Looking does not begin a session.
        assert_eq!(answer.headers.get(SET_COOKIE), None);
    }
}

#[tokio::test]
async fn with_a_real_model_the_page_does_not_speak_of_a_demo() {
    let model = ScriptedModel::start([]).await;
    let server = Server::start(&model.settings());
    let answer = page(&Guest::new(&server), "/", EN).await.expect(200);
    assert!(!markup(&answer.text).to_lowercase().contains("demo model"), "{}", answer.text);
}

#[tokio::test]
async fn the_language_is_the_guests_choice_then_the_browsers_then_vietnamese() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    assert_eq!(lang(&page(&guest, "/", &[]).await.text), "vi");
    assert_eq!(lang(&page(&guest, "/", VI).await.text), "vi");
    assert_eq!(lang(&page(&guest, "/", EN).await.text), "en");
    assert_eq!(lang(&page(&guest, "/", &[("accept-language", "fr, de")]).await.text), "vi");

    // `?lang=` chooses, and is remembered.
    let chosen = page(&guest, "/?lang=en", VI).await;
    assert_eq!(lang(&chosen.text), "en");
    let cookie = chosen.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("truthtable_lang=en;") && cookie.contains("Path=/"), "{cookie}");
    assert!(cookie.to_lowercase().contains("samesite=lax"), "{cookie}");
    let remembered = [("accept-language", "vi"), ("cookie", "truthtable_lang=en")];
    assert_eq!(lang(&page(&guest, "/", &remembered).await.text), "en");
    assert_eq!(lang(&page(&guest, "/?lang=vi", &remembered).await.text), "vi");
    // What is no language of ours chooses nothing and is not remembered.
    for nonsense in ["/?lang=fr", "/?lang=", "/?lang=%00"] {
        let answer = page(&guest, nonsense, EN).await;
        assert_eq!(lang(&answer.text), "en", "{nonsense}");
        assert_eq!(answer.headers.get(SET_COOKIE), None, "{nonsense}");
    }
}

#[tokio::test]
async fn a_conversation_is_on_the_page_with_its_texts_and_cards() {
    let model = ScriptedModel::start([
        Turn::call("getWeather", json!({ "city": "Đà Lạt" }))
            .and_call("getWeather", json!({ "city": "Huế" }))
            .saying("Let me look at both."),
        Turn::text("Take an umbrella."),
    ])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Weather in Đà Lạt and Huế?").await;
    let calls: Vec<_> =
        tool_parts(&view).map(|part| part["toolCallId"].as_str().unwrap().to_owned()).collect();
    for headers in [VI, EN] {
        let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
        let markup = markup(&answer.text);
        for text in ["Weather in Đà Lạt and Huế?", "Let me look at both.", "Take an umbrella."] {
            assert!(markup.contains(text), "{text} in {markup}");
        }
        assert_eq!(values(&markup, "data-tool-call"), calls);
        assert_eq!(values(&markup, "data-state"), ["output-available", "output-available"]);
        // A read is no deed: no receipt, and nothing was booked.
        assert_eq!(count(&markup, "data-receipt"), 0);
        assert_eq!(values(&markup, "data-outcome"), ["nothing"]);
    }
}

#[tokio::test]
async fn sample_weather_is_marked_as_such() {
    let model =
        ScriptedModel::start([Turn::call("getWeather", json!({ "city": "Đà Lạt" })), Turn::text("So.")])
            .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Weather?").await;
    for (headers, word) in [(VI, "mẫu"), (EN, "sample")] {
        let answer = page(&guest, &format!("/c/{conversation}"), headers).await;
        assert!(markup(&answer.text).to_lowercase().contains(word), "{word} in {}", answer.text);
    }
}

#[tokio::test]
async fn a_waiting_form_is_on_the_page_filled_in() {
    let model = ScriptedModel::start([Turn::call("createBooking", booking("dl-may-nui"))]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    for headers in [VI, EN] {
        let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
        let markup = markup(&answer.text);
        assert_eq!(values(&markup, "data-state"), ["approval-requested"]);
        assert_eq!(count(&markup, "data-receipt"), 0);
        assert_eq!(values(&markup, "data-outcome"), ["waiting"]);
        for text in ["Mây Núi", "27 Dốc Dã Quỳ", "<form"] {
            assert!(markup.contains(text), "{text} in {markup}");
        }
        // Each field has a label of its own.
        let fields: Vec<_> = markup
            .split('<')
            .filter(|tag| ["input ", "textarea ", "select "].iter().any(|name| tag.starts_with(name)))
            .filter(|tag| !tag.contains("type=\"hidden\""))
            .collect();
        assert!(fields.len() >= 4, "{fields:?}");
        for field in fields {
            let id = field.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next());
            let labelled = id.is_some_and(|id| markup.contains(&format!("for=\"{id}\"")));
            assert!(labelled || field.contains("aria-label"), "<{field}");
        }
    }
}

#[tokio::test]
async fn a_receipt_is_on_the_page_once_it_is_in_the_record() {
    let model =
        ScriptedModel::start([Turn::call("createBooking", booking("dl-may-nui")), Turn::text("Done.")]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let view = decide(&guest, &conversation, true).await;
    let reference = tool_parts(&view).next().unwrap()["output"]["reference"].as_str().unwrap().to_owned();
    for headers in [VI, EN] {
        let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
        let markup = markup(&answer.text);
        assert_eq!(values(&markup, "data-state"), ["output-available"]);
        assert_eq!(count(&markup, "data-receipt"), 1);
        assert_eq!(values(&markup, "data-outcome"), ["done"]);
        // On the receipt, and in the turn's last line.
        assert!(markup.matches(&reference).count() >= 2, "{reference} in {markup}");
        assert!(markup.contains("19:00"), "{markup}");
    }
}

#[tokio::test]
async fn where_the_record_has_no_booking_there_is_no_receipt_whatever_the_model_says() {
    const CLAIM: &str = "Your table is booked, reference TB-123456! data-receipt";
    // Declined.
    let model =
        ScriptedModel::start([Turn::call("createBooking", booking("dl-may-nui")), Turn::text(CLAIM)]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    decide(&guest, &conversation, false).await;
    assert_nothing_booked(&guest, &conversation, CLAIM, &["output-denied"]).await;

    // Failed.
    model.then([Turn::call("createBooking", booking("dl-may-nui")), Turn::text(CLAIM)]);
    let conversation = guest.clone().converse(json!({})).await;
    guest.say(&conversation, "Book it").await;
    server.database().await.execute("DELETE FROM opening_hours").await;
    decide(&guest, &conversation, true).await;
    assert_nothing_booked(&guest, &conversation, CLAIM, &["output-error"]).await;

    // Never called.
    model.then([Turn::text(CLAIM)]);
    let conversation = guest.clone().converse(json!({})).await;
    guest.say(&conversation, "Book it").await;
    assert_nothing_booked(&guest, &conversation, CLAIM, &[]).await;

    // Cut off.
    model.then([Turn::call("createBooking", booking("dl-may-nui")).saying(CLAIM).cut()]);
    let conversation = guest.clone().converse(json!({})).await;
    guest.say(&conversation, "Book it").await;
    assert_nothing_booked(&guest, &conversation, CLAIM, &["output-cancelled"]).await;
}

async fn assert_nothing_booked(guest: &Guest, conversation: &str, claim: &str, states: &[&str]) {
    for (headers, line) in [(VI, "Không có gì"), (EN, "Nothing was booked")] {
        let answer = page(guest, &format!("/c/{conversation}"), headers).await.expect(200);
        let markup = markup(&answer.text);
        assert!(markup.contains(claim), "{markup}");
        assert_eq!(values(&markup, "data-state"), states);
        assert_eq!(count(&markup, "data-receipt"), 0, "{markup}");
        assert!(!markup.contains("class=\"receipt\""), "{markup}");
        assert_eq!(values(&markup, "data-outcome"), ["nothing"]);
        let outcome = markup.split("data-outcome").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(outcome.to_lowercase().contains(&line.to_lowercase()), "{line} in {outcome}");
    }
}

#[tokio::test]
async fn every_ended_run_is_told_in_both_languages_with_its_id() {
    let mut all = BTreeSet::new();
    for (turns, status) in [
        (vec![Turn::text("I was ab").cut()], "interrupted"),
        (vec![Turn::text("I will not").stopping_with("refusal")], "refused"),
        (vec![Turn::text("And so on and").stopping_with("max_tokens")], "truncated"),
        (
            vec![Turn::call("a", json!({})).and_call("b", json!({})).and_call("c", json!({}))],
            "too-many-tool-errors",
        ),
        (vec![Turn::text("Far too").stopping_with("model_context_window_exceeded")], "context-full"),
        (vec![Turn::text("And now").stopping_with("having_a_rest")], "failed"),
        (vec![Turn::text("One moment").stopping_with("pause_turn"); 6], "step-limit"),
    ] {
        let model = ScriptedModel::start(turns).await;
        let server = Server::start(&model.settings());
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, "Hello").await;
        assert_eq!(view["run"]["status"], status);
        let mut told = Vec::new();
        for headers in [VI, EN] {
            let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
            let markup = markup(&answer.text);
            assert_eq!(values(&markup, "data-run-status"), [status]);
            assert!(markup.contains(view["run"]["runId"].as_str().unwrap()), "{status}: {markup}");
            told.push(
                markup.split("data-run-status").nth(1).unwrap().split("</p>").next().unwrap().to_owned(),
            );
        }
        for words in told {
            assert!(all.insert(words.clone()), "{status} has no words of its own: {words}");
        }
    }
}

#[tokio::test]
async fn own_conversations_are_listed_on_every_page() {
    let server = Server::start(&[]);
    let (mut guest, first) = Guest::with_conversation(&server, "").await;
    guest.say(&first, "Thời tiết Huế").await;
    let second = guest.converse(json!({})).await;
    guest.say(&second, "Thời tiết Đà Lạt").await;
    for path in ["/", &format!("/c/{first}"), "/c/none"] {
        let answer = page(&guest, path, VI).await;
        let markup = markup(&answer.text);
        let at =
            |id: &str| markup.find(&format!("href=\"/c/{id}")).unwrap_or_else(|| panic!("{path}: {markup}"));
        assert!(at(&second) < at(&first), "newest first");
        assert!(markup.contains("Thời tiết Huế") && markup.contains("Thời tiết Đà Lạt"));
    }
}

#[tokio::test]
async fn what_is_not_there_and_what_is_somebody_elses_is_the_same_page_with_404() {
    let server = Server::start(&[]);
    let (owner, conversation) = Guest::with_conversation(&server, "").await;
    owner.say(&conversation, "Thời tiết Huế").await;
    let (other, _) = Guest::with_conversation(&server, "").await;
    let nobody = Guest::new(&server);
    let foreign = format!("/c/{conversation}");
    for guest in [&other, &nobody] {
        for path in [foreign.as_str(), "/c/none", "/nowhere", "/c/none/deeper", "/c/"] {
            for (headers, lang_wanted) in [(VI, "vi"), (EN, "en")] {
                let answer = page(guest, path, headers).await.expect(404);
                assert_eq!(lang(&answer.text), lang_wanted, "{path}");
                assert!(!answer.text.contains("Huế"), "{path}: {}", answer.text);
                let markup = markup(&answer.text);
                assert!(
                    markup.contains("href=\"/\"") || markup.contains("href=\"/?"),
                    "a way back: {markup}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_page_is_complete_html_that_does_not_change_from_one_look_to_the_next() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai").await;
    let path = format!("/c/{conversation}");
    let one = page(&guest, &path, VI).await.expect(200);
    let other = page(&guest, &path, VI).await.expect(200);
    assert_eq!(one.text.matches("</html>").count(), 1, "{}", one.text);
    // All but the nonce, which the framework also writes into other attributes.
    let lasting = |page: &str| {
        let nonce = page.split("nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        markup(&page.replace(nonce, ""))
    };
    assert_eq!(lasting(&one.text), lasting(&other.text));
    assert_eq!(one.text.matches("<title>").count(), 1);
}

#[tokio::test]
async fn a_query_that_makes_no_sense_still_shows_the_page() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    for query in ["?lang=vi&lang=en", "?lang=xx", "?persona=%F0%9F", "?persona=nobody", "?after=%00"] {
        let answer = guest.get(&format!("/{query}")).await.expect(200);
        assert!(answer.text.starts_with("<!DOCTYPE html>"), "{query}");
    }
    guest.get("/c/%ff").await.expect_problem(400, "refused");
    guest.get("/pkg/none.js").await.expect_problem(404, "not-found");
}

/// The element that begins with this attribute's tag, up to the end of the page.
fn from<'a>(markup: &'a str, attribute: &str) -> &'a str {
    let at = markup.find(attribute).unwrap_or_else(|| panic!("{attribute} is not in {markup}"));
    &markup[at..]
}

const CONTACT: (&str, &str) = ("TRUTHTABLE_CONTACT", "1900 1234 · hello@example.com · 24/7");

#[tokio::test]
async fn a_run_without_an_answer_offers_the_houses_contact_with_what_can_be_pressed() {
    let model = ScriptedModel::start([Turn::text("I was ab").cut()]).await;
    let server = Server::start(&[&model.settings()[..], &[CONTACT]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Hello").await;
    for (headers, need, send) in [
        (VI, "Cần người giúp?", "Gửi cuộc trò chuyện này cho nhân viên"),
        (EN, "Need a person?", "Send this conversation to a person"),
    ] {
        let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
        let markup = markup(&answer.text);
        let ended = from(&markup, "data-run-status");
        for text in [
            need,
            send,
            "href=\"tel:19001234\"",
            ">1900 1234</a>",
            "href=\"mailto:hello@example.com\"",
            ">hello@example.com</a>",
            " · 24/7",
        ] {
            assert!(ended.contains(text), "{text} in {ended}");
        }
        assert_eq!(count(&markup, "data-handover"), 0);
    }
}

#[tokio::test]
async fn without_a_contact_a_person_is_offered_all_the_same() {
    let model = ScriptedModel::start([Turn::text("I was ab").cut()]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Hello").await;
    let answer = page(&guest, &format!("/c/{conversation}"), EN).await;
    let markup = markup(&answer.text);
    let ended = from(&markup, "data-run-status");
    assert!(ended.contains("Send this conversation to a person"), "{ended}");
    assert!(!ended.contains("Contact us") && !ended.contains("tel:"), "{ended}");
}

#[tokio::test]
async fn a_run_about_a_restaurant_offers_that_restaurants_contact() {
    let evening = local_time(3, 19, 0);
    let tables = json!({ "city": "Đà Lạt", "partySize": 4, "startsAt": evening });
    let model = ScriptedModel::start([
        Turn::call("findTables", tables),
        // Refused: the restaurant is closed in the night.
        Turn::call(
            "createBooking",
            json!({ "restaurantId": "dl-may-nui", "partySize": 4, "startsAt": local_time(3, 4, 0) }),
        ),
        Turn::text("I was ab").cut(),
    ])
    .await;
    let server = Server::start(&[&model.settings()[..], &[CONTACT]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Book it").await;
    assert_eq!(view["run"]["status"], "interrupted", "{view:#}");
    let answer = page(&guest, &format!("/c/{conversation}"), EN).await;
    let markup = markup(&answer.text);
    let ended = from(&markup, "data-run-status");
    assert!(ended.contains("Mây Núi") && ended.contains("href=\"tel:02635550112\""), "{ended}");
    assert!(!ended.contains("1900 1234"), "{ended}");
}

#[tokio::test]
async fn a_run_that_was_answered_or_stopped_by_the_guest_offers_no_person() {
    let model = ScriptedModel::start([Turn::text("Hello"), Turn::text("Wait").then_silent()]).await;
    let server = Server::start(&[&model.settings()[..], &[CONTACT]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let path = format!("/c/{conversation}");
    guest.say(&conversation, "Hello").await;
    let answer = page(&guest, &path, EN).await;
    assert_eq!(count(&markup(&answer.text), "data-person"), 0);
    guest.send(&conversation, "Hello again").await;
    guest.post(&format!("/api/conversations/{conversation}/stop"), json!({})).await.expect(200);
    guest.settled(&conversation).await;
    let answer = page(&guest, &path, EN).await;
    assert_eq!(values(&markup(&answer.text), "data-run-status"), ["cancelled"]);
    assert_eq!(count(&markup(&answer.text), "data-person"), 0);
}

#[tokio::test]
async fn what_was_sent_to_a_person_is_on_the_page_with_its_reference() {
    for demo in [true, false] {
        let model = ScriptedModel::start([Turn::text("I was ab").cut()]).await;
        let settings = if demo { Vec::new() } else { model.settings() };
        let server = Server::start(&settings);
        let (guest, conversation) = Guest::with_conversation(&server, if demo { "cut" } else { "" }).await;
        guest.say(&conversation, "Đặt bàn Mây Núi ở Đà Lạt cho 2 người lúc 19:00 ngày mai").await;
        let path = format!("/api/conversations/{conversation}/handovers");
        let sent = guest.post(&path, json!({ "replyTo": "0909 123 456" })).await.expect(200).body;
        let reference = sent["reference"].as_str().unwrap();
        // Behind the demo model there may be nobody who looks.
        let words = if demo {
            ["đã vào danh sách cho nhân viên", "It is on the list for the house&#x27;s staff."]
        } else {
            ["Nhân viên sẽ xem", "A person will look at it."]
        };
        for (headers, words) in [VI, EN].into_iter().zip(words) {
            let answer = page(&guest, &format!("/c/{conversation}"), headers).await.expect(200);
            let markup = markup(&answer.text);
            assert_eq!(values(&markup, "data-handover"), [reference]);
            let sent = from(&markup, "data-handover");
            assert!(
                sent.contains(words) || sent.contains(&words.replace("&#x27;", "'")),
                "{words} in {sent}"
            );
            assert!(!markup.contains("name=\"replyTo\""), "nothing is left to send: {markup}");
            // How the guest can be reached is for the staff.
            assert!(!answer.text.contains("0909 123 456"), "{}", answer.text);
        }
    }
}

#[tokio::test]
async fn while_effects_are_frozen_the_page_says_so_and_the_form_cannot_be_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("FREEZE").to_str().unwrap().to_owned();
    let model = ScriptedModel::start([Turn::call("createBooking", booking("dl-may-nui"))]).await;
    let server = Server::start(&[&model.settings()[..], &[("TRUTHTABLE_FREEZE", &path)]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let show = format!("/c/{conversation}");
    assert_eq!(count(&markup(&page(&guest, &show, EN).await.text), "data-paused"), 0);

    std::fs::write(&path, "Kiểm kê <b>đến</b> 18:00\u{202e}\n").unwrap();
    for (headers, words, sentence) in
        [(VI, "Đang tạm ngưng:", "nên chưa thể xác nhận"), (EN, "Paused:", "you cannot confirm now")]
    {
        for path in ["/", &show] {
            let markup = markup(&page(&guest, path, headers).await.text);
            assert_eq!(count(&markup, "data-paused"), 1, "{markup}");
            let banner = from(&markup, "data-paused").split("</p>").next().unwrap();
            assert!(banner.contains(words), "{banner}");
            assert!(banner.contains("Kiểm kê &lt;b&gt;đến&lt;/b&gt; 18:00"), "{banner}");
        }
        let markup = markup(&page(&guest, &show, headers).await.text);
        let form = from(&markup, "data-state=\"approval-requested\"");
        assert!(form.contains(sentence), "{sentence} in {form}");
    }

    std::fs::remove_file(&path).unwrap();
    let markup = markup(&page(&guest, &show, EN).await.text);
    assert_eq!(count(&markup, "data-paused"), 0);
    assert!(!markup.contains("you cannot confirm now"), "{markup}");
}
