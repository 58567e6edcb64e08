//! JSON that still knows where each of its values stands.

use std::collections::HashMap;

use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};
use serde_json::{Map, Number, Value};

use super::characters::tidied;

/// More brackets inside of each other than any file of ours has.
const DEEPEST: usize = 32;

/// A JSON value, its texts tidied, and the byte at which each value of it begins.
pub struct Located {
    pub value: Value,
    /// By JSON pointer.
    places: HashMap<String, usize>,
    /// The fields that come twice, by JSON pointer, and where the later one stands. The first counts.
    pub doubled: Vec<(String, usize)>,
}

/// Why a text is no JSON: a sentence for the operator, and the byte that it is about.
#[derive(Debug)]
pub struct NotJson {
    pub why: String,
    pub at: usize,
}

impl Located {
    /// Reads one value and nothing after it.
    pub fn parse(text: &str) -> Result<Self, NotJson> {
        let mut reader = Reader {
            text,
            jiter: Jiter::new(text.as_bytes()),
            pointer: String::new(),
            places: HashMap::new(),
            doubled: Vec::new(),
        };
        let value = reader.whole().map_err(|problem| problem.told(text))?;
        Ok(Self { value, places: reader.places, doubled: reader.doubled })
    }

    /// Where the value at this JSON pointer begins; for one that is not there, the object or list that
    /// it is missing in.
    pub fn place(&self, pointer: &str) -> usize {
        let mut pointer = pointer;
        loop {
            match (self.places.get(pointer), pointer.rsplit_once('/')) {
                (Some(at), _) => return *at,
                (None, Some((outer, _))) => pointer = outer,
                (None, None) => return 0,
            }
        }
    }
}

/// One step further down, as a JSON pointer.
pub fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

struct Reader<'t> {
    text: &'t str,
    jiter: Jiter<'t>,
    /// Of the value that is being read.
    pointer: String,
    places: HashMap<String, usize>,
    doubled: Vec<(String, usize)>,
}

enum Problem {
    Jiter(JiterError),
    TooDeep(usize),
    Number(usize),
}

impl From<JiterError> for Problem {
    fn from(error: JiterError) -> Self {
        Self::Jiter(error)
    }
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Value, Problem> {
        let first = self.jiter.peek()?;
        let value = self.value(first, 0)?;
        self.jiter.finish()?;
        Ok(value)
    }

    fn value(&mut self, peek: Peek, depth: usize) -> Result<Value, Problem> {
        let at = self.jiter.current_index();
        if depth > DEEPEST {
            return Err(Problem::TooDeep(at));
        }
        // The first of two fields with one name has the place.
        self.places.entry(self.pointer.clone()).or_insert(at);
        match peek {
            Peek::Null => {
                self.jiter.known_null()?;
                Ok(Value::Null)
            }
            Peek::True | Peek::False => Ok(Value::Bool(self.jiter.known_bool(peek)?)),
            Peek::String => Ok(Value::String(tidied(self.jiter.known_str()?))),
            Peek::Array => self.list(depth),
            Peek::Object => self.object(depth),
            _ => {
                let digits = self.jiter.known_number_bytes(peek)?;
                let number: Result<Number, _> = serde_json::from_slice(digits);
                number.map(|number| Value::Number(whole(number))).map_err(|_| Problem::Number(at))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Problem> {
        let mut items = Vec::new();
        let mut next = self.jiter.known_array()?;
        while let Some(peek) = next {
            items.push(self.inside(&items.len().to_string(), |reader| reader.value(peek, depth + 1))?);
            next = self.jiter.array_step()?;
        }
        Ok(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Problem> {
        let mut fields = Map::new();
        let mut before = self.jiter.current_index();
        let mut next = self.jiter.known_object()?.map(str::to_owned);
        while let Some(name) = next {
            // Between two fields there is nothing but blanks and a comma.
            let key_at = self.text[before..].find('"').map_or(before, |blanks| before + blanks);
            let value = self.inside(&name, |reader| {
                if fields.contains_key(&name) {
                    reader.doubled.push((reader.pointer.clone(), key_at));
                }
                let peek = reader.jiter.peek()?;
                reader.value(peek, depth + 1)
            })?;
            fields.entry(name).or_insert(value);
            before = self.jiter.current_index();
            next = self.jiter.next_key()?.map(str::to_owned);
        }
        Ok(Value::Object(fields))
    }

    fn inside<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer = below(&self.pointer, name);
        let result = read(self);
        self.pointer.truncate(length);
        result
    }
}

/// 4.0 is an integer in JSON Schema, but not to Rust's types.
fn whole(number: Number) -> Number {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() < EXACT => {
            Number::from(value as i64)
        }
        Some(_) | None => number,
    }
}

impl Problem {
    fn told(self, text: &str) -> NotJson {
        match self {
            Self::TooDeep(at) => {
                NotJson { why: format!("more than {DEEPEST} brackets inside of each other"), at }
            }
            Self::Number(at) => NotJson { why: "this number is out of range".to_owned(), at },
            Self::Jiter(error) => {
                // What is missing at the end is missing after the last thing that is there.
                let at = error.index.min(text.trim_end().len());
                NotJson { why: format!("not valid JSON: {}", sentence(&error.error_type)), at }
            }
        }
    }
}

/// The usual mistakes in an operator's words.
fn sentence(problem: &JiterErrorType) -> String {
    let JiterErrorType::JsonError(problem) = problem else { return problem.to_string() };
    let sentence = match problem {
        JsonErrorType::EofWhileParsingList => "the file ends inside of a list; a ] is missing",
        JsonErrorType::EofWhileParsingObject => "the file ends inside of an object; a } is missing",
        JsonErrorType::EofWhileParsingString => "the file ends inside of a text; a \" is missing",
        JsonErrorType::EofWhileParsingValue => "the file ends where a value is expected",
        JsonErrorType::ExpectedColon => "expected a : after the name of the field",
        JsonErrorType::ExpectedListCommaOrEnd => "expected a comma, or ] at the end of the list",
        JsonErrorType::ExpectedObjectCommaOrEnd => "expected a comma, or } at the end of the object",
        JsonErrorType::ExpectedSomeIdent | JsonErrorType::ExpectedSomeValue => {
            "expected a value: text in \"…\", a number, true, false, null, [ or {"
        }
        JsonErrorType::KeyMustBeAString => "expected the name of a field, in \"…\"",
        JsonErrorType::TrailingComma => "a comma stands before the closing bracket; remove it",
        JsonErrorType::TrailingCharacters => "something comes after the end; one object is expected",
        JsonErrorType::ControlCharacterWhileParsingString => {
            "a text contains a line break, a tab or another control character, or its closing \" is missing"
        }
        JsonErrorType::InvalidEscape => "a text contains a \\ that begins no escape; write \\\\ for it",
        JsonErrorType::InvalidNumber => "this is no number as JSON writes them",
        other => return other.to_string(),
    };
    sentence.to_owned()
}
