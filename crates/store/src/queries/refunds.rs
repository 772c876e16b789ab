//! The sums of a charge's refunds. They change in the database transaction that begins or ends a
//! refund, under a lock on the charge's row.
//!
//! Lock order: the refund, then its charge. A charge never waits for a refund.

use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    Event, Transaction, TransactionOrder,
    refund::{self, NotRefundable, RefundSums},
};
use tua_sql::{
    columns, event_json,
    sql::{MissingRow, Sql},
};

/// Why the charge of a refund cannot be refunded now. `None` where it can, and for any other
/// transaction. Locks the charge until the commit, so that a dispute is stored before or after it.
pub(crate) async fn not_refundable<S: PaymentSql>(
    db: &S,
    new: &TransactionOrder,
) -> Result<Option<NotRefundable>, S::Error> {
    let Some(of) = &new.refund else { return Ok(None) };
    let charge = db.lock_transaction(&of.charge).await?.ok_or(MissingRow)?;
    Ok(refund::left(&charge).err())
}

/// Counts what has become of a refund, whose part of the sums was `before`. Does nothing for any
/// other transaction.
pub(crate) async fn count<S: Sql>(
    db: &S,
    before: RefundSums,
    refund: &Transaction,
    now: Timestamp,
) -> Result<(), S::Error> {
    let after = RefundSums::of(refund);
    let Some(of) = refund.order.refund.as_ref().filter(|_| before != after) else { return Ok(()) };
    let change = after - before;
    let sql = "UPDATE transactions
               SET refunds_returned = refunds_returned + $2, refunds_counted = refunds_counted + $3,
                   refunds_native = refunds_native + $4, version = version + 1
               WHERE id = $1 RETURNING refunds_returned, refunds_counted, refunds_native, version";
    let charge = of.charge.as_str();
    let row =
        db.query_opt(sql, &[&charge, &change.returned, &change.counted, &change.native]).await?;
    let row = row.ok_or(MissingRow)?;
    let version: i64 = columns::number(&row, "version")?;
    let event = event_json::write(&Event::RefundsChanged(columns::refund_sums(&row)?));
    let sql = "INSERT INTO transaction_events (transaction_id, version, at, event)
               VALUES ($1, $2, $3, $4)";
    db.execute(sql, &[&charge, &version, &now, &event]).await.map(drop)
}

/// Whether a native refund of the same charge is handed over and not final. Locks the charge first,
/// so that of two refunds only one is handed over.
pub(crate) async fn is_another_under_way<S: PaymentSql>(
    db: &S,
    refund: &Transaction,
) -> Result<bool, S::Error> {
    let Some(charge) = refund.order.native_refund_of() else { return Ok(false) };
    db.lock_transaction(charge).await?.ok_or(MissingRow)?;
    let sql = "SELECT 1 FROM transactions
               WHERE refund_of = $1 AND id <> $2 AND refund_method = 'NATIVE' AND status = 'PENDING'
                 AND handed_over_at IS NOT NULL LIMIT 1";
    Ok(db.query_opt(sql, &[&charge.as_str(), &refund.order.id.as_str()]).await?.is_some())
}
