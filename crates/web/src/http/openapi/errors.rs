//! The error responses of routes. Codes and examples come from `ErrorCode` and from the problem
//! documents themselves.

use super::{
    content::reference,
    headers::{self, HeaderSpec},
};
use crate::http::{
    error_help::help,
    problem::{ApiError, ApiProblem, error_page_url},
};
use axum::http::StatusCode;
use serde_json::Value;
use std::collections::BTreeMap;
use tua_contract::ErrorCode::{self, *};
use tua_http_json::Fault;
use utoipa::openapi::{
    Content, Ref, RefOr, Response, ResponseBuilder,
    example::{Example, ExampleBuilder},
};

/// Codes of every route with a body.
pub(crate) const BODY: &[ErrorCode] = &[
    MalformedJson,
    RequestTimeout,
    BodyTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
    FieldRequired,
    UnknownField,
    InvalidType,
];

/// Codes of every route whose body may have no members.
pub(crate) const NO_MEMBERS: &[ErrorCode] = &[
    MalformedJson,
    RequestTimeout,
    BodyTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
    UnknownField,
    InvalidType,
];

/// Codes of every route with an Idempotency-Key.
pub(crate) const IDEMPOTENCY: &[ErrorCode] =
    &[IdempotencyKeyInvalid, IdempotencyKeyReused, IdempotencyInProgress];

/// Codes of every route that reads the store.
pub(crate) const SERVICE: &[ErrorCode] = &[InternalError, ServiceUnavailable];

/// The error responses of an operation with these codes, by status.
pub(super) fn responses(
    codes: impl Iterator<Item = ErrorCode>,
    public_url: &str,
) -> impl Iterator<Item = (String, Response)> {
    let mut by_status: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in codes {
        by_status.entry(status(code).as_u16()).or_default().push(code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| (status.to_string(), response(status, &codes, public_url)))
}

fn response(status: u16, codes: &[ErrorCode], public_url: &str) -> Response {
    let line = |code: &ErrorCode| {
        let name = code.as_str();
        format!("- [`{name}`]({}): {}", error_page_url(public_url, *code), code.explanation())
    };
    let lines: Vec<String> = codes.iter().map(line).collect();
    let examples = codes.iter().map(|code| {
        (code.as_str(), RefOr::Ref(Ref::new(format!("#/components/examples/{}", code.as_str()))))
    });
    let content = Content::builder()
        .schema(Some(reference::<ApiProblem<'static>>()))
        .examples_from_iter::<_, _, RefOr<Example>>(examples)
        .build();
    let mut response = ResponseBuilder::new()
        .description(lines.join("\n"))
        .content("application/problem+json", content);
    let rate_limited = if status == 429 { headers::RATE_LIMITED } else { &[] };
    for header in headers::COMMON.iter().chain(headers_of(status)).chain(rate_limited) {
        response = response.header(header.name, header.build());
    }
    response.build()
}

fn headers_of(status: u16) -> &'static [HeaderSpec] {
    match status {
        401 => &[headers::WWW_AUTHENTICATE],
        409 | 429 | 503 => &[headers::RETRY_AFTER],
        _ => &[],
    }
}

/// One example for each code: the problem document that the service would write.
pub(super) fn examples(public_url: &str) -> impl Iterator<Item = (&'static str, Example)> {
    ErrorCode::ALL.iter().map(move |&code| {
        let help = help(code);
        let example = ExampleBuilder::new()
            .summary(code.title())
            .description(format!("{} {} {}", code.explanation(), help.money, help.remedy))
            .value(Some(problem(code, public_url)));
        (code.as_str(), example.build())
    })
}

fn problem(code: ErrorCode, public_url: &str) -> Value {
    let fault = |code: ErrorCode, pointer: &str| Fault {
        pointer: pointer.to_owned(),
        code: code.as_str(),
        detail: code.explanation().into(),
    };
    let error = match pointer(code) {
        Some(pointer) => ApiError::faults(vec![fault(code, pointer)]),
        None if code == ValidationFailed => ApiError::faults(vec![
            fault(InvalidAmount, "/amount"),
            fault(FieldRequired, "/phoneNumber"),
        ]),
        None if code == CheckoutTokenExpired => {
            ApiError::expired("OPEN", "order-17".to_owned(), code.explanation())
        }
        None => ApiError::new(code, code.explanation()),
    };
    serde_json::from_slice(&error.document(public_url, "req_3f0e5c7a9d1b4e6f8a2c4d6e8f0a1b3c"))
        .unwrap_or_default()
}

/// The JSON pointer of an example fault with this code; `None` for a code that no member causes.
const fn pointer(code: ErrorCode) -> Option<&'static str> {
    match code {
        FieldRequired | InvalidAmount | AmountMismatch | AmountOutOfRange => Some("/amount"),
        QuoteChanged => Some("/payerPays"),
        UnknownField => Some("/amout"),
        FieldNotAllowed | InvalidText => Some("/reference"),
        InvalidType | InvalidPhoneNumber => Some("/phoneNumber"),
        UnsupportedNetwork => Some("/network"),
        UnsupportedCurrency => Some("/currency"),
        InvalidEmail => Some("/email"),
        InvalidUrl => Some("/returnUrl"),
        TooLong => Some("/payeeNote"),
        InvalidMetadata => Some("/metadata"),
        InvalidOtp => Some("/otp"),
        InvalidParameter => Some("/limit"),
        _ => None,
    }
}

fn status(code: ErrorCode) -> StatusCode {
    ApiError::new(code, "").status()
}
