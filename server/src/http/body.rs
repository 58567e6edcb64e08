//! JSON bodies, read strictly, with errors that say where.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use serde::de::{DeserializeOwned, IgnoredAny};
use shared::api::FieldError;
use shared::error_code::ErrorCode;

use super::AppState;
use super::problem::ApiError;

pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let content_type = request.headers().get(CONTENT_TYPE).cloned();
        let bytes =
            Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "body-too-large",
                    "The body is larger than 64 KiB.",
                ),
                _ => ApiError::new(StatusCode::BAD_REQUEST, "broken-body", "The body did not arrive whole."),
            })?;
        let content_type = content_type.as_ref().and_then(|value| value.to_str().ok());
        let is_json = content_type.is_some_and(|value| {
            value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
        });
        if !is_json && !bytes.is_empty() {
            let title = "The body must be application/json.";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", title));
        }
        // No body is the same as an object without fields.
        let bytes = if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes };
        // Whether it is JSON at all, to its end, before what it says.
        serde_json::from_slice::<IgnoredAny>(&bytes).map_err(|error| not_json(&error))?;
        // serde would also take a list of the fields' values for an object.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            let error = FieldError {
                path: String::new(),
                code: ErrorCode::WrongType,
                params: None,
                message: "expected an object".to_owned(),
            };
            return Err(ApiError::invalid("invalid-body", "The body must be a JSON object.", vec![error]));
        }
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = pointer(error.path());
            let error = error.into_inner();
            match error.classify() {
                serde_json::error::Category::Data => data_error(path, &error),
                serde_json::error::Category::Syntax
                | serde_json::error::Category::Eof
                | serde_json::error::Category::Io => not_json(&error),
            }
        })?;
        Ok(Self(value))
    }
}

fn not_json(error: &serde_json::Error) -> ApiError {
    let (line, column) = (error.line(), error.column());
    let title = format!("The body is not JSON: line {line}, column {column}.");
    ApiError::new(StatusCode::BAD_REQUEST, "invalid-json", title)
}

fn data_error(path: String, error: &serde_json::Error) -> ApiError {
    let message = error.to_string();
    let error = FieldError { path, code: ErrorCode::InvalidInput, params: None, message };
    ApiError::invalid("invalid-body", "The body does not have the expected fields.", vec![error])
}

/// `a.b[0]` as a JSON pointer.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;

    path.iter().fold(String::new(), |pointer, segment| match segment {
        Segment::Seq { index } => format!("{pointer}/{index}"),
        Segment::Map { key } => format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
        Segment::Enum { .. } | Segment::Unknown => pointer,
    })
}
