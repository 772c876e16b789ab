//! Payouts that wait for an approval, and the decisions about them.

use super::sql::ready;
use super::{
    accounts::{self, Blocked},
    payout_controls,
    record::Record,
    refunds,
    transaction_rows::by_id,
    transactions::take,
};
use crate::queries::audit;
use crate::{
    audit_values,
    column_values::{operator_columns, refund_columns},
    rows,
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    AccountId, Event, KeyId, Kind, NewTransaction, Transaction, TransactionId,
    approval::{self, Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    ports::Decided,
};

pub(super) fn unapproved(db: &Connection, account: Option<&AccountId>) -> Result<Vec<Transaction>> {
    db.prepare_cached(
        "SELECT * FROM transactions INDEXED BY transactions_unapproved
         WHERE approval_due IS NOT NULL AND (?1 IS NULL OR account_id = ?1) ORDER BY approval_due, \
         id",
    )?
    .query_map([account.map(AccountId::as_str)], |row| rows::transaction(&Record::new(row)))?
    .collect()
}

pub(super) fn decide(
    db: &Connection,
    id: &TransactionId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<std::result::Result<Decided, DecideError>> {
    let found =
        by_id(db, id)?.filter(|transaction| transaction.begun.transfer.kind == Kind::Payout);
    let Some(transaction) = found else { return Ok(Err(DecideError::Unknown)) };
    if let Err(refusal) = decision.decision.may_concern(&transaction.begun) {
        return Ok(Err(refusal));
    }
    let circumstances = match decision.decision {
        PayoutDecision::Approve { .. } => {
            Some(circumstances(db, &transaction.begun, Some(id), now)?)
        }
        PayoutDecision::Refuse { .. } | PayoutDecision::Cancel => None,
    };
    match decision.events(&transaction, circumstances, now) {
        Ok(events) => {
            let before = transaction.clone();
            let decided = apply(db, transaction, &events, now)?;
            if let Some(by) = by.filter(|_| !events.is_empty()) {
                ready(audit::append(
                    db,
                    by,
                    &audit_values::payments::payout_decided(
                        decision.decision.action(),
                        &before,
                        &decided.transaction,
                    ),
                ))?;
            }
            Ok(Ok(decided))
        }
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// What the approval of a payout depends on. The sum of the day leaves out the payout `without`.
pub(super) fn circumstances(
    db: &Connection,
    begun: &NewTransaction,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<Circumstances> {
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &begun.scope, without, now)?;
    let Blocked { is_key_revoked, is_account_suspended } =
        accounts::blocked(db, begun.key.as_ref(), &begun.scope.account)?;
    let not_refundable = refunds::not_refundable(db, begun)?;
    Ok(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked,
        is_account_suspended,
        not_refundable,
    })
}

/// Whether [`expire`] would find anything.
pub(super) fn is_any_expired(db: &Connection, now: Timestamp) -> Result<bool> {
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM transactions WHERE approval_due <= ?1)")?
        .query_row([now.as_millisecond()], |row| row.get(0))
}

pub(super) fn expire(db: &Connection, now: Timestamp, most: u32) -> Result<Vec<Decided>> {
    let expired: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions WHERE approval_due <= ?1 ORDER BY \
             approval_due, id LIMIT ?2",
        )?
        .query_map((now.as_millisecond(), most), |row| rows::transaction(&Record::new(row)))?
        .collect::<Result<_>>()?;
    refuse_all(db, expired, now)
}

/// Refuses the payouts of a key that wait for an approval.
pub(super) fn refuse_of_key(db: &Connection, key: &KeyId, now: Timestamp) -> Result<Vec<Decided>> {
    let waiting: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_unapproved
             WHERE approval_due IS NOT NULL AND key_id = ?1 ORDER BY id",
        )?
        .query_map([key.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect::<Result<_>>()?;
    refuse_all(db, waiting, now)
}

/// Lets the payouts of an account that are not sent wait for an approval.
pub(super) fn require_of_account(
    db: &Connection,
    account: &AccountId,
    now: Timestamp,
) -> Result<()> {
    let unsent: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_unsent
             WHERE send_at IS NOT NULL AND account_id = ?1 AND kind = 'PAYOUT' ORDER BY id",
        )?
        .query_map([account.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect::<Result<_>>()?;
    for mut transaction in unsent {
        let Some(event) = approval::require(&transaction) else { continue };
        take(db, &mut transaction, &event, now)?;
        store_wait(db, &transaction)?;
    }
    Ok(())
}

/// Stores that a payout is not sent, and until when it waits for an approval.
pub(super) fn store_wait(db: &Connection, transaction: &Transaction) -> Result<()> {
    let until = approval::approval_until(transaction).as_millisecond();
    db.prepare_cached("UPDATE transactions SET send_at = NULL, approval_due = ?2 WHERE id = ?1")?
        .execute((transaction.begun.id.as_str(), until))
        .map(drop)
}

fn refuse_all(db: &Connection, waiting: Vec<Transaction>, now: Timestamp) -> Result<Vec<Decided>> {
    let refuse = |transaction: Transaction| {
        let event = approval::expire(&transaction);
        apply(db, transaction, event.as_slice(), now)
    };
    waiting.into_iter().map(refuse).collect()
}

pub(super) fn apply(
    db: &Connection,
    mut transaction: Transaction,
    events: &[Event],
    now: Timestamp,
) -> Result<Decided> {
    let before = (!events.is_empty()).then_some(transaction.state);
    for event in events {
        take(db, &mut transaction, event, now)?;
    }
    if events.iter().any(|event| matches!(event, Event::Approved { .. })) {
        store_route(db, &transaction)?;
        db.prepare_cached("UPDATE transactions SET send_at = ?2 WHERE id = ?1")?
            .execute((transaction.begun.id.as_str(), now.as_millisecond()))?;
    }
    Ok(Decided { transaction, before })
}

/// Stores what an approval chose, and that nothing waits for one. A statement of its own: these
/// columns have indexes, which the update of every other event need not write.
pub(super) fn store_route(db: &Connection, transaction: &Transaction) -> Result<()> {
    let (operator, fingerprint) = operator_columns(transaction.operator.as_ref());
    db.prepare_cached(
        "UPDATE transactions SET approved_at = ?2, approval_due = NULL, operator = ?3, \
         operator_fingerprint = ?4,
             expected_fee = ?5, refund_method = ?6, approved_after_revocation = ?7, network = ?8
         WHERE id = ?1",
    )?
    .execute((
        transaction.begun.id.as_str(),
        transaction.approved_at.map(Timestamp::as_millisecond),
        operator,
        fingerprint,
        transaction.begun.price.fee_pesewas,
        refund_columns(&transaction.begun).1,
        transaction.is_approved_after_revocation,
        transaction.begun.transfer.network.as_str(),
    ))
    .map(drop)
}
