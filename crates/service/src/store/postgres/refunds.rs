//! The sums of a charge's refunds. They change in the database transaction that begins or ends a refund, under a lock on
//! the charge's row.
//!
//! Lock order: the refund, then its charge. A charge never waits for a refund.

use super::{
    db::Db,
    error::{Error, Result},
    record::at,
    transactions::lock,
};
use crate::{
    domain::{
        Event, NewTransaction, Transaction,
        refund::{self, RefundRefused, RefundSums},
    },
    store::{
        event_json,
        rows::{self, transaction_columns},
    },
};
use jiff::Timestamp;
use std::collections::HashMap;

/// The charges of new refunds, locked until the commit, by their ids.
pub(super) struct Charges(HashMap<String, Transaction>);

impl Charges {
    /// Locks the charges of those that are refunds. Nothing is asked where there is none.
    pub(super) async fn lock(db: &Db, new: impl Iterator<Item = &NewTransaction>) -> Result<Self> {
        let ids: Vec<&str> = new.filter_map(|new| Some(new.refund.as_ref()?.charge.as_str())).collect();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let sql = concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"
        );
        let rows = db.query(sql, &[&ids]).await?;
        let charges: Vec<Transaction> = rows.iter().map(rows::transaction).collect::<Result<_>>()?;
        Ok(Self(charges.into_iter().map(|charge| (charge.begun.id.as_str().to_owned(), charge)).collect()))
    }

    /// Checks that a new refund and all others of its charge are not larger than the payment. `Ok` for any other
    /// transaction.
    pub(super) fn check(&self, new: &NewTransaction) -> Result<std::result::Result<(), RefundRefused>> {
        let Some(of) = &new.refund else { return Ok(Ok(())) };
        let charge = self.0.get(of.charge.as_str()).ok_or(Error::MissingRow)?;
        Ok(refund::amount(charge, Some(new.transfer.amount)).map(drop))
    }
}

/// Counts what has become of a refund, whose part of the sums was `before`. Does nothing for any other transaction.
pub(super) async fn count(db: &Db, before: RefundSums, refund: &Transaction, now: Timestamp) -> Result<()> {
    let after = RefundSums::of(refund);
    let Some(of) = refund.begun.refund.as_ref().filter(|_| before != after) else { return Ok(()) };
    let mut charge = lock(db, &of.charge).await?;
    let event = Event::RefundsChanged(charge.refunds.replaced(before, after));
    charge.take(&event, now);
    let RefundSums { returned, counted, native } = charge.refunds;
    let sql = "WITH charge AS (
                   UPDATE transactions SET refunds_returned = $2, refunds_counted = $3, refunds_native = $4, version = $5
                   WHERE id = $1 RETURNING id, version)
               INSERT INTO transaction_events (transaction_id, version, at, event) SELECT id, version, $6, $7 FROM charge";
    let (id, version, event) = (charge.begun.id.as_str(), i64::from(charge.version), event_json::write(&event));
    db.execute(sql, &[&id, &returned, &counted, &native, &version, &at(now), &event]).await.map(drop)
}

/// Whether a native refund of the same charge is handed over and not final. Locks the charge first, so that of two refunds
/// only one is handed over.
pub(super) async fn is_another_under_way(db: &Db, refund: &Transaction) -> Result<bool> {
    let Some(charge) = refund.begun.native_refund_of() else { return Ok(false) };
    lock(db, charge).await?;
    let sql = "SELECT 1 FROM transactions
               WHERE refund_of = $1 AND id <> $2 AND refund_method = 'NATIVE' AND status = 'PENDING'
                 AND handed_over_at IS NOT NULL LIMIT 1";
    Ok(db.query_opt(sql, &[&charge.as_str(), &refund.begun.id.as_str()]).await?.is_some())
}
