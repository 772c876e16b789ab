//! Marks orders as handed over, before they are sent.

use super::{approvals, checkouts, new_requests, refunds};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
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
    sql::{MissingRow, Parameters, RowLock, Sql},
};

/// As [`tua_domain::ports::HandOvers::hand_over`].
pub(crate) async fn mark<S: PaymentSql>(
    db: &S,
    id: &TransactionId,
    route: Route,
    first_query_at: Timestamp,
    now: Timestamp,
    waited: Duration,
) -> Result<HandOver, S::Error> {
    let Some(mut transaction) = db.lock_transaction(id).await? else {
        return Ok(HandOver::Nothing);
    };
    let session = session(db, &transaction).await?;
    let is_key_revoked = is_key_revoked(db, &transaction, session.as_ref(), now).await?;
    let session_expires_at = session.map(|session| session.expires_at);
    let is_held =
        match rules::hand_over(&transaction, session_expires_at, is_key_revoked, now, waited) {
            None => return Ok(HandOver::Nothing),
            Some(HandOverDecision::End(event)) => {
                db.apply_event(&mut transaction, &event, now).await?;
                return Ok(HandOver::Ended(transaction));
            }
            Some(HandOverDecision::Stop(event)) => {
                db.apply_event(&mut transaction, &event, now).await?;
                if !transaction.state.is_unapproved() {
                    return Ok(HandOver::Ended(transaction));
                }
                approvals::store_wait(db, &transaction).await?;
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
    db.apply_event(&mut transaction, &Event::HandedOver, now).await?;
    store_mark(db, &transaction, None, Some(first_query_at)).await?;
    Ok(HandOver::Marked(transaction))
}

/// Whether an order is a refund whose charge cannot be refunded now: it may have been disputed or
/// contradicted since its operator was asked.
async fn is_blocked<S: PaymentSql>(
    db: &S,
    transaction: &Transaction,
    route: Route,
) -> Result<bool, S::Error> {
    Ok(route == Route::Blocked || refunds::not_refundable(db, &transaction.order).await?.is_some())
}

/// Whether an order may not be sent now.
async fn is_held<S: PaymentSql>(
    db: &S,
    transaction: &Transaction,
    route: Route,
) -> Result<bool, S::Error> {
    let is_turn =
        route != Route::OneAtATime || !refunds::is_another_under_way(db, transaction).await?;
    Ok(route == Route::Unavailable
        || !is_turn
        || new_requests::lock_suspended(db, &transaction.order.scope.account).await?)
}

/// Flags a refund for review, and does not send it.
async fn flag<S: Sql>(db: &S, transaction: &Transaction, now: Timestamp) -> Result<(), S::Error> {
    let sql =
        "UPDATE transactions SET send_at = NULL, review_at = coalesce(review_at, $2) WHERE id = $1";
    db.execute(sql, &[&transaction.order.id.as_str(), &now]).await.map(drop)
}

/// The session that an order charges, if any.
async fn session<S: Sql>(db: &S, transaction: &Transaction) -> Result<Option<Checkout>, S::Error> {
    let Some(checkout) = &transaction.order.checkout else { return Ok(None) };
    checkouts::by_id(db, checkout).await
}

/// Whether the key is revoked whose revocation stops the order.
///
/// The caller has locked the transaction. A revocation that has not been committed waits for the
/// lock, and then finds the order handed over; or it has the lock first, and the caller finds the
/// order stopped.
async fn is_key_revoked<S: Sql>(
    db: &S,
    transaction: &Transaction,
    session: Option<&Checkout>,
    now: Timestamp,
) -> Result<bool, S::Error> {
    new_requests::is_revoked(db, key_of_order(transaction, session, now)).await
}

/// Stores whether an order is handed over, and when it is sent or asked about. A statement of its
/// own: these columns have indexes, which the update of every other event need not write.
async fn store_mark<S: Sql>(
    db: &S,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
    ask_at: Option<Timestamp>,
) -> Result<(), S::Error> {
    let sql = "UPDATE transactions SET handed_over_at = $2, send_at = $3, ask_at = $4, asks = 0 \
        WHERE id = $1";
    let id = transaction.order.id.as_str();
    db.execute(sql, &[&id, &transaction.handed_over_at, &send_at, &ask_at]).await.map(drop)
}

/// Stores that the operator has the order. Returns whether that was not known before.
pub(crate) async fn acknowledge<S: Sql>(
    db: &S,
    id: &TransactionId,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "UPDATE transactions SET acknowledged_at = $2
               WHERE id = $1 AND acknowledged_at IS NULL AND status = 'PENDING'
                 AND handed_over_at IS NOT NULL";
    Ok(db.execute(sql, &[&id.as_str(), &now]).await? > 0)
}

/// Marks an order as handed over, because an operator has it.
pub(crate) async fn record_found<S: PaymentSql>(
    db: &S,
    id: &TransactionId,
    approved: Option<&PayoutRoute>,
    by: &AuditContext,
) -> Result<Transaction, S::Error> {
    let mut transaction = db.lock_transaction(id).await?.ok_or(MissingRow)?;
    let events = rules::found_at_operator(&transaction, approved.cloned());
    if events.is_empty() {
        return Ok(transaction);
    }
    let before = transaction.clone();
    for event in &events {
        db.apply_event(&mut transaction, event, by.at).await?;
    }
    db.store_routes(&[&transaction], None).await?;
    store_mark(db, &transaction, None, Some(by.at)).await?;
    acknowledge(db, id, by.at).await?;
    audit::append(db, by, &audit_values::payments::payment_found(&before, &transaction)).await?;
    Ok(transaction)
}

/// As [`tua_domain::ports::HandOvers::withdraw_hand_over`].
pub(crate) async fn withdraw<S: PaymentSql>(
    db: &S,
    marked: &Transaction,
    send_at: Timestamp,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM transactions
               WHERE id = $1 AND version = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND send_deadline IS NULL AND acknowledged_at IS NULL";
    let key: Parameters<'_> = &[&marked.order.id.as_str(), &marked.version];
    if db.query_locked(sql, RowLock::NoKeyUpdate, key).await?.is_empty() {
        return Ok(false);
    }
    // Locks the account: while it is being resumed, this waits, and is then after the resumption,
    // as in one order.
    new_requests::lock_suspended(db, &marked.order.scope.account).await?;
    let mut transaction = marked.clone();
    let session = session(db, marked).await?;
    // An order of a revoked key is looked at now, to be stopped.
    let latest = if is_key_revoked(db, marked, session.as_ref(), now).await? {
        now
    } else {
        rules::hand_over_until(marked, session.map(|session| session.expires_at))
    };
    db.apply_event(&mut transaction, &Event::HandOverWithdrawn, now).await?;
    store_mark(db, &transaction, Some(send_at.min(latest)), None).await?;
    Ok(true)
}

/// As [`tua_domain::ports::HandOvers::permit_repeated_send`].
pub(crate) async fn permit_repeat<S: PaymentSql>(
    db: &S,
    due: &DueTransaction,
    deadline: Timestamp,
) -> Result<Option<Timestamp>, S::Error> {
    let order = &due.transaction.order;
    if order.refund.is_some() {
        // The refund before its charge, in the order of all locks.
        db.lock_transaction(&order.id).await?.ok_or(MissingRow)?;
        if refunds::not_refundable(db, order).await?.is_some() {
            return Ok(None);
        }
    }
    let sql = "UPDATE transactions
               SET send_deadline = CASE WHEN send_deadline >= $3 THEN send_deadline + 1 ELSE $3 END
               WHERE id = $1 AND ask_at = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND acknowledged_at IS NULL AND review_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM accounts
                                 WHERE accounts.id = account_id AND suspended_at IS NOT NULL)
                 AND (approved_after_revocation > 0
                      OR NOT EXISTS (SELECT 1 FROM api_keys
                                     WHERE api_keys.id = key_id AND revoked_at IS NOT NULL))
               RETURNING send_deadline";
    let permitted = db.query_opt(sql, &[&order.id.as_str(), &due.leased_until, &deadline]).await?;
    permitted.map(|row| columns::time(&row, "send_deadline")).transpose()
}
