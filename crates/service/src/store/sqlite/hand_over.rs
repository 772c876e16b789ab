//! Marks orders as handed over, before they are sent.

use super::{
    accounts, approvals, audit, checkouts, refunds,
    transactions::{acknowledge, by_id, take},
};
use crate::{
    domain::{
        Event, Transaction, TransactionId,
        audit::AuditContext,
        payout_route::PayoutRoute,
        ports::{Due, HandOver, Route},
        rules::{self, HELD_RETRY},
    },
    store::audit_values,
};
use jiff::Timestamp;
use rusqlite::{Connection, Error, Result};

pub(super) fn mark(
    db: &Connection,
    id: &TransactionId,
    route: Route,
    first_ask: Timestamp,
    now: Timestamp,
) -> Result<HandOver> {
    let Some(mut transaction) = by_id(db, id)? else { return Ok(HandOver::Nothing) };
    let session_expires_at = session_expires_at(db, &transaction)?;
    let Some(event) = rules::hand_over(&transaction, session_expires_at, now) else {
        return Ok(HandOver::Nothing);
    };
    if event == Event::HandedOver {
        // The charge may have been disputed or contradicted since its operator was asked.
        let is_blocked = route == Route::Blocked || refunds::refundable(db, &transaction.begun)?.is_err();
        if is_blocked {
            flag(db, &transaction, now)?;
            return Ok(HandOver::Nothing);
        }
    }
    let is_turn = route != Route::OneAtATime || !refunds::is_another_under_way(db, &transaction)?;
    let is_held =
        route == Route::Unavailable || !is_turn || accounts::is_suspended(db, &transaction.begun.scope.account)?;
    if event == Event::HandedOver && is_held {
        store_mark(db, &transaction, Some(now + HELD_RETRY), None)?;
        return Ok(HandOver::Nothing);
    }
    take(db, &mut transaction, &event, now)?;
    if transaction.handed_over_at.is_none() {
        return Ok(HandOver::Ended(transaction));
    }
    store_mark(db, &transaction, None, Some(first_ask))?;
    Ok(HandOver::Marked(transaction))
}

/// Flags a refund for review, and does not send it.
fn flag(db: &Connection, transaction: &Transaction, now: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE transactions SET send_at = NULL, review_at = coalesce(review_at, ?2) WHERE id = ?1")?
        .execute((transaction.begun.id.as_str(), now.as_millisecond()))
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
        take(db, &mut transaction, event, by.at)?;
    }
    approvals::store_route(db, &transaction)?;
    store_mark(db, &transaction, None, Some(by.at))?;
    acknowledge(db, id, by.at)?;
    audit::append(db, by, &audit_values::payment_found(&before, &transaction))?;
    Ok(transaction)
}

fn session_expires_at(db: &Connection, transaction: &Transaction) -> Result<Option<Timestamp>> {
    let Some(checkout) = &transaction.begun.checkout else { return Ok(None) };
    Ok(checkouts::by_id(db, checkout)?.map(|session| session.expires_at))
}

pub(super) fn withdraw(db: &Connection, marked: &Transaction, send_at: Timestamp, now: Timestamp) -> Result<bool> {
    let is_unsent: bool = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM transactions
                            WHERE id = ?1 AND version = ?2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                              AND send_deadline IS NULL AND acknowledged_at IS NULL)",
        )?
        .query_row((marked.begun.id.as_str(), marked.version), |row| row.get(0))?;
    if is_unsent {
        let mut transaction = marked.clone();
        let send_at = send_at.min(rules::hand_over_until(marked, session_expires_at(db, marked)?));
        take(db, &mut transaction, &Event::HandOverWithdrawn, now)?;
        store_mark(db, &transaction, Some(send_at), None)?;
    }
    Ok(is_unsent)
}

pub(super) fn permit_repeat(db: &Connection, due: &Due, deadline: Timestamp) -> Result<bool> {
    db.prepare_cached(
        "UPDATE transactions SET send_deadline = ?3
         WHERE id = ?1 AND ask_at = ?2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
           AND acknowledged_at IS NULL AND review_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND suspended_at IS NOT NULL)",
    )?
    .execute((due.transaction.begun.id.as_str(), due.leased_until.as_millisecond(), deadline.as_millisecond()))
    .map(|permitted| permitted > 0)
}

/// A statement of its own: these columns have indexes, which the update of every other event need not write.
fn store_mark(
    db: &Connection,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
    ask_at: Option<Timestamp>,
) -> Result<()> {
    db.prepare_cached("UPDATE transactions SET handed_over_at = ?2, send_at = ?3, ask_at = ?4, asks = 0 WHERE id = ?1")?
        .execute((
            transaction.begun.id.as_str(),
            transaction.handed_over_at.map(Timestamp::as_millisecond),
            send_at.map(Timestamp::as_millisecond),
            ask_at.map(Timestamp::as_millisecond),
        ))
        .map(drop)
}
