//! The query of the list of events.

use super::{
    paging::{apply_page_parameter, parse_each, read_id_cursor, refuse_parameter},
    problem::ApiError,
    query_values::{ParameterFault, invalid, parse_line, parse_time, parse_wait},
};
use tua_domain::{
    DeliveryId, TransactionId,
    webhook::{EventType, record::EventFilter},
};

/// What a request to the list of events asks for.
pub(super) struct EventQuery {
    /// Which events are listed.
    pub(super) filter: EventFilter,
    /// The maximum number of events.
    pub(super) limit: u32,
    /// The order of the events, and where the list begins.
    pub(super) order: EventOrder,
}

/// The order of the events, and where the list begins.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum EventOrder {
    /// Newest first, page by page.
    NewestFirst {
        /// The position at which the previous page ended. `None` for the first page.
        before: Option<DeliveryId>,
    },
    /// Oldest first, for a client that follows events.
    OldestFirst {
        /// The id of the event after which the client continues. `None` for the oldest event.
        after: Option<String>,
        /// How long to wait for an event, as [`parse_wait`] reads it. `None` without `wait`.
        wait_seconds: Option<u32>,
    },
}

/// The parameters that other lists do not have, before they are compared with each other.
#[derive(Default)]
struct EventParameters {
    filter: EventFilter,
    before: Option<DeliveryId>,
    after: Option<String>,
    wait_seconds: Option<u32>,
}

impl EventQuery {
    /// Reads the parameters of a query.
    ///
    /// # Errors
    /// The faults of single parameters. If there is none: `invalid_parameter` if parameters
    /// exclude each other.
    pub(super) fn parse(parameters: Vec<(String, String)>) -> Result<Self, ApiError> {
        let mut read = EventParameters::default();
        let page = parse_each(parameters, |page, name, value| {
            if read.apply(name, value)? { Ok(()) } else { apply_page_parameter(page, name, value) }
        })?;
        let EventParameters { filter, before, after, wait_seconds } = read;
        let order = order(before, after, wait_seconds)?;
        Ok(Self { filter, limit: page.limit, order })
    }
}

impl EventParameters {
    /// Reads a parameter that other lists do not have; `false` if it is another one.
    fn apply(&mut self, name: &str, value: &str) -> Result<bool, ParameterFault> {
        match name {
            "type" => self.filter.types = event_types(value)?,
            "transactionId" => {
                self.filter.transaction = Some(TransactionId::new(parse_line(value)?));
            }
            "from" => self.filter.from = Some(parse_time(value)?),
            "to" => self.filter.before = Some(parse_time(value)?),
            "after" => self.after = Some(value.to_owned()),
            "wait" => self.wait_seconds = Some(parse_wait(value)?),
            "cursor" => self.before = Some(position(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The order that these parameters ask for.
fn order(
    before: Option<DeliveryId>,
    after: Option<String>,
    wait_seconds: Option<u32>,
) -> Result<EventOrder, ApiError> {
    match (before, after) {
        (Some(_), Some(_)) => Err(refuse_parameter(
            "cursor",
            "cursor is for the newest events first, and after for the oldest first. Send one of \
             them.",
        )),
        (before, None) if wait_seconds.is_none() => Ok(EventOrder::NewestFirst { before }),
        (_, None) => {
            Err(refuse_parameter("wait", "wait needs after: the event after which you continue."))
        }
        (None, Some(after)) => {
            let after = Some(after).filter(|after| !after.is_empty());
            Ok(EventOrder::OldestFirst { after, wait_seconds })
        }
    }
}

fn event_types(value: &str) -> Result<Vec<EventType>, ParameterFault> {
    let types: Option<Vec<_>> = value.split(',').map(EventType::parse).collect();
    types.ok_or_else(|| invalid("These must be types of events, separated by commas."))
}

/// The position of the last event of the page before.
fn position(cursor: &str) -> Result<DeliveryId, ParameterFault> {
    read_id_cursor(cursor, DeliveryId::PREFIX).map(DeliveryId::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::paging::write_id_cursor;

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
        let query = parse(&[("cursor", &write_id_cursor(position.as_str()))]).unwrap();
        assert_eq!(query.order, EventOrder::NewestFirst { before: Some(position) });
        assert!(parse(&[("cursor", "x")]).is_none());
    }

    #[test]
    fn an_empty_after_is_the_beginning() {
        let after = |id: &str| parse(&[("after", id)]).unwrap().order;
        let wait_seconds = None;
        assert_eq!(after(""), EventOrder::OldestFirst { after: None, wait_seconds });
        let id = Some("msg_1".to_owned());
        assert_eq!(after("msg_1"), EventOrder::OldestFirst { after: id, wait_seconds });
    }

    #[test]
    fn a_wait_needs_the_event_to_continue_after() {
        assert!(parse(&[("wait", "5")]).is_none());
        let query = parse(&[("after", ""), ("wait", "30")]).unwrap();
        let wait_seconds = Some(30);
        assert_eq!(query.order, EventOrder::OldestFirst { after: None, wait_seconds });
        assert!(parse(&[("after", ""), ("wait", "31")]).is_none());
        let cursor = write_id_cursor(DeliveryId::mint().as_str());
        assert!(parse(&[("after", ""), ("cursor", &cursor)]).is_none());
        assert!(parse(&[("wait", "5"), ("cursor", &cursor)]).is_none());
    }
}
