//! Refused requests, as problem documents (RFC 9457).

use crate::error_codes;
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::{borrow::Cow, time::Duration};
use tua_contract::ErrorCode;
use tua_http_json::{
    Fault,
    body::BodyError,
    fault::summary,
    object::ObjectError,
    problem::{PROBLEM_JSON, ProblemDocument},
};

/// A refused request, which becomes a problem document (RFC 9457) of the response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: Cow<'static, str>,
    errors: Vec<Fault>,
    /// The content codings that a body may have, where the request's was refused.
    accepted_codings: Option<&'static str>,
}

impl Problem {
    /// A problem without a list of invalid fields.
    pub fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { status, code, detail: detail.into(), errors: Vec::new(), accepted_codings: None }
    }

    /// The path exists, but not for this method.
    #[must_use]
    pub fn method_not_allowed(allow: &'static str) -> Response {
        let detail = format!("This path supports {allow} only.");
        let problem =
            Self::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed.as_str(), detail);
        ([(header::ALLOW, allow)], problem).into_response()
    }

    /// 429 for a client address that is over its rate limit.
    #[must_use]
    pub fn rate_limited(wait: Duration) -> Response {
        let seconds = wait.as_secs() + 1;
        let detail = format!("Too many requests came from this address. Try again in {seconds} s.");
        let problem =
            Self::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited.as_str(), detail);
        ([(header::RETRY_AFTER, seconds.to_string())], problem).into_response()
    }

    /// The path does not exist.
    #[must_use]
    pub fn not_found() -> Self {
        let detail =
            "This path does not exist. The companion serves POST /checkout and GET /healthz.";
        Self::new(StatusCode::NOT_FOUND, ErrorCode::NotFound.as_str(), detail)
    }

    /// Writes the document of a refused request. `error_page` returns the URL of the page about
    /// a code.
    pub(crate) fn write(
        mut response: Response,
        error_page: impl FnOnce(&str) -> String,
    ) -> Response {
        let Some(problem) = response.extensions_mut().remove::<Self>() else { return response };
        let document = ProblemDocument {
            r#type: &error_page(problem.code),
            title: error_codes::title(problem.code),
            status: problem.status.as_u16(),
            detail: &problem.detail,
            code: problem.code,
            request_id: None,
            errors: &problem.errors,
        };
        *response.body_mut() = Body::from(serde_json::to_vec(&document).unwrap_or_default());
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(codings) = problem.accepted_codings {
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(codings));
        }
        response
    }

    /// The stable error code in snake_case, such as `validation_failed`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The faults of the body.
    #[must_use]
    pub fn errors(&self) -> &[Fault] {
        &self.errors
    }
}

impl From<Vec<Fault>> for Problem {
    fn from(errors: Vec<Fault>) -> Self {
        let (code, detail) = summary(&errors);
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail) }
    }
}

impl From<ObjectError> for Problem {
    fn from(error: ObjectError) -> Self {
        match error {
            ObjectError::Malformed(detail) => {
                Self::new(StatusCode::BAD_REQUEST, ErrorCode::MalformedJson.as_str(), detail)
            }
            ObjectError::NotAnObject(fault) => vec![fault].into(),
        }
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        let accepted_codings = error.accepted_codings();
        Self {
            accepted_codings,
            ..Self::new(error.status(), error.code().as_str(), error.to_string())
        }
    }
}

/// A response without a body: `Problem::write` adds the document, whose `type` depends on the
/// settings.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
