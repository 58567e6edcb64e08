//! Reads what is tagged or typed by name, member by member.
//!
//! serde's own way for tagged enums keeps every member in a type of its own first and is compiled once more
//! for each type that may come out of it: in the browser's file that was a fifth of the whole. Here all types
//! are read from one source, a JSON value.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Error, Map, Value};

/// The members of a JSON object.
pub(crate) struct Members(Map<String, Value>);

impl Members {
    /// # Errors
    /// Anything but an object.
    pub fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self)
    }

    /// A member that must be there.
    ///
    /// # Errors
    /// It is not, or is something else.
    pub fn must<T: DeserializeOwned>(&self, name: &'static str) -> Result<T, Error> {
        T::deserialize(self.0.get(name).ok_or_else(|| Error::missing_field(name))?)
    }

    /// A member that may be absent, or `null`.
    ///
    /// # Errors
    /// It is something else.
    pub fn may<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        self.0.get(name).filter(|value| !value.is_null()).map(T::deserialize).transpose()
    }

    /// The member that says what the object is.
    ///
    /// # Errors
    /// It is not there, or no text.
    pub fn tag(&self, name: &'static str) -> Result<&str, Error> {
        self.0.get(name).and_then(Value::as_str).ok_or_else(|| Error::missing_field(name))
    }
}

/// Something read by way of a JSON value: for types with many members, which the browser reads in one way only.
/// On the wire it is what is in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ByValue<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for ByValue<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        T::deserialize(&value).map(Self).map_err(D::Error::custom)
    }
}
