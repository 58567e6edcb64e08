//! Fifty guests who press at the same moment.

use futures::future::join_all;
use serde_json::{Value, json};

use super::party::{Seat, cancel, output};
use crate::support::{Guest, Stage, booking, evening, tool_parts};

/// It has eight seats.
const SMALL: &str = "dl-nha-kinh-nho";
const SEATS: i64 = 8;
const HOLD: i64 = 2 * 60 * 60 * 1000;

#[derive(Debug)]
struct Row {
    starts_at: i64,
    party_size: i64,
    status: String,
}

/// The most seats that are taken at one moment of a booking's two hours.
fn most_taken(rows: &[&Row], from: i64) -> i64 {
    let at = |moment: i64| -> i64 {
        let there = rows.iter().filter(|row| row.starts_at <= moment && moment < row.starts_at + HOLD);
        there.map(|row| row.party_size).sum()
    };
    (from..from + HOLD).step_by(15 * 60 * 1000).map(at).max().unwrap_or(0)
}

async fn press_until_done(seat: Seat<'_>) {
    for _ in 0..10 {
        let view = seat.guest.settled(seat.conversation).await;
        let waiting = tool_parts(&view).find(|part| part["state"] == "approval-requested");
        let Some(part) = waiting else { return };
        let body = json!({ "approved": true, "approvalId": part["approval"]["approvalId"] });
        let call = part["toolCallId"].as_str().unwrap();
        seat.guest.decide(seat.conversation, call, body).await.expect(200);
    }
    panic!("asked for ever");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_presses_at_once_never_oversell_and_leave_nobody_waiting_who_fits() {
    let stage = Stage::with([]).await;
    let evening = evening(3);
    let at = |quarter: usize| {
        let moment = chrono::DateTime::parse_from_rfc3339(&evening).unwrap();
        (moment + chrono::Duration::minutes(15 * quarter as i64 - 60)).to_rfc3339()
    };
    let mut guests = Vec::new();
    for _ in 0..50 {
        guests.push(Guest::with_conversation(&stage.server, "").await);
    }
    let seats: Vec<Seat<'_>> = guests
        .iter()
        .map(|(guest, conversation)| Seat { model: &stage.model, guest, conversation })
        .collect();
    // Twenty hold or wait for seats already; each of them is about to cancel or to change. Thirty more are
    // about to book.
    for (index, seat) in seats.iter().enumerate() {
        let (party, starts_at) = (1 + (index * 7 % 4) as u32, at(index * 5 % 9));
        if index >= 20 {
            seat.propose("createBooking", booking(SMALL, party, &starts_at)).await;
            continue;
        }
        let made = seat.act("createBooking", booking(SMALL, party, &starts_at)).await;
        let asked = if index % 2 == 0 {
            seat.propose("cancelBooking", cancel(output(&made))).await
        } else {
            let change = json!({ "bookingId": output(&made)["bookingId"], "partySize": party % 4 + 1 });
            seat.propose("changeBooking", change).await
        };
        let may_be = ["approval-requested", "output-error"];
        assert!(may_be.contains(&asked["state"].as_str().unwrap()), "{asked:#}");
    }
    // Everybody presses; whoever is asked again, since the place has gone meanwhile, agrees again.
    join_all(seats.iter().map(|seat| press_until_done(*seat))).await;

    let database = stage.server.database().await;
    let texts = database
        .texts("SELECT starts_at || ' ' || party_size || ' ' || status FROM bookings WHERE restaurant_id = 'dl-nha-kinh-nho'")
        .await;
    let rows: Vec<Row> = texts
        .iter()
        .map(|text| {
            let mut words = text.split(' ');
            let mut next = || words.next().unwrap();
            Row {
                starts_at: next().parse().unwrap(),
                party_size: next().parse().unwrap(),
                status: next().to_owned(),
            }
        })
        .collect();
    assert_eq!(rows.len(), 50);
    let of = |status: &'static str| rows.iter().filter(move |row| row.status == status).collect::<Vec<_>>();
    let (confirmed, waitlisted, cancelled) = (of("confirmed"), of("waitlisted"), of("cancelled"));
    assert_eq!((cancelled.len(), confirmed.len() + waitlisted.len()), (10, 40));
    assert!(!confirmed.is_empty() && !waitlisted.is_empty());
    for row in &confirmed {
        assert!(most_taken(&confirmed, row.starts_at) <= SEATS, "oversold at {}", row.starts_at);
    }
    for row in &waitlisted {
        let taken = most_taken(&confirmed, row.starts_at);
        assert!(taken + row.party_size > SEATS, "{row:?} waits, and only {taken} seats are taken");
    }

    // Every receipt tells what the book says.
    let mut shown: Vec<String> = Vec::new();
    for seat in &seats {
        let view = seat.guest.view(seat.conversation).await;
        assert_eq!(view["run"]["status"], "done", "{view:#}");
        let made = tool_parts(&view).find(|part| part["type"] == "tool-createBooking").unwrap();
        let output: &Value = output(made);
        let starts_at = chrono::DateTime::parse_from_rfc3339(output["startsAt"].as_str().unwrap())
            .unwrap()
            .timestamp_millis();
        shown.push(format!("{starts_at} {} {}", output["partySize"], output["status"].as_str().unwrap()));
    }
    shown.sort();
    let mut booked = texts;
    booked.sort();
    assert_eq!(shown, booked);
}
