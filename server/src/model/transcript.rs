//! What was said to a model's provider, and what it answered: recorded byte by byte, in one file, to be replayed.
//!
//! The file is JSON lines. The first one is `{"transcript": 1}`; each exchange is then a line with `request` (the
//! path, the headers, the body as text), one with `status` and `headers` where an answer came, one for each piece
//! of its body as it came from the connection (`text`, or `hex` where a piece is no UTF-8 of its own), and one
//! with `end`: `complete`, or `open` where the answer broke off or nobody read on. Keys are taken out, also where the
//! provider repeats one, and `[key]` stands in their place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};

use super::provider::{Tap, TappedAnswer};

/// The format's version.
const VERSION: u32 = 1;

/// What stands in the place of a key.
const NO_KEY: &str = "[key]";

/// Headers of an answer that say something about it, and nothing about whose it is.
const KEPT_HEADERS: [&str; 6] =
    ["content-type", "request-id", "x-request-id", "retry-after", "retry-after-ms", "x-should-retry"];

/// One attempt of one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// Of the address, such as `/v1/messages`.
    pub path: String,
    pub request_headers: BTreeMap<String, String>,
    pub request: String,
    /// None: no answer came.
    pub answer: Option<Answer>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    /// The body in the pieces in which it came.
    pub pieces: Vec<Vec<u8>>,
    /// Whether the body came to its end.
    pub is_complete: bool,
}

impl Answer {
    pub fn body(&self) -> Vec<u8> {
        self.pieces.concat()
    }
}

/// Why a file is no transcript.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    #[error("line {line}: {why}")]
    Line { line: usize, why: String },
    #[error("it is no transcript of version {VERSION}")]
    Version,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Head { transcript: u32 },
    Request { request: Request },
    Answer { status: u16, headers: BTreeMap<String, String> },
    Text { text: String },
    Hex { hex: String },
    End { end: End },
}

#[derive(Serialize, Deserialize)]
struct Request {
    path: String,
    headers: BTreeMap<String, String>,
    body: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum End {
    Complete,
    Open,
}

/// The exchanges as the text of a file.
///
/// # Errors
/// None that this data can bring about; serde's own.
pub fn write(exchanges: &[Exchange]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    let mut line = |line: Line| -> Result<(), serde_json::Error> {
        text.push_str(&serde_json::to_string(&line)?);
        text.push('\n');
        Ok(())
    };
    line(Line::Head { transcript: VERSION })?;
    for exchange in exchanges {
        let Exchange { path, request_headers, request, answer } = exchange.clone();
        line(Line::Request { request: Request { path, headers: request_headers, body: request } })?;
        let Some(Answer { status, headers, pieces, is_complete }) = answer else { continue };
        line(Line::Answer { status, headers })?;
        for piece in pieces {
            line(match String::from_utf8(piece) {
                Ok(text) => Line::Text { text },
                Err(no_text) => Line::Hex { hex: hex(no_text.as_bytes()) },
            })?;
        }
        line(Line::End { end: if is_complete { End::Complete } else { End::Open } })?;
    }
    Ok(text)
}

/// The exchanges of a file's text.
///
/// # Errors
/// A text that is no transcript of this version, with the number of the line.
pub fn read(text: &str) -> Result<Vec<Exchange>, TranscriptError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok());
    let Some(Line::Head { transcript: VERSION }) = head else { return Err(TranscriptError::Version) };
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (index, text) in lines {
        let wrong = |why: String| TranscriptError::Line { line: index + 1, why };
        let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let misplaced = || wrong("it does not belong here".to_owned());
        let answer = exchanges.last_mut().map(|exchange| &mut exchange.answer);
        match (line, answer) {
            (Line::Request { request }, _) => exchanges.push(Exchange {
                path: request.path,
                request_headers: request.headers,
                request: request.body,
                answer: None,
            }),
            (Line::Answer { status, headers }, Some(answer @ None)) => {
                *answer = Some(Answer { status, headers, ..Answer::default() });
            }
            (Line::Text { text }, Some(Some(answer))) => answer.pieces.push(text.into_bytes()),
            (Line::Hex { hex }, Some(Some(answer))) => {
                answer.pieces.push(unhex(&hex).ok_or_else(|| wrong("no hexadecimal digits".to_owned()))?);
            }
            (Line::End { end }, Some(Some(answer))) => match end {
                End::Complete => answer.is_complete = true,
                End::Open => {}
            },
            (Line::Head { .. } | Line::Answer { .. }, _)
            | (Line::Text { .. } | Line::Hex { .. } | Line::End { .. }, None | Some(None)) => {
                return Err(misplaced());
            }
        }
    }
    Ok(exchanges)
}

/// Keeps every exchange, without the key.
pub struct Recorder {
    /// What must not be in a transcript: the key, as it is and as JSON writes it.
    secrets: Vec<String>,
    exchanges: Arc<Mutex<Vec<Exchange>>>,
}

impl Recorder {
    /// `key`: empty where there is none.
    pub fn new(key: &str) -> Self {
        let in_json = serde_json::Value::from(key).to_string();
        let in_json = in_json.trim_matches('"').to_owned();
        let mut secrets: Vec<String> =
            [key.to_owned(), in_json].into_iter().filter(|one| !one.is_empty()).collect();
        secrets.dedup();
        Self { secrets, exchanges: Arc::default() }
    }

