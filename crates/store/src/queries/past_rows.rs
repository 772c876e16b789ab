//! Reads what past events are computed from ([`super::past_events`]).

use jiff::Timestamp;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    iter,
    ops::Range,
};
use tua_domain::{Checkout, Event, Scope};
use tua_sql::{
    columns::{Columns, maybe_text, maybe_time, text, time},
    event_json,
    queries::listing::Query,
    rows::{self, select_checkouts},
    sql::Sql,
};

/// Of how many transactions and of how many sessions the events are computed at most.
const MAX_SUBJECTS: u32 = 500;

/// How many identifiers one query has. The number is constant, so that PostgreSQL prepares one
/// statement.
const GROUP: usize = 100;

/// A transaction, without its events.
pub(super) struct TransactionRow {
    pub(super) id: String,
    pub(super) checkout: Option<String>,
    pub(super) delayed_at: Option<Timestamp>,
}

/// A session, without its charges.
pub(super) struct SessionRow {
    pub(super) checkout: Checkout,
    pub(super) is_decided: bool,
}

/// The newest transactions of this time.
pub(super) async fn newest_transactions<S: Sql>(
    db: &S,
    scope: &Scope,
    time: Range<Timestamp>,
) -> Result<Vec<TransactionRow>, S::Error> {
    let mut query = of_scope(scope);
    query.add("created_at >=", Some(time.start));
    query.add("created_at <", Some(time.end));
    let hint = S::index_hint("transactions_by_age");
    let all = format!("SELECT id, checkout_id, delayed_at FROM transactions{hint}");
    let found = query.rows(db, &all, "created_at DESC, id DESC", MAX_SUBJECTS).await?;
    found.iter().map(transaction_row).collect()
}

/// The newest sessions of this time, and those of these transactions.
pub(super) async fn sessions<S: Sql>(
    db: &S,
    scope: &Scope,
    time: Range<Timestamp>,
    transactions: &[TransactionRow],
) -> Result<Vec<SessionRow>, S::Error> {
    let mut query = of_scope(scope);
    query.add("checkouts.created_at >=", Some(time.start));
    query.add("checkouts.created_at <", Some(time.end));
    let order = "checkouts.created_at DESC, checkouts.id DESC";
    let all = select_checkouts!("expiry_due, ");
    let mut found = query.rows(db, all, order, MAX_SUBJECTS).await?;
    let known: HashSet<String> =
        found.iter().map(|row| text(row, "id")).collect::<Result<_, _>>()?;
    let charged = transactions.iter().filter_map(|one| one.checkout.as_deref());
    let missing: BTreeSet<&str> = charged.filter(|id| !known.contains(*id)).collect();
    let missing: Vec<&str> = missing.into_iter().collect();
    found.extend(rows_of(db, all, "checkouts.id", &missing, "checkouts.id").await?);
    found.iter().map(session_row).collect()
}

/// The charges of these sessions, those of one session oldest first.
pub(super) async fn charges_of<S: Sql>(
    db: &S,
    sessions: &[SessionRow],
) -> Result<Vec<TransactionRow>, S::Error> {
    let ids: Vec<&str> = sessions.iter().map(|session| session.checkout.id.as_str()).collect();
    let hint = S::index_hint("transactions_by_checkout");
    let all = format!("SELECT id, checkout_id, delayed_at FROM transactions{hint}");
    let found = rows_of(db, &all, "checkout_id", &ids, "checkout_id, id").await?;
    found.iter().map(transaction_row).collect()
}

/// The events of transactions by their id, oldest first. Events after one that cannot be read are
/// left out.
pub(super) async fn events_of<S: Sql>(
    db: &S,
    transactions: &[&str],
) -> Result<HashMap<String, Vec<(Timestamp, Event)>>, S::Error> {
    let all = "SELECT transaction_id, at, event FROM transaction_events";
    let order = "transaction_id, version";
    let mut events: HashMap<String, Vec<(Timestamp, Event)>> = HashMap::new();
    let mut damaged = HashSet::new();
    for row in &rows_of(db, all, "transaction_id", transactions, order).await? {
        let id = text(row, "transaction_id")?;
        if damaged.contains(&id) {
            continue;
        }
        if let Some(event) = row.maybe_text("event")?.and_then(event_json::read) {
            events.entry(id).or_default().push((time(row, "at")?, event));
        } else {
            tracing::error!(transaction = id, "a past event of a transaction cannot be read");
            damaged.insert(id);
        }
    }
    Ok(events)
}

fn of_scope(scope: &Scope) -> Query<'_> {
    let mut query = Query::default();
    query.add("account_id =", Some(scope.account.as_str()));
    query.add("mode =", Some(scope.mode.as_str()));
    query
}

/// All rows whose column has one of these values, [`GROUP`] values in a query.
async fn rows_of<S: Sql>(
    db: &S,
    all: &str,
    column: &str,
    values: &[&str],
    order: &str,
) -> Result<Vec<S::Row>, S::Error> {
    let mut found = Vec::new();
    for group in values.chunks(GROUP) {
        let Some(last) = group.last() else { continue };
        let mut query = Query::default();
        query.add_any(column, group.iter().chain(iter::repeat(last)).take(GROUP).copied());
        found.extend(query.rows(db, all, order, u32::MAX).await?);
    }
    Ok(found)
}

fn transaction_row<R: Columns>(row: &R) -> Result<TransactionRow, R::Error> {
    Ok(TransactionRow {
        id: text(row, "id")?,
        checkout: maybe_text(row, "checkout_id")?,
        delayed_at: maybe_time(row, "delayed_at")?,
    })
}

fn session_row<R: Columns>(row: &R) -> Result<SessionRow, R::Error> {
    let is_decided = rows::charge_window(row)?.is_decided;
    Ok(SessionRow { checkout: rows::checkout(row)?, is_decided })
}
