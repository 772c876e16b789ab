//! Checkout sessions are read and closed, and what happens to those that have ended is written. The
//! lock on a session's row orders closing and the charges that begin.

use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, KeyId, LinkId, Mode, Scope,
    audit::AuditContext,
    ports::CloseError,
    rules::{self, Expiry},
};
use tua_sql::{
    audit_values,
    queries::audit,
    rows::{self, select_checkouts},
    sql::{Parameters, RowLock, Sql},
    write_error::WriteError,
};

const BY_ID: &str = concat!(select_checkouts!(""), " WHERE checkouts.id = $1");

pub(crate) async fn by_id<S: Sql>(db: &S, id: &CheckoutId) -> Result<Option<Checkout>, S::Error> {
    let found = db.query_opt(BY_ID, &[&id.as_str()]).await?;
    found.as_ref().map(rows::checkout).transpose()
}

/// Closes a session of this account and mode.
pub(crate) async fn close<S: PaymentSql>(
    db: &S,
    scope: &Scope,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<(Checkout, CheckoutSummary), WriteError<CloseError, S::Error>> {
    let found = lock_one(db, id).await?.filter(|checkout| checkout.scope == *scope);
    let Some(checkout) = found else { return Err(WriteError::Rejected(CloseError::NotFound)) };
    let summary = summary(db, id).await?;
    let closed = rules::may_close(&checkout, &summary, by.at).map_err(WriteError::Rejected)?;
    let Some(closed) = closed else { return Ok((checkout, summary)) };
    update_closed_checkout(db, &closed, &summary, by.at).await?;
    let entry = audit_values::payments::checkout_closed(&checkout, &closed);
    audit::append(db, by, &entry).await?;
    Ok((closed, summary))
}

/// Closes the open sessions that a key created, and returns how many they are.
pub(crate) async fn close_all_of<S: PaymentSql>(
    db: &S,
    key: &KeyId,
    now: Timestamp,
) -> Result<usize, S::Error> {
    // With the collation of the primary key, SQLite would read the whole table in its order.
    let sql = concat!(
        select_checkouts!(""),
        " WHERE expiry_due IS NOT NULL AND closed_at IS NULL AND created_by = $1
          ORDER BY checkouts.id COLLATE \"C\""
    );
    close_each(db, lock(db, sql, &[&key.as_str()]).await?, now).await
}

/// Closes the open sessions of a payment link, except one. The caller has locked the link.
pub(crate) async fn close_all_of_link<S: PaymentSql>(
    db: &S,
    link: &LinkId,
    except: Option<&CheckoutId>,
    now: Timestamp,
) -> Result<(), S::Error> {
    let sql = concat!(
        select_checkouts!(""),
        " WHERE link_id = $1 AND expiry_due IS NOT NULL
            AND (CAST($2 AS TEXT) IS NULL OR checkouts.id <> $2)
          ORDER BY checkouts.id"
    );
    let open = lock(db, sql, &[&link.as_str(), &except.map(CheckoutId::as_str)]).await?;
    close_each(db, open, now).await.map(drop)
}

async fn close_each<S: PaymentSql>(
    db: &S,
    open: Vec<Checkout>,
    now: Timestamp,
) -> Result<usize, S::Error> {
    let mut count = 0;
    for (checkout, summary) in with_summaries(db, &open).await? {
        if let Some(closed) = rules::close(checkout, &summary, now) {
            update_closed_checkout(db, &closed, &summary, now).await?;
            count += 1;
        }
    }
    Ok(count)
}

/// These sessions, each with the summary of its charges.
pub(super) async fn with_summaries<'a, S: PaymentSql>(
    db: &S,
    checkouts: &'a [Checkout],
) -> Result<Vec<(&'a Checkout, CheckoutSummary)>, S::Error> {
    if checkouts.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&CheckoutId> = checkouts.iter().map(|checkout| &checkout.id).collect();
    let mut charges = db.charges(&ids).await?;
    let mut summary_of = |id| CheckoutSummary::of(charges.remove(id).unwrap_or_default());
    Ok(checkouts.iter().map(|checkout| (checkout, summary_of(&checkout.id))).collect())
}

async fn update_closed_checkout<S: PaymentSql>(
    db: &S,
    closed: &Checkout,
    summary: &CheckoutSummary,
    now: Timestamp,
) -> Result<(), S::Error> {
    let sql = "UPDATE checkouts SET closed_at = $2, expiry_due = NULL WHERE id = $1";
    db.execute(sql, &[&closed.id.as_str(), &now]).await?;
    apply_expiry(db, closed, rules::expiry(closed, summary, now), now).await
}

/// Writes what happens to a session that has expired or was closed. One that has no charge is
/// unused: it is deleted after its retention period.
pub(super) async fn apply_expiry<S: PaymentSql>(
    db: &S,
    checkout: &Checkout,
    expiry: Expiry,
    now: Timestamp,
) -> Result<(), S::Error> {
    let id = checkout.id.as_str();
    match expiry {
        Expiry::Paid => Ok(()),
        Expiry::Later(later) => {
            let sql = "UPDATE checkouts SET expiry_due = $2 WHERE id = $1";
            db.execute(sql, &[&id, &later]).await.map(drop)
        }
        Expiry::Unpaid(news) => db.notify(vec![(&checkout.scope, news)], now).await,
        Expiry::Unused(news) => {
            let sql = "UPDATE checkouts SET unused_since = $2 WHERE id = $1";
            db.execute(sql, &[&id, &checkout.expires_at]).await?;
            db.notify(vec![(&checkout.scope, news)], now).await
        }
    }
}

/// Ends the time of a test session, unless it has ended.
pub(crate) async fn expire_test<S: Sql>(
    db: &S,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<Option<Checkout>, S::Error> {
    let found = lock_one(db, id).await?.filter(|checkout| checkout.scope.mode == Mode::Test);
    let Some(checkout) = found else { return Ok(None) };
    let sql = "UPDATE checkouts SET expires_at = $2, expiry_due = $2,
                      closed_at = CASE WHEN closed_at <= $2 THEN closed_at END
               WHERE id = $1 AND expires_at > $2 AND expiry_due IS NOT NULL";
    if db.execute(sql, &[&id.as_str(), &by.at]).await? == 0 {
        return Ok(Some(checkout));
    }
    let expired = Checkout { expires_at: by.at, ..checkout.clone() };
    audit::append(db, by, &audit_values::payments::checkout_expired(&checkout, &expired)).await?;
    Ok(Some(expired))
}

/// Counted from the session's charges: at most five rows.
pub(crate) async fn summary<S: PaymentSql>(
    db: &S,
    id: &CheckoutId,
) -> Result<CheckoutSummary, S::Error> {
    Ok(CheckoutSummary::of(db.charges(&[id]).await?.remove(id).unwrap_or_default()))
}

async fn lock_one<S: Sql>(db: &S, id: &CheckoutId) -> Result<Option<Checkout>, S::Error> {
    Ok(lock(db, BY_ID, &[&id.as_str()]).await?.into_iter().next())
}

/// Locks sessions until the commit, and not their accounts.
async fn lock<S: Sql>(
    db: &S,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<Checkout>, S::Error> {
    let lock = RowLock::NoKeyUpdateOf("checkouts");
    db.query_locked(sql, lock, parameters).await?.iter().map(rows::checkout).collect()
}
