//! Payouts that wait for an approval, and the decisions about them.
//!
//! Lock order: key, transactions by id, limits, charges of refunds, account.

use super::{new_requests, payout_controls, refunds};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    AccountId, Event, KeyId, Kind, Transaction, TransactionId, TransactionOrder,
    approval::{self, Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    ports::DecidedPayout,
};
use tua_sql::{
    audit_values,
    queries::audit,
    rows::{self, transaction_columns},
    sql::{Parameters, RowLock, Sql},
    write_error::WriteError,
};

const SELECT: &str = concat!("SELECT ", transaction_columns!(), " FROM transactions");

pub(crate) async fn unapproved<S: Sql>(
    db: &S,
    account: Option<&AccountId>,
) -> Result<Vec<Transaction>, S::Error> {
    let index = S::index_hint("transactions_unapproved");
    let sql = format!(
        "{SELECT}{index} WHERE approval_due IS NOT NULL AND (CAST($1 AS TEXT) IS NULL OR \
         account_id = $1)
         ORDER BY approval_due, id"
    );
    db.query(&sql, &[&account.map(AccountId::as_str)])
        .await?
        .iter()
        .map(rows::transaction)
        .collect()
}

pub(crate) async fn decide<S: PaymentSql>(
    db: &S,
    id: &TransactionId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<DecidedPayout, WriteError<DecideError, S::Error>> {
    let found = db.lock_transaction(id).await?;
    let payout = found.filter(|transaction| transaction.order.transfer.kind == Kind::Payout);
    let Some(transaction) = payout else { return Err(WriteError::Rejected(DecideError::NotFound)) };
    decision.decision.may_concern(&transaction.order).map_err(WriteError::Rejected)?;
    let circumstances = match decision.decision {
        PayoutDecision::Approve { .. } => {
            Some(circumstances(db, &transaction.order, Some(id), now).await?)
        }
        PayoutDecision::Refuse { .. } | PayoutDecision::Cancel => None,
    };
    let events = decision.events(&transaction, circumstances, now).map_err(WriteError::Rejected)?;
    let before = transaction.clone();
    let decided = apply(db, transaction, &events, now).await?;
    if let Some(by) = by.filter(|_| !events.is_empty()) {
        let action = decision.decision.action();
        let change = audit_values::payments::payout_decided(action, &before, &decided.transaction);
        audit::append(db, by, &change).await?;
    }
    Ok(decided)
}

/// What the approval of a payout depends on. The sum of the day leaves out the payout `without`.
pub(super) async fn circumstances<S: PaymentSql>(
    db: &S,
    order: &TransactionOrder,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<Circumstances, S::Error> {
    let (controls, paid_pesewas) = payout_controls::lock(db, &order.scope, without, now).await?;
    // A revocation that has not committed yet waits for this transaction's row, and then finds the
    // payout approved.
    let is_key_revoked = new_requests::is_revoked(db, order.key.as_ref()).await?;
    let not_refundable = refunds::not_refundable(db, order).await?;
    let is_account_suspended = new_requests::lock_suspended(db, &order.scope.account).await?;
    Ok(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked,
        is_account_suspended,
        not_refundable,
    })
}

/// Whether [`expire`] would find anything.
pub(crate) async fn is_any_expired<S: Sql>(db: &S, now: Timestamp) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM transactions WHERE approval_due <= $1 LIMIT 1";
    Ok(db.query_opt(sql, &[&now]).await?.is_some())
}

/// Ends payouts that have waited too long. Skips those that somebody decides about at the moment.
pub(crate) async fn expire<S: PaymentSql>(
    db: &S,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<DecidedPayout>, S::Error> {
    let sql = format!("{SELECT} WHERE approval_due <= $1 ORDER BY approval_due, id LIMIT $2");
    let expired = db.query_locked(&sql, RowLock::NoKeyUpdateUnlocked, &[&now, &limit]).await?;
    let expired = expired.iter().map(rows::transaction).collect::<Result<_, S::Error>>()?;
    refuse_all(db, expired, now).await
}

/// Refuses the payouts of a key that wait for an approval.
pub(crate) async fn refuse_of_key<S: PaymentSql>(
    db: &S,
    key: &KeyId,
    now: Timestamp,
) -> Result<Vec<DecidedPayout>, S::Error> {
    let index = S::index_hint("transactions_unapproved");
    let sql = format!("{SELECT}{index} WHERE approval_due IS NOT NULL AND key_id = $1 ORDER BY id");
    refuse_all(db, lock_all(db, &sql, &[&key.as_str()]).await?, now).await
}

/// Locks orders that are not sent and match a condition, in the order of their ids.
pub(crate) async fn lock_unsent<S: Sql>(
    db: &S,
    condition: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<Transaction>, S::Error> {
    let index = S::index_hint("transactions_unsent");
    let sql = format!(
        "{SELECT}{index} WHERE send_at IS NOT NULL AND {condition} ORDER BY transactions.id"
    );
    lock_all(db, &sql, parameters).await
}

/// As [`lock_unsent`], the payouts of an account, so that their waits can be changed ([`require`]).
pub(crate) async fn lock_unsent_payouts<S: Sql>(
    db: &S,
    account: &AccountId,
) -> Result<Vec<Transaction>, S::Error> {
    lock_unsent(db, "account_id = $1 AND kind = 'PAYOUT'", &[&account.as_str()]).await
}

/// Lets payouts that are not sent wait for an approval.
pub(crate) async fn require<S: PaymentSql>(
    db: &S,
    unsent: Vec<Transaction>,
    now: Timestamp,
) -> Result<(), S::Error> {
    for mut transaction in unsent {
        let Some(event) = approval::require(&transaction) else { continue };
        db.apply_event(&mut transaction, &event, now).await?;
        store_wait(db, &transaction).await?;
    }
    Ok(())
}

/// Stores that a payout is not sent, and until when it waits for an approval.
pub(crate) async fn store_wait<S: Sql>(db: &S, transaction: &Transaction) -> Result<(), S::Error> {
    let sql = "UPDATE transactions SET send_at = NULL, approval_due = $2 WHERE id = $1";
    let until = approval::approval_until(transaction);
    db.execute(sql, &[&transaction.order.id.as_str(), &until]).await.map(drop)
}

/// Applies what a decision does to a payout.
pub(crate) async fn apply<S: PaymentSql>(
    db: &S,
    mut transaction: Transaction,
    events: &[Event],
    now: Timestamp,
) -> Result<DecidedPayout, S::Error> {
    let before = (!events.is_empty()).then_some(transaction.state);
    for event in events {
        db.apply_event(&mut transaction, event, now).await?;
    }
    if events.iter().any(|event| matches!(event, Event::Approved { .. })) {
        db.store_routes(&[&transaction], Some(now)).await?;
    }
    Ok(DecidedPayout { transaction, before })
}

async fn refuse_all<S: PaymentSql>(
    db: &S,
    waiting: Vec<Transaction>,
    now: Timestamp,
) -> Result<Vec<DecidedPayout>, S::Error> {
    let mut refused = Vec::with_capacity(waiting.len());
    for transaction in waiting {
        let event = approval::expire(&transaction);
        refused.push(apply(db, transaction, event.as_slice(), now).await?);
    }
    Ok(refused)
}

async fn lock_all<S: Sql>(
    db: &S,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<Transaction>, S::Error> {
    let rows = db.query_locked(sql, RowLock::NoKeyUpdate, parameters).await?;
    rows.iter().map(rows::transaction).collect()
}
