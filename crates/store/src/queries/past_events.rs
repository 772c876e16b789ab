//! Inserts the events that happened before a record began, in one transaction
//! (docs/reference/endpoints.md#list-events).

use super::past_rows::{self, SessionRow, TransactionRow};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use tua_domain::{
    DeliveryId, Event, Scope,
    past_events::{
        PastEvent, SessionHistory, TransactionHistory, deliveries, events_of_session,
        events_of_transaction,
    },
    retention::Horizon,
    webhook::{Delivery, record::record_id},
};
use tua_sql::{
    columns::text,
    queries::listing::Query,
    rows::{delivery, delivery_columns},
    sql::Sql,
};

/// How many deliveries of one endpoint are read at most, to find the ids with which past events
/// were sent. An older event gets a new id.
const MAX_SENT: u32 = 20_000;

/// Inserts the events of the newest transactions and sessions that began before `until` into the
/// record, those that it does not have.
pub(crate) async fn insert<S: PaymentSql>(
    db: &S,
    scope: &Scope,
    now: Timestamp,
    until: Timestamp,
) -> Result<(), S::Error> {
    let from = Horizon::at(now).deliveries;
    let newest = past_rows::newest_transactions(db, scope, from..until).await?;
    let sessions = past_rows::sessions(db, scope, from..until, &newest).await?;
    let charges = past_rows::charges_of(db, &sessions).await?;
    let others: Vec<TransactionRow> =
        newest.into_iter().filter(|transaction| transaction.checkout.is_none()).collect();
    let ids: Vec<&str> = others.iter().chain(&charges).map(|one| one.id.as_str()).collect();
    let mut events = past_rows::events_of(db, &ids).await?;
    let first = first_delivery_id(&ids, &sessions);
    let mut past = past_of_sessions(sessions, charges, &mut events);
    for transaction in others {
        past.extend(events_of_transaction(&history(transaction, &mut events)));
    }
    past.retain(|event| event.at >= from);
    // Read last: what was sent meanwhile is among it.
    let sent = sent(db, scope, &first).await?;
    db.insert_deliveries(&deliveries(&record_id(scope), past, &sent)).await
}

fn past_of_sessions(
    sessions: Vec<SessionRow>,
    charges: Vec<TransactionRow>,
    events: &mut HashMap<String, Vec<(Timestamp, Event)>>,
) -> Vec<PastEvent> {
    let mut by_session: HashMap<String, Vec<TransactionHistory>> = HashMap::new();
    for charge in charges {
        let Some(session) = charge.checkout.clone() else { continue };
        by_session.entry(session).or_default().push(history(charge, events));
    }
    let mut past = Vec::new();
    for SessionRow { checkout, is_decided } in sessions {
        let charges = by_session.remove(checkout.id.as_str()).unwrap_or_default();
        past.extend(events_of_session(&SessionHistory { checkout, is_decided, charges }));
    }
    past
}

fn history(
    transaction: TransactionRow,
    events: &mut HashMap<String, Vec<(Timestamp, Event)>>,
) -> TransactionHistory {
    let TransactionRow { id, delayed_at, .. } = transaction;
    TransactionHistory { events: events.remove(&id).unwrap_or_default(), delayed_at }
}

/// The smallest id that a delivery about these transactions and sessions can have: identifiers
/// sort by the time of their creation, which is the 12 digits after their prefix.
fn first_delivery_id(transactions: &[&str], sessions: &[SessionRow]) -> String {
    let sessions = sessions.iter().map(|session| session.checkout.id.as_str());
    let times = transactions.iter().copied().chain(sessions).filter_map(|id| id.get(4..16));
    format!("{}{}", DeliveryId::PREFIX, times.min().unwrap_or_default())
}

/// The deliveries of this account and mode, to removed endpoints too: from this id on those of
/// endpoints, and all of the record.
async fn sent<S: Sql>(db: &S, scope: &Scope, first: &str) -> Result<Vec<Delivery>, S::Error> {
    let sql = "SELECT id FROM webhook_endpoints WHERE account_id = $1 AND mode = $2 ORDER BY id";
    let endpoints = db.query(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    let record = record_id(scope);
    let hint = S::index_hint("webhook_deliveries_by_endpoint");
    let all = format!(concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries{}"), hint);
    let mut sent = Vec::new();
    let mut seen = HashSet::new();
    for endpoint in &endpoints {
        let endpoint = text(endpoint, "id")?;
        let is_record = endpoint == record.as_str();
        let mut query = Query::default();
        query.add("endpoint_id =", Some(endpoint.as_str()));
        query.add("id >=", Some(first).filter(|_| !is_record));
        for row in &query.rows(db, &all, "id DESC", MAX_SENT).await? {
            let delivery = delivery(row)?;
            // One endpoint is enough to find the id of an event.
            if seen.insert(delivery.webhook_id.clone()) || is_record {
                sent.push(delivery);
            }
        }
    }
    Ok(sent)
}
