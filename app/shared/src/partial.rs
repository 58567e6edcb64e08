//! Unfinished arguments: for showing only.

use jiter::{Jiter, JiterError, Peek};
use serde_json::{Map, Value};

/// Below this many bytes every look parses anew; the cost of that is bounded by a constant.
const ALWAYS_PARSED: usize = 256;

/// Lists and objects in each other that are shown; as many as `serde_json` reads.
const DEEPEST: usize = 127;

/// The finished fields of an unfinished JSON object, and the start of an unfinished text.
///
/// An unfinished key, number or literal shows nothing. What is no object shows nothing. Where the
/// text stops being JSON, what came before still shows.
pub fn parse(input_text: &str) -> Map<String, Value> {
    let json = Jiter::new(input_text.as_bytes()).with_allow_partial_strings();
    let mut reader = Reader { json, end: input_text.len() };
    let mut fields = Map::new();
    if let Ok(Peek::Object) = reader.json.peek() {
        // However far it came, the fields until there are what there is to show.
        let _ = reader.fields_into(&mut fields, DEEPEST);
    }
    fields
}

/// There is nothing more to read: the text ends here, or is no JSON from here on.
struct Stopped;

impl From<JiterError> for Stopped {
    fn from(_: JiterError) -> Self {
        Self
    }
}

struct Reader<'t> {
    json: Jiter<'t>,
    end: usize,
}

impl Reader<'_> {
    /// Reads an object's fields, as far as they go.
    fn fields_into(&mut self, fields: &mut Map<String, Value>, depth: usize) -> Result<(), Stopped> {
        let mut key = self.json.known_object()?.map(str::to_owned);
        while let Some(name) = key {
            let next = self.json.peek()?;
            self.value_into(next, depth, |value| drop(fields.insert(name, value)))?;
            key = self.json.next_key()?.map(str::to_owned);
        }
        Ok(())
    }

    fn items_into(&mut self, items: &mut Vec<Value>, depth: usize) -> Result<(), Stopped> {
        let mut next = self.json.known_array()?;
        while let Some(peek) = next {
            self.value_into(peek, depth, |value| items.push(value))?;
            next = self.json.array_step()?;
        }
        Ok(())
    }

    /// Gives away what can be shown of one value, also where reading stops in the middle of it.
    fn value_into(&mut self, next: Peek, depth: usize, show: impl FnOnce(Value)) -> Result<(), Stopped> {
        match next {
            Peek::Null => {
                self.json.known_null()?;
                show(Value::Null);
            }
            Peek::True | Peek::False => show(Value::Bool(self.json.known_bool(next)?)),
            Peek::String => show(Value::String(self.json.known_str()?.to_owned())),
            Peek::Array | Peek::Object if depth == 0 => return Err(Stopped),
            Peek::Array => {
                let mut items = Vec::new();
                let read = self.items_into(&mut items, depth - 1);
                show(Value::Array(items));
                read?;
            }
            Peek::Object => {
                let mut fields = Map::new();
                let read = self.fields_into(&mut fields, depth - 1);
                show(Value::Object(fields));
                read?;
            }
            _ => {
                let digits = self.json.known_number_bytes(next)?;
                let number = serde_json::from_slice(digits).map_err(|_| Stopped)?;
                // At the very end of the text its next digit may still come.
                if self.json.current_index() == self.end {
                    return Err(Stopped);
                }
                show(Value::Number(number));
            }
        }
        Ok(())
    }
}

/// A look at growing arguments whose whole cost stays linear: it parses again only after the text
/// has grown by an eighth.
#[derive(Clone, Debug, Default)]
pub struct PartialView {
    parsed_len: usize,
    fields: Map<String, Value>,
}

impl PartialView {
    /// Looks at the text so far; true where the fields may have changed.
    pub fn update(&mut self, input_text: &str) -> bool {
        let grown_enough = input_text.len() <= ALWAYS_PARSED
            || input_text.len() < self.parsed_len
            || input_text.len() >= self.parsed_len + self.parsed_len / 8;
        if input_text.len() == self.parsed_len || !grown_enough {
            return false;
        }
        self.fields = parse(input_text);
        self.parsed_len = input_text.len();
        true
    }

    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }
}
