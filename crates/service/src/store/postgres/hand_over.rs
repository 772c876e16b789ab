//! Marks orders as handed over, before they are sent.

use super::{
    accounts, approvals, audit, checkouts,
    db::Db,
    error::{Error, Result},
    record::{at, maybe_at},
    refunds,
    transactions::{acknowledge, lock, take},
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

pub(super) async fn mark(
    db: &Db,
    id: &TransactionId,
    route: Route,
    first_ask: Timestamp,
    now: Timestamp,
) -> Result<HandOver> {
    let mut transaction = match lock(db, id).await {
        Err(Error::MissingRow) => return Ok(HandOver::Nothing),
        transaction => transaction?,
    };
    let session_expires_at = session_expires_at(db, &transaction).await?;
    let Some(event) = rules::hand_over(&transaction, session_expires_at, now) else {
        return Ok(HandOver::Nothing);
    };
    if event == Event::HandedOver {
        // The charge may have been disputed or contradicted since its operator was asked.
        let is_blocked = route == Route::Blocked || refunds::refundable(db, &transaction.begun).await?.is_err();
        if is_blocked {
            flag(db, &transaction, now).await?;
            return Ok(HandOver::Nothing);
        }
    }
    let is_turn = route != Route::OneAtATime || !refunds::is_another_under_way(db, &transaction).await?;
    let is_held = route == Route::Unavailable
        || !is_turn
        || accounts::lock_suspended(db, &transaction.begun.scope.account).await?;
    if event == Event::HandedOver && is_held {
        store_mark(db, &transaction, Some(now + HELD_RETRY), None).await?;
        return Ok(HandOver::Nothing);
    }
    take(db, &mut transaction, &event, now).await?;
    if transaction.handed_over_at.is_none() {
        return Ok(HandOver::Ended(transaction));
    }
    store_mark(db, &transaction, None, Some(first_ask)).await?;
    Ok(HandOver::Marked(transaction))
}

/// Flags a refund for review, and does not send it.
async fn flag(db: &Db, transaction: &Transaction, now: Timestamp) -> Result<()> {
    let sql = "UPDATE transactions SET send_at = NULL, review_at = coalesce(review_at, $2) WHERE id = $1";
    db.execute(sql, &[&transaction.begun.id.as_str(), &at(now)]).await.map(drop)
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
        take(db, &mut transaction, event, by.at).await?;
    }
    approvals::store_routes(db, &[&transaction], None).await?;
    store_mark(db, &transaction, None, Some(by.at)).await?;
    acknowledge(db, id, by.at).await?;
    audit::append(db, by, &audit_values::payment_found(&before, &transaction)).await?;
    Ok(transaction)
}

async fn session_expires_at(db: &Db, transaction: &Transaction) -> Result<Option<Timestamp>> {
    let Some(checkout) = &transaction.begun.checkout else { return Ok(None) };
    Ok(checkouts::by_id(db, checkout).await?.map(|session| session.expires_at))
}

pub(super) async fn withdraw(db: &Db, marked: &Transaction, send_at: Timestamp, now: Timestamp) -> Result<bool> {
    let sql = "SELECT 1 FROM transactions
               WHERE id = $1 AND version = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND send_deadline IS NULL AND acknowledged_at IS NULL FOR NO KEY UPDATE";
    let is_unsent = db.query_opt(sql, &[&marked.begun.id.as_str(), &i64::from(marked.version)]).await?.is_some();
    if is_unsent {
        let mut transaction = marked.clone();
        let send_at = send_at.min(rules::hand_over_until(marked, session_expires_at(db, marked).await?));
        take(db, &mut transaction, &Event::HandOverWithdrawn, now).await?;
        store_mark(db, &transaction, Some(send_at), None).await?;
    }
    Ok(is_unsent)
}

pub(super) async fn permit_repeat(db: &Db, due: &Due, deadline: Timestamp) -> Result<bool> {
    let sql = "UPDATE transactions SET send_deadline = $3
               WHERE id = $1 AND ask_at = $2 AND status = 'PENDING' AND handed_over_at IS NOT NULL
                 AND acknowledged_at IS NULL AND review_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND suspended_at IS NOT NULL)";
    let id = due.transaction.begun.id.as_str();
    Ok(db.execute(sql, &[&id, &at(due.leased_until), &at(deadline)]).await? > 0)
}

async fn store_mark(
    db: &Db,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
    ask_at: Option<Timestamp>,
) -> Result<()> {
    let sql = "UPDATE transactions SET handed_over_at = $2, send_at = $3, ask_at = $4, asks = 0 WHERE id = $1";
    let (mark, id) = (maybe_at(transaction.handed_over_at), transaction.begun.id.as_str());
    db.execute(sql, &[&id, &mark, &maybe_at(send_at), &maybe_at(ask_at)]).await.map(drop)
}
