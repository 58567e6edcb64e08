//! Arguments are text from a stranger: strict JSON, then the schema, then the type. What is refused
//! gets short reasons, by field, for the model and for the form alike.

pub(crate) mod refusal;
mod strict_json;
pub(crate) mod wording;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value};
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use shared::tools::{Tool, ToolName};
use shared::with_tool;

use super::schema::input_schema;
use crate::text::turns_text;

/// More reasons than these help nobody.
const MOST_REASONS: usize = 8;

/// The validators of all tools.
pub struct Arguments {
    contracts: BTreeMap<&'static str, Contract>,
}

/// What one tool takes.
struct Contract {
    schema: Value,
    validator: Validator,
}

/// Why arguments were refused: at least one reason, at most eight.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidArguments {
    pub errors: Vec<FieldError>,
}

impl Arguments {
    /// The validators of the registry's tools, compiled at the first call and kept.
    pub fn get() -> &'static Self {
        static COMPILED: LazyLock<Arguments> = LazyLock::new(Arguments::compile);
        &COMPILED
    }

    fn compile() -> Self {
        let contract = |name: &ToolName| (name.as_str(), with_tool!(*name, T => Contract::of::<T>()));
        Self { contracts: ToolName::ALL.iter().map(contract).collect() }
    }

    /// The model's arguments; blank text counts as `{}`.
    ///
    /// # Errors
    /// What is no strict JSON (also where a key comes twice), or does not fit the tool's input.
    pub fn parse<T: Tool>(&self, text: &str) -> Result<T::Input, InvalidArguments> {
        let value = match text.trim() {
            "" => Value::Object(Map::new()),
            _ => strict_json::parse(text).map_err(|why| InvalidArguments { errors: vec![why.into()] })?,
        };
        self.parse_value::<T>(&value)
    }

    /// Arguments that a person edited.
    ///
    /// # Errors
    /// What does not fit the tool's input.
    pub fn parse_value<T: Tool>(&self, value: &Value) -> Result<T::Input, InvalidArguments> {
        let value = without_direction_marks(value);
        match self.contracts.get(T::NAME) {
            Some(contract) => contract.parse::<T>(&value),
            None => Contract::of::<T>().parse::<T>(&value),
        }
    }
}

/// The same without the marks that turn the direction of text: with them a person would read, and
/// agree to, other words than are stored.
fn without_direction_marks(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) => Value::String(text.replace(turns_text, "")),
        Value::Array(items) => items.iter().map(without_direction_marks).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), without_direction_marks(value)));
            Value::Object(fields.collect())
        }
    }
}

impl Contract {
    fn of<T: Tool>() -> Self {
        let schema = input_schema::<T>();
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).expect("a schema that schemars made compiles");
        Self { schema, validator }
    }

    fn parse<T: Tool>(&self, value: &Value) -> Result<T::Input, InvalidArguments> {
        if !value.is_object() {
            return Err(InvalidArguments { errors: vec![refusal::no_object(value)] });
        }
        let characters = refusal::bad_characters(value);
        let misfits = self.validator.iter_errors(value);
        let misfits = misfits.flat_map(|error| refusal::misfits(&self.schema, &error));
        let errors: Vec<FieldError> = characters.into_iter().chain(misfits).take(MOST_REASONS).collect();
        if !errors.is_empty() {
            return Err(InvalidArguments { errors });
        }
        // What fits the schema need not fit the type: 1.0 is an integer to JSON Schema.
        serde_path_to_error::deserialize(value).map_err(|error| InvalidArguments {
            errors: vec![refusal::ill_typed(&self.schema, value, &error)],
        })
    }
}

impl InvalidArguments {
    /// What the model hears: a reason a line, and what to do about it.
    pub fn for_model(&self, tool_name: &str) -> String {
        let tool_name = wording::shortened(tool_name);
        let mut text = format!("Nothing was run: the arguments of {tool_name} were refused.\n");
        for error in &self.errors {
            text.push_str(&format!("{}\n", Reason(error)));
        }
        text.push_str("Call the tool again with corrected arguments.");
        text
    }
}

/// One reason with its place.
struct Reason<'a>(&'a FieldError);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldError { path, code, message, .. } = self.0;
        match (path.as_str(), code) {
            ("", ErrorCode::InvalidInput) => f.write_str(message),
            ("", _) => write!(f, "the arguments: {message}"),
            (path, _) => write!(f, "`{path}`: {message}"),
        }
    }
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, error) in self.errors.iter().enumerate() {
            let separator = if n == 0 { "" } else { "; " };
            write!(f, "{separator}{}", Reason(error))?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidArguments {}