    /// What has been said so far; an answer that is still being read is there as it was when it began.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn without_key(&self, text: &[u8]) -> String {
        let pieces = take_out(&self.secrets, vec![text.to_vec()]);
        String::from_utf8_lossy(&pieces.concat()).into_owned()
    }
}

impl Tap for Recorder {
    fn sent(&self, address: &Url, headers: &HeaderMap, body: &[u8]) -> Box<dyn TappedAnswer> {
        let headers = headers.iter().filter(|(_, value)| !value.is_sensitive());
        let headers = headers.map(|(name, value)| (name.to_string(), self.without_key(value.as_bytes())));
        let exchange = Exchange {
            path: self.without_key(address.path().as_bytes()),
            request_headers: headers.collect(),
            request: self.without_key(body),
            answer: None,
        };
        let place = {
            let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
            exchanges.push(exchange);
            exchanges.len() - 1
        };
        Box::new(Recording {
            secrets: self.secrets.clone(),
            exchanges: self.exchanges.clone(),
            place,
            answer: None,
        })
    }
}

struct Recording {
    secrets: Vec<String>,
    exchanges: Arc<Mutex<Vec<Exchange>>>,
    /// Which of the exchanges it is.
    place: usize,
    answer: Option<Answer>,
}

impl TappedAnswer for Recording {
    fn head(&mut self, status: u16, headers: &HeaderMap) {
        let kept = KEPT_HEADERS.iter().filter_map(|name| {
            let value = headers.get(*name)?;
            let value = take_out(&self.secrets, vec![value.as_bytes().to_vec()]).concat();
            Some(((*name).to_owned(), String::from_utf8_lossy(&value).into_owned()))
        });
        self.answer = Some(Answer { status, headers: kept.collect(), ..Answer::default() });
    }

    fn chunk(&mut self, bytes: &[u8]) {
        if let Some(answer) = &mut self.answer {
            answer.pieces.push(bytes.to_vec());
        }
    }

    fn end(&mut self) {
        if let Some(answer) = &mut self.answer {
            answer.is_complete = true;
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // Only here: a key may lie across two pieces.
        let answer = self
            .answer
            .take()
            .map(|answer| Answer { pieces: take_out(&self.secrets, answer.pieces), ..answer });
        let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exchange) = exchanges.get_mut(self.place) {
            exchange.answer = answer;
        }
    }
}

/// The pieces, with `[key]` in the place of each secret, also of one that lies across several pieces. What is not
/// a secret stays as it was, and in its piece.
fn take_out(secrets: &[String], pieces: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let whole = pieces.concat();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for secret in secrets {
        let secret = secret.as_bytes();
        let mut at = 0;
        while let Some(next) = whole[at..].windows(secret.len()).position(|window| window == secret) {
            found.push((at + next, at + next + secret.len()));
            at += next + secret.len();
        }
    }
    if found.is_empty() {
        return pieces;
    }
    let is_secret = |place| found.iter().any(|(start, end)| (*start..*end).contains(&place));
    let mut place = 0;
    let pieces = pieces.into_iter().map(|piece| {
        let mut kept = Vec::with_capacity(piece.len());
        for byte in piece {
            if found.iter().any(|(start, _)| *start == place) {
                kept.extend_from_slice(NO_KEY.as_bytes());
            }
            if !is_secret(place) {
                kept.push(byte);
            }
            place += 1;
        }
        kept
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(whole: &[u8], places: &[usize]) -> Vec<Vec<u8>> {
        let mut places: Vec<usize> = places.iter().map(|place| place % (whole.len() + 1)).collect();
        places.extend([0, whole.len()]);
        places.sort_unstable();
        let pieces = places.windows(2).map(|ends| whole[ends[0]..ends[1]].to_vec());
        pieces.filter(|piece| !piece.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back(
            bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4),
            places in prop::collection::vec(any::<usize>(), 0..4),
            is_complete: bool,
        ) {
            let exchanges: Vec<Exchange> = bodies.iter().map(|body| Exchange {
                path: "/v1/messages".to_owned(),
                request_headers: BTreeMap::from([("content-type".to_owned(), "application/json".to_owned())]),
                request: "{\"a\":\n\"é\"}".to_owned(),
                answer: Some(Answer {
                    status: 200,
                    headers: BTreeMap::new(),
                    pieces: cut(body, &places),
                    is_complete,
                }),
            }).collect();
            let written = write(&exchanges).expect("plain data");
            prop_assert_eq!(read(&written).expect("a transcript"), exchanges);
        }

        #[test]
        fn a_key_is_taken_out_wherever_the_pieces_are_cut(places in prop::collection::vec(any::<usize>(), 0..6)) {
            let secrets = ["sk-123".to_owned()];
            let whole = b"before sk-123 between sk-123sk-123 after sk-12";
            let kept = take_out(&secrets, cut(whole, &places)).concat();
            prop_assert_eq!(kept, b"before [key] between [key][key] after sk-12");
        }
    }

    #[test]
    fn a_file_that_is_none_is_told_by_its_line() {
        assert!(matches!(read(""), Err(TranscriptError::Version)));
        assert!(matches!(read("{\"transcript\": 2}"), Err(TranscriptError::Version)));
        let told = read("{\"transcript\":1}\n\n{\"text\":\"too soon\"}").expect_err("nobody was asked");
        assert!(matches!(told, TranscriptError::Line { line: 3, .. }), "{told}");
        assert!(read("{\"transcript\":1}\n{\"hex\":").is_err());
    }
}
