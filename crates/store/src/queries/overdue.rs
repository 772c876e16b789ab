//! Announces delayed transactions and expired sessions to webhook endpoints.

use super::checkouts::{apply_expiry, with_summaries};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    Checkout,
    rules::{self, DELAYED_AFTER},
    webhook::notice::Notice,
};
use tua_sql::{
    queries::advanced_payments::{self, is_delayed},
    rows::{self, select_checkouts},
    sql::{RowLock, Sql},
};

/// Whether [`announce`] would find anything.
pub(crate) async fn is_any<S: Sql>(db: &S, now: Timestamp) -> Result<bool, S::Error> {
    let sql = format!(
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM transactions
                                WHERE status = 'PENDING' AND delayed_at IS NULL
                                  AND handed_over_at <= $1)
                     OR EXISTS (SELECT 1 FROM transactions{} WHERE {})
                     OR EXISTS (SELECT 1 FROM checkouts WHERE expiry_due <= $2)",
        S::index_hint("transactions_undelayed_advanced"),
        is_delayed!("$1"),
    );
    Ok(db.query_opt(&sql, &[&(now - DELAYED_AFTER), &now]).await?.is_some())
}

/// Inserts deliveries for delayed transactions and expired sessions; returns how many of both there
/// were.
pub(crate) async fn announce<S: PaymentSql>(
    db: &S,
    now: Timestamp,
    limit: u32,
) -> Result<usize, S::Error> {
    let handed_over_before = now - DELAYED_AFTER;
    let pending = " WHERE status = 'PENDING' AND delayed_at IS NULL AND handed_over_at <= $1
                   ORDER BY handed_over_at, id";
    let mut delayed =
        advanced_payments::mark_delayed(db, pending, handed_over_before, now, limit).await?;
    delayed.extend(advanced_payments::take_delayed(db, handed_over_before, now, limit).await?);
    let news = delayed.iter().map(|late| (&late.order.scope, Notice::of_delay(late)));
    db.notify(news.collect(), now).await?;
    let expired = take_expired(db, now, limit).await?;
    for (checkout, summary) in with_summaries(db, &expired).await? {
        apply_expiry(db, checkout, rules::expiry(checkout, &summary, now), now).await?;
    }
    Ok(delayed.len() + expired.len())
}

/// Returns expired sessions whose expiry is due, and clears their due time, so that each is
/// returned once.
async fn take_expired<S: Sql>(
    db: &S,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Checkout>, S::Error> {
    let sql = concat!(
        select_checkouts!(""),
        " WHERE expiry_due <= $1 ORDER BY expiry_due, checkouts.id LIMIT $2"
    );
    let lock = RowLock::NoKeyUpdateOf("checkouts");
    let found = db.query_locked(sql, lock, &[&now, &limit]).await?;
    let expired: Vec<Checkout> =
        found.iter().map(rows::checkout).collect::<Result<_, S::Error>>()?;
    for checkout in &expired {
        let sql = "UPDATE checkouts SET expiry_due = NULL WHERE id = $1";
        db.execute(sql, &[&checkout.id.as_str()]).await?;
    }
    Ok(expired)
}
