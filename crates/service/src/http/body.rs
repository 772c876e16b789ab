//! Reads a JSON body exactly: no field twice, numbers as their text.

use super::problem::{ApiError, Fault};
use crate::app::App;
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{StatusCode, header},
};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{collections::HashSet, fmt, sync::Arc};
use tokio::time::timeout;
use tua_contract::ErrorCode;

/// How deep a body may nest; nothing of ours comes near.
const DEEPEST: usize = 32;

/// A body that was sent as `application/json` and within the limit. A route that not every credential
/// opens reads it once it knows that this one does.
#[derive(Debug)]
pub(super) struct JsonBody(Bytes);

impl FromRequest<Arc<App>> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = sent.and_then(|text| text.parse::<mime::Mime>().ok());
        if kind.is_none_or(|kind| kind.essence_str() != mime::APPLICATION_JSON.essence_str()) {
            return Err(ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "Send the body as `Content-Type: application/json`.",
            ));
        }
        read_body(request, app).await.map(Self)
    }
}

/// A body, whole, within the limit and in time.
pub(crate) async fn read_body(request: Request, app: &Arc<App>) -> Result<Bytes, ApiError> {
    let arrival = timeout(app.body_timeout, Bytes::from_request(request, app));
    let arrived = arrival.await.map_err(|_| {
        ApiError::new(ErrorCode::RequestTimeout, "The body took too long to arrive. The request had no effect.")
    })?;
    arrived.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(ErrorCode::BodyTooLarge, "The body is larger than 32 KiB."),
        _ => malformed("The body ended too early."),
    })
}

impl JsonBody {
    /// Bytes as they came, for who hands in any.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) const fn of(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// The fields of the body's object, in the order in which they were sent.
    pub(super) fn members(&self) -> Result<Vec<(String, &RawValue)>, ApiError> {
        let text = std::str::from_utf8(&self.0).map_err(|_| malformed("The body is not UTF-8."))?;
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| malformed(describe(&error)))?;
        check(whole, DEEPEST)?;
        match whole.get().starts_with('{') {
            true => members(whole),
            false => Err(ApiError::faults(vec![Fault {
                pointer: String::new(),
                code: ErrorCode::InvalidType,
                detail: "The body must be a JSON object.".into(),
            }])),
        }
    }
}

/// Every value below here is proper: names once, strings whole, not too deep.
fn check(value: &RawValue, depth: usize) -> Result<(), ApiError> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'{' | b'[') if depth == 0 => Err(malformed("The body has more than 32 levels of nesting.")),
        Some(b'{') => members(value)?.into_iter().try_for_each(|(_, member)| check(member, depth - 1)),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| malformed(describe(&error)))?;
            items.into_iter().try_for_each(|item| check(item, depth - 1))
        }
        Some(b'"') => serde_json::from_str::<String>(text).map(drop).map_err(|error| malformed(describe(&error))),
        _ => Ok(()),
    }
}

fn members(object: &RawValue) -> Result<Vec<(String, &RawValue)>, ApiError> {
    let members: Members<'_> = serde_json::from_str(object.get()).map_err(|error| malformed(describe(&error)))?;
    Ok(members.0)
}

fn malformed(detail: impl Into<std::borrow::Cow<'static, str>>) -> ApiError {
    ApiError::new(ErrorCode::MalformedJson, detail)
}

/// Where and why, without the body's own text: it may hold personal data.
fn describe(error: &serde_json::Error) -> String {
    let reason = match error.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Data => "one object contains the same member twice",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => "a syntax error",
    };
    format!("The body is not valid JSON: {reason} (line {}, column {}).", error.line(), error.column())
}

/// An object's members; a name that stands twice is an error.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut members, mut names) = (Vec::new(), HashSet::new());
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom("a name stands twice"));
                    }
                    members.push((name, value));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Collect).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refusal(body: &str) -> Option<ErrorCode> {
        JsonBody(Bytes::copy_from_slice(body.as_bytes())).members().err().map(|error| error.code)
    }

    #[test]
    fn numbers_of_any_size_are_for_the_field_to_judge() {
        let body = JsonBody(Bytes::from_static(br#"{"amount": 1e400, "x": 0.1000}"#));
        let members = body.members().unwrap();
        assert_eq!((members[0].1.get(), members[1].1.get()), ("1e400", "0.1000"));
    }

    #[test]
    fn broken_json_is_malformed() {
        let deep = "[".repeat(10_000);
        for body in [
            "",
            "{",
            "{\"a\":}",
            "{\"a\":1,}",
            "{'a':1}",
            "{\"a\":01}",
            "{\"a\":\"\\ud800\"}",
            "{} {}",
            "nul",
            &deep,
            "{\"a\":1,\"a\":2}",
            "{\"a\":{\"b\":1,\"b\":1}}",
            "{\"a\":[{\"b\":1,\"\\u0062\":1}]}",
            "{\"a\":NaN}",
        ] {
            assert_eq!(refusal(body), Some(ErrorCode::MalformedJson), "{}", &body[..body.len().min(40)]);
        }
        assert_eq!(refusal(&format!("{}{}", "[".repeat(40), "]".repeat(40))), Some(ErrorCode::MalformedJson));
    }

    #[test]
    fn a_body_that_is_not_an_object_is_of_the_wrong_type() {
        for body in ["[]", "1", "\"text\"", "null", "true"] {
            assert_eq!(refusal(body), Some(ErrorCode::InvalidType), "{body}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_parser(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = JsonBody(Bytes::from(bytes)).members();
        }

        #[test]
        fn no_json_like_text_breaks_the_parser(text in "[\\[\\]{}\",:0-9a\\\\u ]{0,60}") {
            let _ = JsonBody(Bytes::from(text)).members();
        }
    }
}
