//! Marks orders as handed over, before they are sent.

use super::{
    accounts, approvals, checkouts,
    record::{at, maybe_at},
    refunds,
    transaction_rows::lock,
    transactions::{acknowledge, apply_event},
};
use crate::queries::approvals::store_wait;
use jiff::Timestamp;
use std::time::Duration;
use tokio_postgres::types::ToSql;
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
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    queries::audit,
};

pub(super) async fn mark(
    db: &Db,
    id: &TransactionId,
    route: Route,
    first_query_at: Timestamp,
    now: Timestamp,
    waited: Duration,
) -> Result<HandOver> {
    let mut transaction = match lock(db, id).await {
        Err(Error::MissingRow) => return Ok(HandOver::Nothing),
        transaction => transaction?,
    };
    let session = session(db, &transaction).await?;
    let is_key_revoked = is_key_revoked(db, &transaction, session.as_ref(), now).await?;
    let session_expires_at = session.map(|session| session.expires_at);
    let is_held =
        match rules::hand_over(&transaction, session_expires_at, is_key_revoked, now, waited) {
            None => return Ok(HandOver::Nothing),
            Some(HandOverDecision::End(event)) => {
                apply_event(db, &mut transaction, &event, now).await?;
                return Ok(HandOver::Ended(transaction));
            }
            Some(HandOverDecision::Stop(event)) => {
                apply_event(db, &mut transaction, &event, now).await?;
                if !transaction.state.is_unapproved() {
                    return Ok(HandOver::Ended(transaction));
                }
                store_wait(db, &transaction).await?;
                return Ok(HandOver::Held(transaction));
            }
            Some(HandOverDecision::HandOver) if is_blocked(db, &transaction, route).await? => {
                flag(db, &transaction, now).await?;
                return Ok(HandOver::Nothing);
            }
            Some(HandOverDecision::HandOver) => is_held(db, &transaction, route).await?,
            Some(HandOverDecision::Wait) => true,
        };
    if is_held {
        store_mark(db, &transaction, Some(now + HELD_RETRY), None).await?;
        return Ok(HandOver::Nothing);
    }
    apply_event(db, &mut transaction, &Event::HandedOver, now).await?;
    store_mark(db, &transaction, None, Some(first_query_at)).await?;
    Ok(HandOver::Marked(transaction))
}

/// Whether an order is a refund whose charge cannot be refunded now: it may have been disputed or
/// contradicted since its operator was asked.
async fn is_blocked(db: &Db, transaction: &Transaction, route: Route) -> Result<bool> {
    Ok(route == Route::Blocked || refunds::not_refundable(db, &transaction.order).await?.is_some())
}

/// Whether an order may not be sent now.
async fn is_held(db: &Db, transaction: &Transaction, route: Route) -> Result<bool> {
    let is_turn =
        route != Route::OneAtATime || !refunds::is_another_under_way(db, transaction).await?;
    Ok(route == Route::Unavailable
        || !is_turn
        || accounts::lock_suspended(db, &transaction.order.scope.account).await?)
}

/// Flags a refund for review, and does not send it.
async fn flag(db: &Db, transaction: &Transaction, now: Timestamp) -> Result<()> {
    let sql =
        "UPDATE transactions SET send_at = NULL, review_at = coalesce(review_at, $2) WHERE id = $1";
    db.execute(sql, &[&transaction.order.id.as_str(), &at(now)]).await.map(drop)
}

/// Marks an order as handed over, because an operator has it.
pub(super) async fn record_found(
    db: &Db,
    id: &TransactionId,
    approved: Option<&PayoutRoute>,
    by: &AuditContext,
) -> Result<Transaction> {
    let mut transaction = lock(db, id).await?;
    let events = rules::found_at_operator(&transaction, approved.cloned());
    if events.is_empty() {
        return Ok(transaction);
    }
    let before = transaction.clone();
    for event in &events {
        apply_event(db, &mut transaction, event, by.at).await?;
    }
    approvals::store_routes(db, &[&transaction], None).await?;
    store_mark(db, &transaction, None, Some(by.at)).await?;
    acknowledge(db, id, by.at).await?;
    audit::append(db, by, &audit_values::payments::payment_found(&before, &transaction)).await?;
    Ok(transaction)
}

