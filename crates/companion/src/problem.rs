//! Refusals, as RFC 9457 documents.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tua_contract::ErrorCode;

/// One wrong place in a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// Where it is: a JSON pointer.
    pub pointer: String,
    /// What a program acts on.
    pub code: &'static str,
    /// What a person reads.
    pub detail: String,
}

/// A refused request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    errors: Vec<Fault>,
    /// The methods that would have been answered.
    allow: Option<&'static str>,
}

impl Problem {
    /// A problem with no place in the body.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), errors: Vec::new(), allow: None }
    }

    /// The body is not JSON.
    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::MalformedJson.as_str(), detail)
    }

    /// The fields are wrong; a single fault lends its code to the whole.
    #[must_use]
    pub fn invalid(errors: Vec<Fault>) -> Self {
        let (code, detail) = match errors.as_slice() {
            [only] => (only.code, only.detail.clone()),
            many => (ErrorCode::ValidationFailed.as_str(), format!("{} things in the cart are wrong.", many.len())),
        };
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail) }
    }

    /// The path is right, the method is not.
    #[must_use]
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let code = ErrorCode::MethodNotAllowed.as_str();
        let detail = format!("This path supports {allow} only.");
        Self { allow: Some(allow), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, code, detail) }
    }

    /// Nothing lives at the path.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            ErrorCode::NotFound.as_str(),
            "This path does not exist. The companion serves POST /checkout only.",
        )
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The wrong places.
    #[must_use]
    pub fn errors(&self) -> &[Fault] {
        &self.errors
    }
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: &'a str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [Fault],
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let document = Document {
            // RFC 9457: then the title is the status's own, and `code` carries the meaning.
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.detail,
            code: self.code,
            errors: &self.errors,
        };
        let body = serde_json::to_vec(&document).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/problem+json"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (self.status, kind, body).into_response();
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}
