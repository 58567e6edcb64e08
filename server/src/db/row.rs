use std::sync::Arc;

use super::{Error, Result, Value};

/// One row of an answer.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) columns: Arc<[String]>,
    pub(super) values: Vec<Value>,
}

/// A type that a column can be read as.
pub trait FromValue: Sized {
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => text.clone(),
            Value::Int(_) => None,
        }
    }
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => *number,
            Value::Text(_) => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(None) | Value::Text(None) => Some(None),
            Value::Int(Some(_)) | Value::Text(Some(_)) => T::from_value(value).map(Some),
        }
    }
}

impl Row {
    /// The value of a column.
    ///
    /// # Errors
    /// Where there is no such column, or it holds something else.
    pub fn try_get<T: FromValue>(&self, column: &str) -> Result<T> {
        let index = self.columns.iter().position(|name| name == column);
        let index = index.ok_or_else(|| Error::Decode(format!("no column {column}").into()))?;
        self.at(index)
    }

    /// The value of the column at an index, from 0.
    ///
    /// # Errors
    /// As [`Row::try_get`].
    pub fn at<T: FromValue>(&self, index: usize) -> Result<T> {
        let value = self.values.get(index);
        let read = value.and_then(T::from_value);
        read.ok_or_else(|| {
            let column = self.columns.get(index).map_or("?", String::as_str);
            Error::Decode(format!("column {column} is no {}", std::any::type_name::<T>()).into())
        })
    }
}

/// A type that a row can be read as: a tuple of its columns, in order.
pub trait FromRow: Sized {
    fn from_row(row: &Row) -> Result<Self>;
}

macro_rules! tuples {
    ($($($name:ident $index:tt)*;)*) => {
        $(impl<$($name: FromValue),*> FromRow for ($($name,)*) {
            fn from_row(row: &Row) -> Result<Self> {
                Ok(($(row.at::<$name>($index)?,)*))
            }
        })*
    };
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}