async fn session(db: &Db, transaction: &Transaction) -> Result<Option<Checkout>> {
    let Some(checkout) = &transaction.order.checkout else { return Ok(None) };
    checkouts::by_id(db, checkout).await
}

/// Whether the key is revoked whose revocation stops the order.
///
/// The caller has locked the transaction. A revocation that has not been committed waits for the
/// lock, and then finds the order handed over; or it has the lock first, and the caller finds the
/// order stopped.
async fn is_key_revoked(
    db: &Db,
    transaction: &Transaction,
    session: Option<&Checkout>,
    now: Timestamp,
) -> Result<bool> {
    match key_of_order(transaction, session, now) {
        Some(key) => Ok(!accounts::revoked(db, &[key]).await?.is_empty()),
        None => Ok(false),
    }
}

pub(super) async fn withdraw(
    db: &Db,
    marked: &Transaction,
    send_at: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let sql = "SELECT 1 FROM transactions
               WHERE id = $1 AND version = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND send_deadline IS NULL AND acknowledged_at IS NULL FOR NO KEY UPDATE";
    let is_unsent = db
        .query_opt(sql, &[&marked.order.id.as_str(), &i64::from(marked.version)])
        .await?
        .is_some();
    if is_unsent {
        // Locks the account: while it is being resumed, this waits, and is then after the
        // resumption, as in one order.
        accounts::lock_suspended(db, &marked.order.scope.account).await?;
        let mut transaction = marked.clone();
        let session = session(db, marked).await?;
        // An order of a revoked key is looked at now, to be stopped.
        let latest = if is_key_revoked(db, marked, session.as_ref(), now).await? {
            now
        } else {
            rules::hand_over_until(marked, session.map(|session| session.expires_at))
        };
        let send_at = send_at.min(latest);
        apply_event(db, &mut transaction, &Event::HandOverWithdrawn, now).await?;
        store_mark(db, &transaction, Some(send_at), None).await?;
    }
    Ok(is_unsent)
}

pub(super) async fn permit_repeat(
    db: &Db,
    due: &DueTransaction,
    deadline: Timestamp,
) -> Result<Option<Timestamp>> {
    let sql = "UPDATE transactions SET send_deadline = greatest($3, send_deadline + 1)
               WHERE id = $1 AND ask_at = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND acknowledged_at IS NULL AND review_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND \
        suspended_at IS NOT NULL)
                 AND (approved_after_revocation > 0
                      OR NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = key_id AND \
        revoked_at IS NOT NULL))
               RETURNING send_deadline";
    let order = &due.transaction.order;
    if order.refund.is_some() {
        // The refund before its charge, in the order of all locks.
        lock(db, &order.id).await?;
        if refunds::not_refundable(db, order).await?.is_some() {
            return Ok(None);
        }
    }
    let parameters: [&(dyn ToSql + Sync); 3] =
        [&order.id.as_str(), &at(due.leased_until), &at(deadline)];
    let permitted = db.query_opt(sql, &parameters).await?;
    permitted.map(|row| columns::time(&row, "send_deadline")).transpose()
}

async fn store_mark(
    db: &Db,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
    ask_at: Option<Timestamp>,
) -> Result<()> {
    let sql = "UPDATE transactions SET handed_over_at = $2, send_at = $3, ask_at = $4, asks = 0 \
        WHERE id = $1";
    let mark = maybe_at(transaction.handed_over_at);
    let id = transaction.order.id.as_str();
    db.execute(sql, &[&id, &mark, &maybe_at(send_at), &maybe_at(ask_at)]).await.map(drop)
}
