//! What providers really send, one file a quirk: each is read as its own head says, however its bytes are split
//! and its lines end; and of one that is cut nothing runs.

#[path = "transcripts/limits.rs"]
mod limits;
#[path = "transcripts/random.rs"]
mod random;
#[path = "transcripts/reading.rs"]
mod reading;
#[path = "transcripts/transcript.rs"]
mod transcript;

use server::model::ModelTurn;
use server::model::anthropic::Messages;
use server::model::openai_chat::ChatCompletions;
use server::model::provider::Protocol;

use self::reading::{Reader, runs_something};
use self::transcript::{Transcript, all};

const LINE_ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

fn each_says_what_it_says_of_itself<P: Protocol>() {
    let reader = Reader::<P>::new();
    for transcript in all(P::NAME) {
        let heard = reader.read(vec![transcript.text.clone().into_bytes()]);
        heard.check(&transcript.name, &transcript.expected());
    }
}

fn each_is_the_same_however_it_is_split<P: Protocol>() {
    let reader = Reader::<P>::new();
    for Transcript { name, text, .. } in all(P::NAME) {
        let expected = reader.read(vec![text.clone().into_bytes()]);
        for line_end in LINE_ENDS {
            let bytes = text.replace('\n', line_end).into_bytes();
            for at in 1..bytes.len() {
                let (first, second) = bytes.split_at(at);
                let heard = reader.read(vec![first.to_vec(), second.to_vec()]);
                assert_eq!(heard, expected, "{name}, {line_end:?}, split at {at}");
            }
            let single = bytes.into_iter().map(|byte| vec![byte]).collect();
            assert_eq!(reader.read(single), expected, "{name}, {line_end:?}, in single bytes");
        }
    }
}

/// `proves`: an event that proves a turn complete.
fn nothing_runs_of_one_that_is_cut<P: Protocol>(proves: fn(&str) -> bool) {
    let reader = Reader::<P>::new();
    for transcript in all(P::NAME) {
        for line_end in LINE_ENDS {
            let name = format!("{}, {line_end:?}", transcript.name);
            let text = transcript.text.replace('\n', line_end);
            let whole = reader.read(vec![text.clone().into_bytes()]);
            let proof = transcript::end_of_first(&text, line_end, proves);
            for at in 0..text.len() {
                let heard = reader.read(vec![text.as_bytes()[..at].to_vec()]);
                match &heard.outcome {
                    // The last line ends may be missing: an event is whole when its line is.
                    Ok(turn) if proof.is_some_and(|proof| at + 2 * line_end.len() > proof) => {
                        if let Ok(whole) = &whole.outcome {
                            assert_eq!(without_usage(turn), without_usage(whole), "{name}, cut at {at}");
                        }
                    }
                    Ok(turn) => panic!("{name}, cut at {at}: {turn:?}"),
                    Err(_) => assert!(
                        proof.is_none_or(|proof| at <= proof) || whole.outcome.is_err(),
                        "{name}, cut at {at}: {heard:?}"
                    ),
                }
                if proof.is_none() {
                    assert!(!runs_something(&heard), "{name}, cut at {at}");
                }
            }
        }
    }
}

fn without_usage(turn: &ModelTurn) -> ModelTurn {
    ModelTurn { usage: Default::default(), ..turn.clone() }
}

mod openai_chat {
    use super::*;

    #[test]
    fn each_says_what_its_head_says() {
        each_says_what_it_says_of_itself::<ChatCompletions>();
    }

    #[test]
    fn each_is_the_same_however_its_bytes_are_split_and_its_lines_end() {
        each_is_the_same_however_it_is_split::<ChatCompletions>();
    }

    #[test]
    fn of_one_that_is_cut_nothing_runs() {
        nothing_runs_of_one_that_is_cut::<ChatCompletions>(|event| {
            let is_told = event.contains("\"finish_reason\":\"") && !event.contains("\"finish_reason\":\"\"");
            is_told || event.contains("[DONE]")
        });
    }
}

mod anthropic {
    use super::*;

    #[test]
    fn each_says_what_its_head_says() {
        each_says_what_it_says_of_itself::<Messages>();
    }

    #[test]
    fn each_is_the_same_however_its_bytes_are_split_and_its_lines_end() {
        each_is_the_same_however_it_is_split::<Messages>();
    }

    #[test]
    fn of_one_that_is_cut_nothing_runs() {
        nothing_runs_of_one_that_is_cut::<Messages>(|event| event.contains("\"message_stop\""));
    }
}

mod openai_responses {
    use server::model::openai_responses::Responses;

    use super::*;

    #[test]
    fn each_says_what_its_head_says() {
        each_says_what_it_says_of_itself::<Responses>();
    }

    #[test]
    fn each_is_the_same_however_its_bytes_are_split_and_its_lines_end() {
        each_is_the_same_however_it_is_split::<Responses>();
    }

    #[test]
    fn of_one_that_is_cut_nothing_runs() {
        nothing_runs_of_one_that_is_cut::<Responses>(|event| {
            event.contains("\"type\":\"response.completed\"")
                || event.contains("\"type\":\"response.incomplete\"")
        });
    }
}

#[path = "transcripts/random_responses.rs"]
mod random_responses;
