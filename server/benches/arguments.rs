//! What it costs to judge a createBooking proposal, beside `serde_json` reading the same text.
//!
//! `cargo bench -p server --bench arguments`

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::Value;
use server::tools::arguments::Arguments;
use shared::tools::{CreateBooking, CreateBookingInput};

const SAMPLES: usize = 15;
/// Short work is repeated until a sample takes this long.
const SAMPLE_TIME: Duration = Duration::from_millis(5);

const GOOD: &str = r#"{"restaurantId":"da-lat-suong","partySize":4,"startsAt":"2026-12-05T19:00:00+07:00","note":"Gần cửa sổ"}"#;
const BAD: &str = r#"{"restaurantId":"","partySize":"bốn","note":"Gần cửa sổ","table":"7"}"#;

/// The median time of one run of `work`.
fn measure(mut work: impl FnMut()) -> Duration {
    let started = Instant::now();
    work();
    let once = started.elapsed().max(Duration::from_nanos(50));
    let repeats = (SAMPLE_TIME.as_nanos() / once.as_nanos()).max(1) as u32;
    let mut samples: Vec<Duration> = (0..SAMPLES)
        .map(|_| {
            let started = Instant::now();
            for _ in 0..repeats {
                work();
            }
            started.elapsed() / repeats
        })
        .collect();
    samples.sort_unstable();
    samples[SAMPLES / 2]
}

fn main() {
    let arguments = Arguments::get();
    let value = measure(|| drop(black_box(serde_json::from_str::<Value>(black_box(GOOD)))));
    let typed = measure(|| drop(black_box(serde_json::from_str::<CreateBookingInput>(black_box(GOOD)))));
    println!("good: serde_json to Value {value:.2?}, to the type {typed:.2?}");

    for (name, text, fits) in [("good", GOOD, true), ("bad", BAD, false)] {
        assert_eq!(arguments.parse::<CreateBooking>(text).is_ok(), fits);
        let baseline = measure(|| drop(black_box(serde_json::from_str::<Value>(black_box(text)))));
        let judged = measure(|| drop(black_box(arguments.parse::<CreateBooking>(black_box(text)))));
        let ratio = judged.as_secs_f64() / baseline.as_secs_f64();
        println!("{name}: judged in {judged:.2?}, {ratio:.1} x serde_json to Value ({baseline:.2?})");
    }

    let refused = arguments.parse::<CreateBooking>(BAD).expect_err("bad arguments");
    let told = measure(|| drop(black_box(refused.for_model("createBooking"))));
    println!("bad: the model's text in {told:.2?}");
}
