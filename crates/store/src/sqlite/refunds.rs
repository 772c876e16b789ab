//! The sums of a charge's refunds. They change in the write that begins or ends a refund; writes
//! are one after another.

use super::transaction_rows::{append, by_id};
use jiff::Timestamp;
use rusqlite::{Connection, Error, Result};
use tua_domain::{
    Event, Transaction, TransactionOrder,
    refund::{self, NotRefundable, RefundSums},
};
use tua_sql::{columns, sqlite::record::Record};

/// The charge that a new refund refunds; `None` for any other transaction.
pub(super) fn charge_of(db: &Connection, new: &TransactionOrder) -> Result<Option<Transaction>> {
    let Some(of) = &new.refund else { return Ok(None) };
    by_id(db, &of.charge)?.ok_or(Error::QueryReturnedNoRows).map(Some)
}

/// Why the charge of a refund cannot be refunded now. `None` where it can, and for any other
/// transaction.
pub(super) fn not_refundable(
    db: &Connection,
    new: &TransactionOrder,
) -> Result<Option<NotRefundable>> {
    let Some(of) = &new.refund else { return Ok(None) };
    let charge = by_id(db, &of.charge)?.ok_or(Error::QueryReturnedNoRows)?;
    Ok(refund::left(&charge).err())
}

/// Counts what has become of a refund, whose part of the sums was `before`. Does nothing for any
/// other transaction.
pub(super) fn count(
    db: &Connection,
    before: RefundSums,
    refund: &Transaction,
    now: Timestamp,
) -> Result<()> {
    let after = RefundSums::of(refund);
    let Some(of) = refund.order.refund.as_ref().filter(|_| before != after) else { return Ok(()) };
    let change = after - before;
    let (sums, version) = db
        .prepare_cached(
            "UPDATE transactions
             SET refunds_returned = refunds_returned + ?2, refunds_counted = refunds_counted + ?3,
                 refunds_native = refunds_native + ?4, version = version + 1
             WHERE id = ?1 RETURNING refunds_returned, refunds_counted, refunds_native, version",
        )?
        .query_row((of.charge.as_str(), change.returned, change.counted, change.native), |row| {
            let row = Record::new(row);
            Ok((columns::refund_sums(&row)?, columns::number(&row, "version")?))
        })?;
    append(db, &of.charge, version, &Event::RefundsChanged(sums), now)
}

/// Whether a native refund of the same charge is handed over and not final.
pub(super) fn is_another_under_way(db: &Connection, refund: &Transaction) -> Result<bool> {
    let Some(charge) = refund.order.native_refund_of() else { return Ok(false) };
    db.prepare_cached(
        "SELECT 1 FROM transactions
         WHERE refund_of = ?1 AND id <> ?2 AND refund_method = 'NATIVE' AND status = 'PENDING'
           AND handed_over_at IS NOT NULL",
    )?
    .exists((charge.as_str(), refund.order.id.as_str()))
}
