//! Values of query parameters that several lists have.

use super::poll::MAX_WAIT_SECONDS;
use jiff::Timestamp;
use tua_api::values::is_end_of_years;
use tua_contract::ErrorCode;

/// What is wrong with a parameter of a query: the code and the detail of its fault.
pub(super) type ParameterFault = (ErrorCode, &'static str);

/// The fault of a value that its parameter cannot have.
pub(super) const fn invalid(detail: &'static str) -> ParameterFault {
    (ErrorCode::InvalidParameter, detail)
}

/// Reads a time.
///
/// # Errors
/// `invalid_parameter` if the text is not an ISO 8601 time with an offset.
pub(super) fn parse_time(value: &str) -> Result<Timestamp, ParameterFault> {
    let detail = "This must be an ISO 8601 time such as 2026-11-21T10:00:00Z.";
    let read = value.parse().ok().or_else(|| is_end_of_years(value).then_some(Timestamp::MAX));
    read.ok_or_else(|| invalid(detail))
}

/// Reads a text of one line.
///
/// # Errors
/// `invalid_text` if it has a control character. PostgreSQL could not compare U+0000.
pub(super) fn parse_line(value: &str) -> Result<&str, ParameterFault> {
    if value.contains(char::is_control) {
        return Err((ErrorCode::InvalidText, "This must not contain control characters."));
    }
    Ok(value)
}

/// Reads how many seconds a response may wait.
///
/// # Errors
/// `invalid_parameter` if the text is no number from 0 to [`MAX_WAIT_SECONDS`].
pub(super) fn parse_wait(value: &str) -> Result<u32, ParameterFault> {
    let seconds = value.parse().ok().filter(|seconds: &u32| *seconds <= MAX_WAIT_SECONDS);
    seconds.ok_or_else(|| invalid("This must be a number of seconds from 0 to 30."))
}
