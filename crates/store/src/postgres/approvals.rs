//! Payouts that wait for an approval, and the decisions about them.
//!
//! Lock order: key, transactions by id, limits, charges of refunds, account.

use super::{
    accounts,
    batch_ops::column,
    db::Db,
    error::{Error, Result},
    payout_controls,
    record::{at, maybe_at},
    refunds,
    transaction_rows::lock,
    transactions::take,
};
use crate::queries::audit;
use crate::{
    audit_values,
    column_values::{operator_columns, refund_columns},
    rows::{self, transaction_columns},
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, Event, KeyId, Kind, NewTransaction, Transaction, TransactionId,
    approval::{self, Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    ports::Decided,
};

pub(super) async fn unapproved(db: &Db, account: Option<&AccountId>) -> Result<Vec<Transaction>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions
         WHERE approval_due IS NOT NULL AND ($1::text IS NULL OR account_id = $1) ORDER BY \
         approval_due, id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(rows::transaction).collect()
}

pub(super) async fn decide(
    db: &Db,
    id: &TransactionId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<std::result::Result<Decided, DecideError>> {
    let transaction = match lock(db, id).await {
        Err(Error::MissingRow) => return Ok(Err(DecideError::Unknown)),
        transaction => transaction?,
    };
    if transaction.begun.transfer.kind != Kind::Payout {
        return Ok(Err(DecideError::Unknown));
    }
    if let Err(refusal) = decision.decision.may_concern(&transaction.begun) {
        return Ok(Err(refusal));
    }
    let circumstances = match decision.decision {
        PayoutDecision::Approve { .. } => {
            Some(circumstances(db, &transaction.begun, Some(id), now).await?)
        }
        PayoutDecision::Refuse { .. } | PayoutDecision::Cancel => None,
    };
    match decision.events(&transaction, circumstances, now) {
        Ok(events) => {
            let before = transaction.clone();
            let decided = apply(db, transaction, &events, now).await?;
            if let Some(by) = by.filter(|_| !events.is_empty()) {
                audit::append(
                    db,
                    by,
                    &audit_values::payments::payout_decided(
                        decision.decision.action(),
                        &before,
                        &decided.transaction,
                    ),
                )
                .await?;
            }
            Ok(Ok(decided))
        }
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// What the approval of a payout depends on. The sum of the day leaves out the payout `without`.
pub(super) async fn circumstances(
    db: &Db,
    begun: &NewTransaction,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<Circumstances> {
    let controls =
        payout_controls::lock(db, std::iter::once(&begun.scope)).await?.remove(&begun.scope);
    let controls = controls.unwrap_or_default();
    let paid_pesewas = match controls.daily_limit {
        Some(_) => payout_controls::paid_pesewas(db, &begun.scope, now, without).await?,
        None => 0,
    };
    // A revocation that has not committed yet waits for this transaction's row, and then finds the
    // payout approved.
    let revoked = "SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL";
    let revoked = db.query_opt(revoked, &[&begun.key.as_ref().map(KeyId::as_str)]).await?;
    let not_refundable = refunds::not_refundable(db, begun).await?;
    let is_account_suspended = accounts::lock_suspended(db, &begun.scope.account).await?;
    let is_key_revoked = revoked.is_some();
    Ok(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked,
        is_account_suspended,
        not_refundable,
    })
}

/// Whether [`expire`] would find anything.
pub(super) async fn is_any_expired(db: &Db, now: Timestamp) -> Result<bool> {
    let found = db
        .query_opt("SELECT 1 FROM transactions WHERE approval_due <= $1 LIMIT 1", &[&at(now)])
        .await?;
    Ok(found.is_some())
}

/// Ends payouts that have waited too long. Skips those that somebody decides about at the moment.
pub(super) async fn expire(db: &Db, now: Timestamp, most: u32) -> Result<Vec<Decided>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE approval_due <= $1 ORDER BY approval_due, id LIMIT $2 FOR NO KEY \
         UPDATE SKIP LOCKED"
    );
    let expired = db.query(sql, &[&at(now), &i64::from(most)]).await?;
    refuse_all(db, expired.iter().map(rows::transaction).collect::<Result<_>>()?, now).await
}

/// Refuses the payouts of a key that wait for an approval.
pub(super) async fn refuse_of_key(db: &Db, key: &KeyId, now: Timestamp) -> Result<Vec<Decided>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE approval_due IS NOT NULL AND key_id = $1 ORDER BY id FOR NO KEY \
         UPDATE"
    );
    let waiting = db.query(sql, &[&key.as_str()]).await?;
    refuse_all(db, waiting.iter().map(rows::transaction).collect::<Result<_>>()?, now).await
}

