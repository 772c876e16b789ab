//! Marks orders as handed over, before they are sent.

use super::{
    accounts, approvals, checkouts, refunds,
    transaction_rows::by_id,
    transactions::{acknowledge, apply_event},
};
use crate::queries::approvals::store_wait;
use jiff::Timestamp;
use rusqlite::{Connection, Error, OptionalExtension, Result};
use std::time::Duration;
use tua_domain::{
    Checkout, Event, Transaction, TransactionId,
    audit::AuditContext,
    key_revocation::key_of_order,
    payout_route::PayoutRoute,
    ports::{DueTransaction, HandOver, Route},
    rules::{self, HELD_RETRY, HandOverDecision},
};
use tua_sql::{
    audit_values, columns,
    queries::audit,
    sqlite::{record::Record, sql::ready},
};

pub(super) fn mark(
    db: &Connection,
    id: &TransactionId,
    route: Route,
    first_query_at: Timestamp,
    now: Timestamp,
    waited: Duration,
) -> Result<HandOver> {
    let Some(mut transaction) = by_id(db, id)? else { return Ok(HandOver::Nothing) };
    let session = session(db, &transaction)?;
    let is_key_revoked = is_key_revoked(db, &transaction, session.as_ref(), now)?;
    let session_expires_at = session.map(|session| session.expires_at);
    let is_held =
        match rules::hand_over(&transaction, session_expires_at, is_key_revoked, now, waited) {
            None => return Ok(HandOver::Nothing),
            Some(HandOverDecision::End(event)) => {
                apply_event(db, &mut transaction, &event, now)?;
                return Ok(HandOver::Ended(transaction));
            }
            Some(HandOverDecision::Stop(event)) => {
                apply_event(db, &mut transaction, &event, now)?;
                if !transaction.state.is_unapproved() {
                    return Ok(HandOver::Ended(transaction));
                }
                ready(store_wait(db, &transaction))?;
                return Ok(HandOver::Held(transaction));
            }
            Some(HandOverDecision::HandOver) if is_blocked(db, &transaction, route)? => {
                flag(db, &transaction, now)?;
                return Ok(HandOver::Nothing);
            }
            Some(HandOverDecision::HandOver) => is_held(db, &transaction, route)?,
            Some(HandOverDecision::Wait) => true,
        };
    if is_held {
        store_mark(db, &transaction, Some(now + HELD_RETRY), None)?;
        return Ok(HandOver::Nothing);
    }
    apply_event(db, &mut transaction, &Event::HandedOver, now)?;
    store_mark(db, &transaction, None, Some(first_query_at))?;
    Ok(HandOver::Marked(transaction))
}

/// Whether an order is a refund whose charge cannot be refunded now: it may have been disputed or
/// contradicted since its operator was asked.
fn is_blocked(db: &Connection, transaction: &Transaction, route: Route) -> Result<bool> {
    Ok(route == Route::Blocked || refunds::not_refundable(db, &transaction.order)?.is_some())
}

/// Whether an order may not be sent now.
fn is_held(db: &Connection, transaction: &Transaction, route: Route) -> Result<bool> {
    let is_turn = route != Route::OneAtATime || !refunds::is_another_under_way(db, transaction)?;
    Ok(route == Route::Unavailable
        || !is_turn
        || accounts::is_suspended(db, &transaction.order.scope.account)?)
}

/// Flags a refund for review, and does not send it.
fn flag(db: &Connection, transaction: &Transaction, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE transactions SET send_at = NULL, review_at = coalesce(review_at, ?2) WHERE id = ?1",
    )?
    .execute((transaction.order.id.as_str(), now.as_millisecond()))
    .map(drop)
}

/// Marks an order as handed over, because an operator has it.
pub(super) fn record_found(
    db: &Connection,
    id: &TransactionId,
    approved: Option<&PayoutRoute>,
    by: &AuditContext,
) -> Result<Transaction> {
    let mut transaction = by_id(db, id)?.ok_or(Error::QueryReturnedNoRows)?;
    let events = rules::found_at_operator(&transaction, approved.cloned());
    if events.is_empty() {
        return Ok(transaction);
    }
    let before = transaction.clone();
    for event in &events {
        apply_event(db, &mut transaction, event, by.at)?;
    }
    approvals::store_route(db, &transaction)?;
    store_mark(db, &transaction, None, Some(by.at))?;
    acknowledge(db, id, by.at)?;
    ready(audit::append(db, by, &audit_values::payments::payment_found(&before, &transaction)))?;
    Ok(transaction)
}

fn session(db: &Connection, transaction: &Transaction) -> Result<Option<Checkout>> {
    let Some(checkout) = &transaction.order.checkout else { return Ok(None) };
    checkouts::by_id(db, checkout)
}

/// Whether the key is revoked whose revocation stops the order.
fn is_key_revoked(
    db: &Connection,
    transaction: &Transaction,
    session: Option<&Checkout>,
    now: Timestamp,
) -> Result<bool> {
    accounts::is_key_revoked(db, key_of_order(transaction, session, now))
}

pub(super) fn withdraw(
    db: &Connection,
    marked: &Transaction,
    send_at: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let is_unsent: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM transactions
                            WHERE id = ?1 AND version = ?2 AND status = 'PENDING' AND \
             handed_over_at IS NOT NULL
                              AND send_deadline IS NULL AND acknowledged_at IS NULL)",
        )?
        .query_row((marked.order.id.as_str(), marked.version), |row| row.get(0))?;
    if is_unsent {
        let mut transaction = marked.clone();
        let session = session(db, marked)?;
        // An order of a revoked key is looked at now, to be stopped.
        let latest = if is_key_revoked(db, marked, session.as_ref(), now)? {
            now
        } else {
            rules::hand_over_until(marked, session.map(|session| session.expires_at))
        };
        let send_at = send_at.min(latest);
        apply_event(db, &mut transaction, &Event::HandOverWithdrawn, now)?;
        store_mark(db, &transaction, Some(send_at), None)?;
    }
    Ok(is_unsent)
}

pub(super) fn permit_repeat(
    db: &Connection,
    due: &DueTransaction,
    deadline: Timestamp,
) -> Result<Option<Timestamp>> {
    let order = &due.transaction.order;
    if refunds::not_refundable(db, order)?.is_some() {
        return Ok(None);
    }
    db.prepare_cached(
        "UPDATE transactions SET send_deadline = max(?3, coalesce(send_deadline, 0) + 1)
         WHERE id = ?1 AND ask_at = ?2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
           AND acknowledged_at IS NULL AND review_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND suspended_at \
         IS NOT NULL)
           AND (approved_after_revocation > 0
                OR NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = key_id AND revoked_at IS \
         NOT NULL))
         RETURNING send_deadline",
    )?
    .query_row(
        (order.id.as_str(), due.leased_until.as_millisecond(), deadline.as_millisecond()),
        |row| columns::time(&Record::new(row), "send_deadline"),
    )
    .optional()
}

/// A statement of its own: these columns have indexes, which the update of every other event need
/// not write.
fn store_mark(
    db: &Connection,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
    ask_at: Option<Timestamp>,
) -> Result<()> {
    db.prepare_cached(
        "UPDATE transactions SET handed_over_at = ?2, send_at = ?3, ask_at = ?4, \
         asks = 0 WHERE id = ?1",
    )?
    .execute((
        transaction.order.id.as_str(),
        transaction.handed_over_at.map(Timestamp::as_millisecond),
        send_at.map(Timestamp::as_millisecond),
        ask_at.map(Timestamp::as_millisecond),
    ))
    .map(drop)
}
