//! What folding costs a client that looks after every single delta, beside `String::push_str` of
//! the same deltas; and what an event about an old part costs in a long conversation.
//!
//! `cargo bench -p shared`

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;
use shared::event::AgentEvent;
use shared::message::MessagePart;
use shared::partial::PartialView;
use shared::reduce::Conversation;
use shared::tools::ToolPart;

const SIZES: [usize; 3] = [1_000, 4_000, 16_000];
const SAMPLES: usize = 15;
/// Short work is repeated until a sample takes this long.
const SAMPLE_TIME: Duration = Duration::from_millis(2);
const WANTED_EXPONENT: f64 = 1.15;

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

/// `count` pieces of a text, some four characters each.
fn pieces(text: impl Iterator<Item = char>, count: usize) -> Vec<String> {
    let text: Vec<char> = text.take(count * 4).collect();
    text.chunks(4).map(|piece| piece.iter().collect()).collect()
}

fn prose() -> impl Iterator<Item = char> {
    "Chào bạn, tối mai ở Đà Lạt trời mát và có thể mưa nhẹ. ".chars().cycle()
}

/// One text that goes on and on.
fn long_argument() -> impl Iterator<Item = char> {
    r#"{"restaurantId":"r-1","note":""#.chars().chain(prose())
}

/// Field after field.
fn many_arguments() -> impl Iterator<Item = char> {
    let fields = (0..).map(|n| format!(r#""field{n}":"giá trị \"{n}\"","number{n}":{n},"#));
    std::iter::once('{').chain(fields.flat_map(|field| field.chars().collect::<Vec<_>>()))
}

fn open_run() -> Conversation {
    let mut conversation = Conversation::default();
    let run = AgentEvent::RunStarted { run_id: "run-1".into(), message_id: "m-1".into() };
    conversation.apply(1, &run).expect("the first run");
    conversation
}

fn fold_text(events: &[AgentEvent]) {
    let mut conversation = open_run();
    for (id, event) in (2..).zip(events) {
        conversation.apply(id, event).expect("a delta");
    }
    black_box(&conversation);
}

fn fold_arguments(events: &[AgentEvent]) {
    let mut conversation = open_run();
    let (tool_call_id, tool_name) = ("call-1".into(), "createBooking".to_owned());
    conversation.apply(2, &AgentEvent::ToolInputStart { tool_call_id, tool_name }).expect("a new call");
    let mut view = PartialView::default();
    for (id, event) in (3..).zip(events) {
        conversation.apply(id, event).expect("a delta");
        view.update(input_text(&conversation));
        black_box(view.fields());
    }
    black_box(&conversation);
}

fn input_text(conversation: &Conversation) -> &str {
    use shared::tool_call::ToolState;
    match conversation.messages.last().and_then(|message| message.parts.last()) {
        Some(MessagePart::Tool(ToolPart::CreateBooking(call))) => match &call.state {
            ToolState::InputStreaming { input } => &input.input_text,
            other => panic!("no longer streaming: {other:?}"),
        },
        other => panic!("not the call: {other:?}"),
    }
}

fn series(
    name: &str,
    deltas: impl Fn(usize) -> Vec<String>,
    event: fn(String) -> AgentEvent,
    fold: fn(&[AgentEvent]),
) {
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    for size in SIZES {
        let deltas = deltas(size);
        let baseline = measure(|| {
            let mut text = String::new();
            for delta in black_box(&deltas) {
                text.push_str(delta);
            }
            black_box(text);
        });
        let events: Vec<AgentEvent> = deltas.into_iter().map(event).collect();
        let time = measure(|| fold(black_box(&events)));
        let ratio = time.as_secs_f64() / baseline.as_secs_f64();
        println!("{name:24} {size:6} deltas  {time:>12.1?}  push_str {baseline:>10.1?}  ratio {ratio:6.1}");
        times.push(time);
        ratios.push(ratio);
    }
    let growth = times[2].as_secs_f64() / times[0].as_secs_f64();
    let exponent = growth.ln() / (SIZES[2] as f64 / SIZES[0] as f64).ln();
    let verdict = if exponent <= WANTED_EXPONENT { "ok" } else { "TOO STEEP" };
    println!(
        "{name:24} growth exponent {exponent:.2} (wanted: at most {WANTED_EXPONENT}): {verdict}; \
         {:.1} x push_str at 16k\n",
        ratios[2],
    );
}

/// A conversation of `messages` answers with five calls each, and how long an event about one of
/// its parts takes.
fn long_conversation(messages: usize) {
    let mut conversation = Conversation::default();
    let mut fold = |event: AgentEvent| {
        let id = conversation.last_event_id + 1;
        conversation.apply(id, &event).expect("a long conversation");
    };
    let output = json!({"city": "Đà Lạt", "source": "sample", "days": []});
    for message in 0..messages {
        let run_id = || format!("run-{message}").as_str().into();
        fold(AgentEvent::RunStarted { run_id: run_id(), message_id: format!("m-{message}").as_str().into() });
        for part in 0..5 {
            let id = || format!("call-{message}-{part}").as_str().into();
            fold(AgentEvent::ToolInputStart { tool_call_id: id(), tool_name: "getWeather".to_owned() });
            fold(AgentEvent::ToolInputAvailable { tool_call_id: id(), input: json!({"city": "Đà Lạt"}) });
            fold(AgentEvent::ToolOutputAvailable { tool_call_id: id(), output: output.clone() });
        }
        let status = shared::run::RunStatus::Done;
        fold(AgentEvent::RunFinished { run_id: run_id(), status, usage: None });
    }

    let mut time_of = |name: &str, tool_call_id: String| {
        let mut revision = 0;
        let time = measure(|| {
            revision += 1;
            let tool_call_id = tool_call_id.as_str().into();
            let event = AgentEvent::ToolOutputUpdated { tool_call_id, output: output.clone(), revision };
            let id = conversation.last_event_id + 1;
            conversation.apply(id, &event).expect("a newer output");
        });
        println!("{messages:5} messages of 5 calls: an update of the {name} {time:>10.2?}");
    };
    time_of("newest", format!("call-{}-4", messages - 1));
    time_of("oldest", "call-0-0".to_owned());
}

fn main() {
    let text = |text| AgentEvent::TextDelta { text };
    let argument =
        |input_text_delta| AgentEvent::ToolInputDelta { tool_call_id: "call-1".into(), input_text_delta };
    series("text", |count| pieces(prose(), count), text, fold_text);
    series("arguments, one long", |count| pieces(long_argument(), count), argument, fold_arguments);
    series("arguments, many", |count| pieces(many_arguments(), count), argument, fold_arguments);
    for messages in [50, 200, 800] {
        long_conversation(messages);
    }
}
