//! `tua logs --request`: one request, with the events and deliveries about what it created.

use super::{
    event::{Event, EventPage},
    log_page::{Page, Printed},
    test_api::{ApiFault, TestApi},
};
use crate::cli::{context::Common, fault::Fault};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;
use tua_domain::TransactionId;

/// The largest page of the API.
const LIMIT: &str = "100";

/// A response is logged at its end. Its events may be as much older.
const LONGEST_REQUEST: SignedDuration = SignedDuration::from_secs(60);

/// Prints the request with this id, then the events and the deliveries, in the order of their
/// times.
///
/// # Errors
/// One line: the service has no such request, or refuses the key.
pub(super) async fn print(common: &Common, api: &TestApi, id: &str) -> Result<(), Fault> {
    let query = [("requestId", id), ("limit", LIMIT)];
    let page: Page = api.get("/logs", &query).await?;
    let Some(first) = page.requests.first() else {
        return Err(Fault::not_found(format!(
            "{id}: the service has no such request of this account. It keeps the newest requests \
             and deliveries of test mode since its start; its log on standard error has the id of \
             every request"
        )));
    };
    let since = parse_time(&first.time).saturating_sub(LONGEST_REQUEST).unwrap_or_default();
    let events = events(api, &page, &since.to_string()).await?;
    let events = events.iter().map(|one| (parse_time(&one.timestamp), Printed::event(one)));
    let deliveries =
        page.deliveries.iter().map(|one| (parse_time(&one.time), Printed::delivery(one)));
    // Stable: an event comes before its delivery in the same millisecond.
    let mut caused: Vec<_> = events.chain(deliveries).collect();
    caused.sort_by_key(|(time, _)| *time);
    page.requests.iter().try_for_each(|one| Printed::request(one).print(common))?;
    caused.iter().try_for_each(|(_, one)| one.print(common))
}

/// The events about what the requests of this page created, each once, oldest first.
async fn events(api: &TestApi, page: &Page, since: &str) -> Result<Vec<Event>, ApiFault> {
    let resources: BTreeSet<&str> =
        page.requests.iter().filter_map(|request| request.resource_id.as_deref()).collect();
    let mut found: Vec<Event> = Vec::new();
    for resource in resources {
        // Events are listed by transaction. Those of a session are among those since its request.
        let filter = if resource.starts_with(TransactionId::PREFIX) {
            ("transactionId", resource)
        } else {
            ("from", since)
        };
        let listed = list_all(api, filter).await?;
        let about = listed.into_iter().rev();
        found.extend(about.filter(|event| event.subject().is_some_and(|one| one.is(resource))));
    }
    Ok(found)
}

/// All pages of the events with this filter, newest first.
async fn list_all(api: &TestApi, filter: (&str, &str)) -> Result<Vec<Event>, ApiFault> {
    let mut listed = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut query = vec![filter, ("limit", LIMIT)];
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let page: EventPage = api.get("/events", &query).await?;
        listed.extend(page.data);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(listed);
        }
    }
}

/// The time of an entry. A text that is none comes first.
fn parse_time(text: &str) -> Timestamp {
    text.parse().unwrap_or(Timestamp::MIN)
}
