//! From the bytes of a file to restaurants, or to everything that is wrong with them.

mod meaning;
mod shape;

use std::collections::BTreeMap;

use serde::Serialize;

use super::located::Located;
use crate::orders::Order;
use crate::restaurants::Restaurant;
use crate::restaurants::file::RestaurantsFile;
use crate::tools::arguments::wording::shortened;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// JSON pointer of the value; empty: the file as a whole.
    pub path: String,
    /// From 1 on.
    pub line: usize,
    /// In characters, from 1 on.
    pub column: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    pub restaurants: Vec<Restaurant>,
    pub orders: Vec<Order>,
}

/// What the file holds, in its order.
///
/// # Errors
/// Everything that is wrong, at least one thing, in the order of the file.
pub fn read(bytes: &[u8]) -> Result<Contents, Vec<Problem>> {
    let text = utf8(bytes).map_err(|problem| vec![problem])?;
    let located = Located::parse(text)
        .map_err(|not_json| vec![Problem::at(text, not_json.at, String::new(), not_json.why)])?;

    let mut found = Found::default();
    shape::check(&located.value, &mut found);
    meaning::check(&located, text, &mut found);
    if found.0.is_empty() && located.doubled.is_empty() {
        match serde_path_to_error::deserialize::<_, RestaurantsFile>(&located.value) {
            Ok(file) => {
                return Ok(Contents {
                    restaurants: file.restaurants.into_iter().map(Restaurant::from).collect(),
                    orders: file.orders.into_iter().map(Order::from).collect(),
                });
            }
            // What fits the schema need not fit the type: 1.0 is an integer to JSON Schema.
            Err(error) => {
                let (pointer, message) = shape::ill_typed(&located.value, &error);
                found.add(pointer, message);
            }
        }
    }
    Err(found.located(&located, text))
}

/// The file as text; a byte-order mark before it is no part of it.
fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    let whole =
        |message: &str| Problem { path: String::new(), line: 1, column: 1, message: message.to_owned() };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(whole("the file is in UTF-16; save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let message = "this is not UTF-8; save the file as UTF-8".to_owned();
        Problem::at(good, good.len(), String::new(), message)
    })?;
    if text.trim().is_empty() {
        return Err(whole("the file is empty; {\"restaurants\": [...]} is expected"));
    }
    Ok(text)
}

impl Problem {
    fn at(text: &str, byte: usize, path: String, message: String) -> Self {
        let (line, column) = line_and_column(text, byte);
        Self { path, line, column, message }
    }
}

/// Both from 1 on; the column in characters.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// What is wrong, by JSON pointer.
#[derive(Default)]
struct Found(BTreeMap<String, Vec<String>>);

impl Found {
    fn add(&mut self, pointer: String, message: impl Into<String>) {
        let (message, messages) = (message.into(), self.0.entry(pointer).or_default());
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// Whether something is wrong with this value or inside of it.
    fn is_wrong(&self, pointer: &str) -> bool {
        let inside = format!("{pointer}/");
        self.0.contains_key(pointer)
            || self.0.range(inside.clone()..).next().is_some_and(|(found, _)| found.starts_with(&inside))
    }

    fn located(self, located: &Located, text: &str) -> Vec<Problem> {
        let once = located.doubled.iter().map(|(pointer, place)| {
            (*place, pointer.clone(), "stands twice in this object; keep one of them".to_owned())
        });
        let each = self.0.into_iter().flat_map(|(pointer, messages)| {
            let place = located.place(&pointer);
            messages.into_iter().map(move |message| (place, pointer.clone(), message))
        });
        let mut problems: Vec<(usize, Problem)> = once
            .chain(each)
            .map(|(place, pointer, message)| (place, Problem::at(text, place, shown(&pointer), message)))
            .collect();
        problems.sort_by_key(|(place, _)| *place);
        problems.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// The pointer as it can be printed: names of fields come from a stranger.
fn shown(pointer: &str) -> String {
    pointer.split('/').map(|name| shortened(name).replace(['\n', '\t'], " ")).collect::<Vec<_>>().join("/")
}
