//! What is wrong with a request, and where.

use serde::Serialize;
use std::{borrow::Cow, fmt};
use tua_contract::ErrorCode;

/// One fault of a request, as a problem document lists it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fault {
    /// Where the fault is, as a JSON pointer (RFC 6901).
    #[cfg_attr(feature = "openapi", schema(examples("/amount")))]
    pub pointer: String,
    /// The stable code, for programs.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::ProblemCode))]
    pub code: &'static str,
    /// A sentence about this fault, for people.
    pub detail: Cow<'static, str>,
}

/// Why one value was refused.
///
/// A type that a request struct holds is parsed with `#[serde(try_from = "…")]` and this as its
/// error. serde passes errors on as text only, so [`fmt::Display`] writes `code: detail` and the
/// deserializer of this crate reads it back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable code, for programs.
    pub code: &'static str,
    /// A sentence, for people.
    pub detail: Cow<'static, str>,
}

impl Refusal {
    /// A refusal with one of the contract's codes.
    pub fn new(code: ErrorCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { code: code.as_str(), detail: detail.into() }
    }

    /// Reads what [`fmt::Display`] has written. An error of serde's own has no code: it is a value
    /// of another type.
    pub(crate) fn from_message(message: String) -> Self {
        let coded = message
            .split_once(": ")
            .and_then(|(code, detail)| Some((ErrorCode::parse(code)?, detail)));
        match coded {
            Some((code, detail)) => Self::new(code, detail.to_owned()),
            None => Self::new(ErrorCode::InvalidType, message),
        }
    }

    /// The fault that this is at a member of the object at `parent`, which is itself a JSON
    /// pointer.
    pub(crate) fn at_member(self, parent: &str, name: &str) -> Fault {
        Fault { pointer: pointer_to(parent, name), code: self.code, detail: self.detail }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Refusal {}

/// The JSON pointer (RFC 6901) to a member of the object at `parent`.
#[must_use]
pub fn pointer_to(parent: &str, name: &str) -> String {
    format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The code and the detail of a request with these faults. The code and the detail of a single
/// fault are those of the request.
#[must_use]
pub fn summary(faults: &[Fault]) -> (&'static str, Cow<'static, str>) {
    match faults {
        [only] => (only.code, only.detail.clone()),
        _ => (
            ErrorCode::ValidationFailed.as_str(),
            format!("{} fields are not valid. See errors.", faults.len()).into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_survives_the_text_of_a_serde_error() {
        let refusal = Refusal::new(ErrorCode::InvalidAmount, "Wrong: too much.");
        assert_eq!(Refusal::from_message(refusal.to_string()), refusal);
        assert_eq!(Refusal::from_message("not a code: x".to_owned()).code, "invalid_type");
    }

    #[test]
    fn a_pointer_escapes_what_rfc_6901_reserves() {
        assert_eq!(pointer_to("/items/0", "a/b~c"), "/items/0/a~1b~0c");
        assert_eq!(pointer_to("", ""), "/");
    }
}