/// Locks the payouts of an account that are not sent, so that their waits can be changed
/// ([`require`]).
pub(super) async fn lock_unsent(db: &Db, account: &AccountId) -> Result<Vec<Transaction>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE send_at IS NOT NULL AND account_id = $1 AND kind = 'PAYOUT' \
         ORDER BY id
          FOR NO KEY UPDATE"
    );
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::transaction).collect()
}

/// Lets payouts that are not sent wait for an approval.
pub(super) async fn require(db: &Db, unsent: Vec<Transaction>, now: Timestamp) -> Result<()> {
    for mut transaction in unsent {
        let Some(event) = approval::require(&transaction) else { continue };
        take(db, &mut transaction, &event, now).await?;
        store_wait(db, &transaction).await?;
    }
    Ok(())
}

/// Stores that a payout is not sent, and until when it waits for an approval.
pub(super) async fn store_wait(db: &Db, transaction: &Transaction) -> Result<()> {
    let sql = "UPDATE transactions SET send_at = NULL, approval_due = $2 WHERE id = $1";
    let until = at(approval::approval_until(transaction));
    db.execute(sql, &[&transaction.begun.id.as_str(), &until]).await.map(drop)
}

async fn refuse_all(db: &Db, waiting: Vec<Transaction>, now: Timestamp) -> Result<Vec<Decided>> {
    let mut refused = Vec::with_capacity(waiting.len());
    for transaction in waiting {
        let event = approval::expire(&transaction);
        refused.push(apply(db, transaction, event.as_slice(), now).await?);
    }
    Ok(refused)
}

async fn apply(
    db: &Db,
    mut transaction: Transaction,
    events: &[Event],
    now: Timestamp,
) -> Result<Decided> {
    let before = (!events.is_empty()).then_some(transaction.state);
    for event in events {
        take(db, &mut transaction, event, now).await?;
    }
    if events.iter().any(|event| matches!(event, Event::Approved { .. })) {
        store_approved(db, &[&transaction], now).await?;
    }
    Ok(Decided { transaction, before })
}

/// Stores what approvals chose, and that the payouts may be sent.
pub(super) async fn store_approved(
    db: &Db,
    approved: &[&Transaction],
    now: Timestamp,
) -> Result<()> {
    store_routes(db, approved, Some(now)).await
}

/// Stores what approvals chose, that nothing waits for one, and when to send the payouts.
pub(super) async fn store_routes(
    db: &Db,
    approved: &[&Transaction],
    send_at: Option<Timestamp>,
) -> Result<()> {
    if approved.is_empty() {
        return Ok(());
    }
    let sql =
        "UPDATE transactions SET approved_at = new.approved_at, send_at = $2, approval_due = \
         NULL,
                   operator = new.operator, operator_fingerprint = new.fingerprint, expected_fee = \
         new.fee,
                   refund_method = new.method, approved_after_revocation = new.after_revocation, \
         network = new.network
               FROM unnest($1::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], \
         $7::bigint[], $8::bigint[],
                           $9::text[])
                    AS new (id, operator, fingerprint, fee, method, approved_at, after_revocation, \
         network)
               WHERE transactions.id = new.id";
    db.execute(
        sql,
        &[
            &column(approved, |payout| payout.begun.id.as_str()),
            &maybe_at(send_at),
            &column(approved, |payout| operator_columns(payout.operator.as_ref()).0),
            &column(approved, |payout| operator_columns(payout.operator.as_ref()).1),
            &column(approved, |payout| payout.begun.price.fee_pesewas),
            &column(approved, |payout| refund_columns(&payout.begun).1),
            &column(approved, |payout| maybe_at(payout.approved_at)),
            &column(approved, |payout| i64::from(payout.is_approved_after_revocation)),
            &column(approved, |payout| payout.begun.transfer.network.as_str()),
        ],
    )
    .await
    .map(drop)
}
