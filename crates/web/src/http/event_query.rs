//! The query of the list of events.

use super::{
    paging::{apply_page_parameter, parse_each},
    problem::ApiError,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use tua_contract::ErrorCode;
use tua_domain::{
    DeliveryId, TransactionId,
    webhook::{EventType, record::EventFilter},
};

/// The longest wait, in seconds (docs/reference/endpoints.md).
pub(super) const MAX_WAIT_SECONDS: u32 = 30;

/// What a request to the list of events asks for.
#[derive(Default)]
pub(super) struct EventQuery {
    /// Which events are listed.
    pub(super) filter: EventFilter,
    /// The maximum number of events.
    pub(super) limit: u32,
    /// The position at which the previous page ended.
    pub(super) before: Option<DeliveryId>,
    /// The event after which the client continues, oldest first. An empty text is the beginning.
    pub(super) after: Option<String>,
    /// How long to wait for an event.
    pub(super) wait_seconds: Option<u32>,
}

type Refusal = (ErrorCode, &'static str);

impl EventQuery {
    pub(super) fn parse(parameters: Vec<(String, String)>) -> Result<Self, ApiError> {
        let mut query = Self::default();
        let page = parse_each(parameters, |page, name, value| {
            if query.apply(name, value)? { Ok(()) } else { apply_page_parameter(page, name, value) }
        })?;
        query.limit = page.limit;
        if query.after.is_some() && query.before.is_some() {
            return Err(invalid_query(
                "cursor is for the newest events first, and after for the \
                oldest first. Send one of them.",
            ));
        }
        if query.after.is_none() && query.wait_seconds.is_some() {
            return Err(invalid_query("wait needs after: the event after which you continue."));
        }
        Ok(query)
    }

    /// Reads a parameter that other lists do not have; `false` if it is another one.
    fn apply(&mut self, name: &str, value: &str) -> Result<bool, Refusal> {
        match name {
            "type" => self.filter.types = event_types(value)?,
            "transactionId" => self.filter.transaction = Some(transaction(value)?),
            "from" => self.filter.from = Some(time(value)?),
            "to" => self.filter.before = Some(time(value)?),
            "after" => self.after = Some(value.to_owned()),
            "wait" => self.wait_seconds = Some(seconds(value)?),
            "cursor" => self.before = Some(read_cursor(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn event_types(value: &str) -> Result<Vec<EventType>, Refusal> {
    let types: Option<Vec<_>> = value.split(',').map(EventType::parse).collect();
    types.ok_or_else(|| invalid("These must be types of events, separated by commas."))
}

fn transaction(value: &str) -> Result<TransactionId, Refusal> {
    if value.contains(char::is_control) {
        return Err((ErrorCode::InvalidText, "This must not contain control characters."));
    }
    Ok(TransactionId::new(value))
}

fn time(value: &str) -> Result<Timestamp, Refusal> {
    let detail = "This must be an ISO 8601 time such as 2026-11-21T10:00:00Z.";
    value.parse().map_err(|_| invalid(detail))
}

fn seconds(value: &str) -> Result<u32, Refusal> {
    let seconds = value.parse().ok().filter(|seconds: &u32| *seconds <= MAX_WAIT_SECONDS);
    seconds.ok_or_else(|| invalid("This must be a number of seconds from 0 to 30."))
}

const fn invalid(detail: &'static str) -> Refusal {
    (ErrorCode::InvalidParameter, detail)
}

fn invalid_query(detail: &'static str) -> ApiError {
    ApiError::new(ErrorCode::InvalidParameter, detail)
}

/// The cursor of the page after this position.
pub(super) fn write_cursor(position: &DeliveryId) -> String {
    URL_SAFE_NO_PAD.encode(position.as_str())
}

/// The position of the last event of the page before.
fn read_cursor(text: &str) -> Result<DeliveryId, Refusal> {
    let position = || {
        let id = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let uuid = id.strip_prefix(DeliveryId::PREFIX)?;
        uuid.chars().all(|character| character.is_ascii_hexdigit()).then_some(())?;
        Some(DeliveryId::new(id))
    };
    position().ok_or_else(|| invalid("This is not a cursor that this service has returned."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(parameters: &[(&str, &str)]) -> Option<EventQuery> {
        let owned = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        EventQuery::parse(owned.collect()).ok()
    }

    #[test]
    fn types_are_separated_by_commas() {
        let query = parse(&[("type", "charge.failed,ping")]).unwrap();
        assert_eq!(query.filter.types, [EventType::ChargeFailed, EventType::Ping]);
        assert!(parse(&[("type", "charge.failed,")]).is_none());
    }

    #[test]
    fn a_cursor_is_read_back() {
        let position = DeliveryId::mint();
        let query = parse(&[("cursor", &write_cursor(&position))]).unwrap();
        assert_eq!(query.before, Some(position));
        assert!(parse(&[("cursor", "x")]).is_none());
    }

    #[test]
    fn a_wait_needs_the_event_to_continue_after() {
        assert!(parse(&[("wait", "5")]).is_none());
        assert_eq!(parse(&[("after", ""), ("wait", "30")]).unwrap().wait_seconds, Some(30));
        assert!(parse(&[("after", ""), ("wait", "31")]).is_none());
        assert!(parse(&[("after", ""), ("cursor", &write_cursor(&DeliveryId::mint()))]).is_none());
    }
}
