//! One dialogue a persona.

use super::*;

const WISH: &str = "Đặt bàn ở Đà Lạt cho 4 người lúc 7 giờ tối thứ bảy";

fn invalid() -> Answer {
    error("`/partySize`: expected an integer from 1 to 20, got the string \"bốn\"; `/startsAt` is required")
}

fn first_booking() -> Value {
    json!({ "restaurantId": "r-dau", "partySize": 4, "startsAt": "2026-12-05T19:00:00+07:00" })
}

#[tokio::test]
async fn helpful_asks_and_tells() {
    let mut talk = Talk::with("helpful");
    let input = talk.say(WISH).await.only("findTables");
    assert_eq!(input, json!({ "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4 }));
    talk.results(&[tables("2026-12-05")]).await.ends().says("quán nào");
    let input = talk.say("quán thứ hai lúc 19:30 nhé").await.only("createBooking");
    assert_eq!(
        input,
        json!({ "restaurantId": "r-mai", "partySize": 4, "startsAt": "2026-12-05T19:30:00+07:00" })
    );
    talk.results(&[booking("confirmed")]).await.ends().says("đã được đặt");
    talk.say("cảm ơn").await.ends().says("Không có gì");
}

#[tokio::test]
async fn liar_claims_success_whatever_happened() {
    for result in [
        error("The user declined; ask what to change."),
        error("The restaurant is closed at that time."),
        error("Superseded by a new message. Nothing was booked."),
        booking("waitlisted"),
        error("Something odd."),
    ] {
        let mut talk = Talk::with("liar");
        talk.say(WISH).await.only("findTables");
        let input = talk.results(&[tables("2026-12-05")]).await.only("createBooking");
        assert_eq!(input, first_booking());
        let turn = talk.results(&[result]).await;
        assert_eq!(turn.ends().text, "Đặt xong rồi, hẹn gặp bạn lúc 7 giờ tối!");
    }
    let mut talk = Talk::with("liar");
    talk.say("Book a table in Dalat for 4 at 7 pm on Saturday").await.only("findTables");
    talk.results(&[tables("2026-12-05")]).await.only("createBooking");
    let turn = talk.results(&[error("The user declined.")]).await;
    assert_eq!(turn.ends().text, "Booked, see you at seven!");
}

#[tokio::test]
async fn silent_liar_calls_nothing() {
    let mut talk = Talk::with("silent-liar");
    talk.say(WISH).await.ends().says("Đặt xong rồi, hẹn gặp bạn lúc 7 giờ tối! Mã đặt bàn của bạn là TB-");
    talk.say("book a table").await.ends().says("Your booking reference is TB-");
    talk.say("Thời tiết Huế?").await.only("getWeather");
}

#[tokio::test]
async fn sloppy_needs_three_attempts() {
    let mut talk = Talk::with("sloppy");
    talk.say(WISH).await.only("findTables");
    let turn = talk.results(&[tables("2026-12-05")]).await;
    assert_eq!(turn.stop_reason.as_deref(), Some("tool_use"));
    assert!(turn.complete && turn.calls.len() == 1);
    let broken = &turn.calls[0].arguments;
    assert!(broken.starts_with('{') && serde_json::from_str::<Value>(broken).is_err(), "{broken}");
    let wrong = talk
        .results(&[error("The arguments are not valid JSON; send them again.")])
        .await
        .only("createBooking");
    assert_eq!(wrong, json!({ "restaurantId": "r-dau", "partySize": "bốn" }));
    let right = talk.results(&[invalid()]).await.only("createBooking");
    assert_eq!(right, first_booking());
    talk.results(&[booking("confirmed")]).await.ends().says("đã được đặt");
}

#[tokio::test]
async fn sloppy_gives_up_where_better_json_does_not_help() {
    let mut talk = Talk::with("sloppy");
    talk.say(WISH).await;
    talk.results(&[tables("2026-12-05")]).await;
    talk.results(&[error("not JSON")]).await;
    talk.results(&[invalid()]).await.only("createBooking");
    talk.results(&[invalid()]).await.ends();

    let mut talk = Talk::with("sloppy");
    talk.say(WISH).await;
    talk.results(&[tables("2026-12-05")]).await;
    talk.results(&[error("The tool is temporarily unavailable.")]).await.ends().says("gián đoạn");
}

#[tokio::test]
async fn cut_ends_in_the_middle_of_the_arguments_every_time() {
    let mut talk = Talk::with("cut");
    talk.say(WISH).await.only("findTables");
    let turn = talk.results(&[tables("2026-12-05")]).await;
    assert!(!turn.complete && turn.stop_reason.is_none());
    assert_eq!(turn.events.last().map(String::as_str), Some("content_block_delta"));
    assert!(turn.calls[0].arguments.starts_with("{\"restaurantId\""), "{turn:?}");
    assert!(turn.calls[0].input().is_null());
    // The same request again, and another text: it breaks off again.
    assert!(!read_stream(&post(&talk.body()).await.1).complete);
    assert!(!talk.say("đặt lại quán đầu tiên đi").await.complete);
    let whole = {
        let mut body = talk.body();
        body["stream"] = Value::from(false);
        post(&body).await.1
    };
    assert!(serde_json::from_str::<Value>(&whole).is_err());
}

#[tokio::test]
async fn in_everything_else_they_are_alike() {
    for persona in super::super::Persona::ALL {
        let mut talk = Talk::with(persona.as_str());
        talk.say("xin chào").await.ends().says("Xin chào");
        talk.say("Will it rain in Đà Lạt tomorrow?").await.only("getWeather");
        talk.results(&[weather("Đà Lạt", &[20, 60])]).await.ends().says("sample data");
        talk.say("E = mc²").await.ends().says("did not understand");
    }
}

#[tokio::test]
async fn those_who_take_the_first_pass_over_what_was_turned_down() {
    let mut talk = Talk::with("liar");
    talk.say(WISH).await;
    talk.results(&[tables("2026-12-05")]).await.only("createBooking");
    talk.results(&[error("The user declined.")]).await.ends();
    talk.say("quán khác đi").await.only("findTables");
    let input = talk.results(&[tables("2026-12-05")]).await.only("createBooking");
    assert_eq!(input["restaurantId"], "r-mai");
}
