//! The sums of a charge's refunds. They change in the database transaction that begins or ends a
//! refund, under a lock on the charge's row.
//!
//! Lock order: the refund, then its charge. A charge never waits for a refund.

use super::{record::at, transaction_rows::lock};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    Event, Transaction, TransactionOrder,
    refund::{self, NotRefundable, RefundSums},
};
use tua_sql::{
    columns, event_json,
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    rows::{self, transaction_columns},
};

/// The charges of new refunds, locked until the commit, by their ids.
pub(super) struct Charges(HashMap<String, Transaction>);

impl Charges {
    /// Locks the charges of those that are refunds. Nothing is asked where there is none.
    pub(super) async fn lock(
        db: &Db,
        new: impl Iterator<Item = &TransactionOrder>,
    ) -> Result<Self> {
        let ids: Vec<&str> =
            new.filter_map(|new| Some(new.refund.as_ref()?.charge.as_str())).collect();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let sql = concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"
        );
        let rows = db.query(sql, &[&ids]).await?;
        let charges: Vec<Transaction> =
            rows.iter().map(rows::transaction).collect::<Result<_>>()?;
        Ok(Self(
            charges
                .into_iter()
                .map(|charge| (charge.order.id.as_str().to_owned(), charge))
                .collect(),
        ))
    }

    /// The charge that a new refund refunds; `None` for any other transaction.
    pub(super) fn of(&self, new: &TransactionOrder) -> Result<Option<&Transaction>> {
        let Some(of) = &new.refund else { return Ok(None) };
        self.0.get(of.charge.as_str()).ok_or(Error::MissingRow).map(Some)
    }
}

/// Why the charge of a refund cannot be refunded now. `None` where it can, and for any other
/// transaction. Locks the charge until the commit, so that a dispute is stored before or after it.
pub(super) async fn not_refundable(
    db: &Db,
    new: &TransactionOrder,
) -> Result<Option<NotRefundable>> {
    let Some(of) = &new.refund else { return Ok(None) };
    let charge = lock(db, &of.charge).await?;
    Ok(refund::left(&charge).err())
}

/// Counts what has become of a refund, whose part of the sums was `before`. Does nothing for any
/// other transaction.
pub(super) async fn count(
    db: &Db,
    before: RefundSums,
    refund: &Transaction,
    now: Timestamp,
) -> Result<()> {
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
    let row = row.as_ref().ok_or(Error::MissingRow)?;
    let (sums, version): (_, i64) = (columns::refund_sums(row)?, columns::number(row, "version")?);
    let event = event_json::write(&Event::RefundsChanged(sums));
    let sql = "INSERT INTO transaction_events (transaction_id, version, at, event) VALUES ($1, $2, \
        $3, $4)";
    db.execute(sql, &[&charge, &version, &at(now), &event]).await.map(drop)
}

/// Whether a native refund of the same charge is handed over and not final. Locks the charge first,
/// so that of two refunds only one is handed over.
pub(super) async fn is_another_under_way(db: &Db, refund: &Transaction) -> Result<bool> {
    let Some(charge) = refund.order.native_refund_of() else { return Ok(false) };
    lock(db, charge).await?;
    let sql = "SELECT 1 FROM transactions
               WHERE refund_of = $1 AND id <> $2 AND refund_method = 'NATIVE' AND status = 'PENDING'
                 AND handed_over_at IS NOT NULL LIMIT 1";
    Ok(db.query_opt(sql, &[&charge.as_str(), &refund.order.id.as_str()]).await?.is_some())
}
