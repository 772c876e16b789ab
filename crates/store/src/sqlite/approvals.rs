//! What approvals depend on, and what they store ([`crate::queries::approvals`]).

use super::{
    accounts::{self, Blocked},
    payout_controls, refunds,
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{Transaction, TransactionId, TransactionOrder, approval::Circumstances};
use tua_sql::column_values::{operator_columns, refund_columns};

/// What the approval of a payout depends on. The sum of the day leaves out the payout `without`.
pub(super) fn circumstances(
    db: &Connection,
    order: &TransactionOrder,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<Circumstances> {
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &order.scope, without, now)?;
    let Blocked { is_key_revoked, is_account_suspended } =
        accounts::blocked(db, order.key.as_ref(), &order.scope.account)?;
    let not_refundable = refunds::not_refundable(db, order)?;
    Ok(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked,
        is_account_suspended,
        not_refundable,
    })
}

/// Stores what an approval chose, and that the payout may be sent.
pub(super) fn store_approved(
    db: &Connection,
    approved: &Transaction,
    now: Timestamp,
) -> Result<()> {
    store_route(db, approved)?;
    db.prepare_cached("UPDATE transactions SET send_at = ?2 WHERE id = ?1")?
        .execute((approved.order.id.as_str(), now.as_millisecond()))
        .map(drop)
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
        transaction.order.id.as_str(),
        transaction.approved_at.map(Timestamp::as_millisecond),
        operator,
        fingerprint,
        transaction.order.price.fee_pesewas,
        refund_columns(&transaction.order).1,
        transaction.is_approved_after_revocation,
        transaction.order.transfer.network.as_str(),
    ))
    .map(drop)
}
