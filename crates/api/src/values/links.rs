//! Kinds of values in requests for payment links.

use super::{
    impl_schema, is_end_of_years, open_enum,
    requests::{LINE_PATTERN, NOT_BLANK_LINE_PATTERN, parse_line},
    string_schema,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use tua_contract::{ErrorCode, plain_text::visible};
use tua_domain::link::{self, DESCRIPTION_MAX_CHARS, QUESTION_MAX_CHARS, TITLE_MAX_CHARS};
use tua_http_json::Refusal;
use utoipa::openapi::{KnownFormat, SchemaFormat};

/// The title of a link: one line of 1 to 100 characters that is not blank.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Title(pub String);

impl_schema!(
    Title,
    "What payers read first: one line of at most 100 characters.",
    string_schema()
        .min_length(Some(1))
        .max_length(Some(TITLE_MAX_CHARS))
        .pattern(Some(NOT_BLANK_LINE_PATTERN))
        .examples([json!("Adom choir: robe")])
);

impl TryFrom<String> for Title {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let text = parse_line(text, TITLE_MAX_CHARS)?;
        if text.trim().is_empty() {
            Err(Refusal::new(ErrorCode::InvalidText, "The title must not be empty."))
        } else {
            Ok(Self(text))
        }
    }
}

/// The description of a link: one line of at most 500 characters.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Description(pub String);

impl_schema!(
    Description,
    "More for payers to read: one line of at most 500 characters.",
    string_schema()
        .max_length(Some(DESCRIPTION_MAX_CHARS))
        .pattern(Some(LINE_PATTERN))
        .examples([json!("One robe, sewn to measure.")])
);

impl TryFrom<String> for Description {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        parse_line(text, DESCRIPTION_MAX_CHARS).map(Self)
    }
}

/// The question of a link to its payers: one line of 1 to 60 characters that is not blank, without
/// invisible characters and white space around it.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Question(pub String);

impl_schema!(
    Question,
    "What payers must answer before they pay: one line of at most 60 characters.",
    string_schema()
        .min_length(Some(1))
        .max_length(Some(QUESTION_MAX_CHARS))
        .pattern(Some(NOT_BLANK_LINE_PATTERN))
        .examples([json!("Name of the pupil")])
);

impl TryFrom<String> for Question {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let text = visible(&parse_line(text, QUESTION_MAX_CHARS)?);
        if text.is_empty() {
            Err(Refusal::new(ErrorCode::InvalidText, "The question must not be empty."))
        } else {
            Ok(Self(text))
        }
    }
}

/// Whether a link can be paid once or by many payers.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct LinkUses(pub link::LinkUses);

impl_schema!(
    LinkUses,
    "How often the link can be paid. single: once; over all its sessions at most one charge is not \
     FAILED.",
    open_enum(link::LinkUses::ALL.iter().map(|uses| uses.as_str())).default(Some(json!("many")))
);

impl TryFrom<String> for LinkUses {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let detail = "The uses must be many or single.";
        link::LinkUses::parse(&text)
            .map(Self)
            .ok_or_else(|| Refusal::new(ErrorCode::InvalidParameter, detail))
    }
}

/// The time at which a link expires, parsed from an ISO 8601 text. That it is in the future is
/// checked against the clock later.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct FutureTime(pub Timestamp);

impl_schema!(
    FutureTime,
    "A time in the future, with its offset from UTC (ISO 8601).",
    string_schema()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .examples([json!("2026-12-31T23:59:59Z")])
);

impl TryFrom<String> for FutureTime {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let detail = "This must be an ISO 8601 time such as 2026-12-31T23:59:59Z.";
        let refused = |detail| Refusal::new(ErrorCode::InvalidTime, detail);
        let too_late = || refused("This must be a time before the year 9999.");
        let at: Timestamp = text
            .parse()
            .map_err(|_| if is_end_of_years(&text) { too_late() } else { refused(detail) })?;
        link::stored_link_expiry(at).map(Self).ok_or_else(too_late)
    }
}
