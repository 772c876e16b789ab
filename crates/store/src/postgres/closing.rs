//! Closes checkout sessions. The lock on a session's row orders closing and the charges that begin.

use super::{checkouts, expiry::apply_expiry, record::at};
use jiff::Timestamp;
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, KeyId, LinkId, Mode, Scope, audit::AuditContext,
    ports::CloseError, rules,
};
use tua_sql::{
    audit_values,
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    queries::audit,
    rows::{self, select_checkouts},
    write_error::WriteError,
};

/// Closes a session of this account and mode.
pub(super) async fn close(
    db: &Db,
    scope: &Scope,
    id: &CheckoutId,
    by: &AuditContext,
) -> std::result::Result<(Checkout, CheckoutSummary), WriteError<CloseError, Error>> {
    let Some(locked) = checkouts::lock(db, &[id]).await?.remove(id) else {
        return Err(WriteError::Rejected(CloseError::NotFound));
    };
    let found = checkouts::by_id(db, id).await?.filter(|checkout| checkout.scope == *scope);
    let Some(checkout) = found else { return Err(WriteError::Rejected(CloseError::NotFound)) };
    let summary = CheckoutSummary::of(locked.charges);
    match rules::may_close(&checkout, &summary, by.at) {
        Ok(None) => Ok((checkout, summary)),
        Ok(Some(closed)) => {
            update_closed_checkout(db, &closed, &summary, by.at).await?;
            audit::append(db, by, &audit_values::payments::checkout_closed(&checkout, &closed))
                .await?;
            Ok((closed, summary))
        }
        Err(refusal) => Err(WriteError::Rejected(refusal)),
    }
}

/// Closes the open sessions that a key created.
pub(super) async fn close_all_of(db: &Db, key: &KeyId, now: Timestamp) -> Result<usize> {
    let sql = concat!(
        select_checkouts!(""),
        " WHERE expiry_due IS NOT NULL AND closed_at IS NULL AND created_by = $1
          ORDER BY checkouts.id FOR NO KEY UPDATE OF checkouts"
    );
    let open = db
        .query(sql, &[&key.as_str()])
        .await?
        .iter()
        .map(rows::checkout)
        .collect::<Result<Vec<_>>>()?;
    close_each(db, open, now).await
}

/// Closes the open sessions of a payment link, except one. The caller has locked the link.
pub(super) async fn close_all_of_link(
    db: &Db,
    link: &LinkId,
    except: Option<&CheckoutId>,
    now: Timestamp,
) -> Result<()> {
    let sql = concat!(
        select_checkouts!(""),
        " WHERE link_id = $1 AND expiry_due IS NOT NULL AND ($2::text IS NULL OR checkouts.id <> $2)
          ORDER BY checkouts.id FOR NO KEY UPDATE OF checkouts"
    );
    let rows = db.query(sql, &[&link.as_str(), &except.map(CheckoutId::as_str)]).await?;
    let open = rows.iter().map(rows::checkout).collect::<Result<Vec<_>>>()?;
    close_each(db, open, now).await.map(drop)
}

async fn close_each(db: &Db, open: Vec<Checkout>, now: Timestamp) -> Result<usize> {
    let mut charges =
        checkouts::charges(db, &open.iter().map(|checkout| &checkout.id).collect::<Vec<_>>())
            .await?;
    let mut count = 0;
    for checkout in open {
        let summary = CheckoutSummary::of(charges.remove(&checkout.id).unwrap_or_default());
        if let Some(closed) = rules::close(&checkout, &summary, now) {
            update_closed_checkout(db, &closed, &summary, now).await?;
            count += 1;
        }
    }
    Ok(count)
}

async fn update_closed_checkout(
    db: &Db,
    closed: &Checkout,
    summary: &CheckoutSummary,
    now: Timestamp,
) -> Result<()> {
    let sql = "UPDATE checkouts SET closed_at = $2, expiry_due = NULL WHERE id = $1";
    db.execute(sql, &[&closed.id.as_str(), &at(now)]).await?;
    apply_expiry(db, closed, rules::expiry(closed, summary, now), now).await
}

/// Ends the time of a test session, unless it has ended.
pub(super) async fn expire_test(
    db: &Db,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<Option<Checkout>> {
    checkouts::lock(db, &[id]).await?;
    let found =
        checkouts::by_id(db, id).await?.filter(|checkout| checkout.scope.mode == Mode::Test);
    let Some(checkout) = found else { return Ok(None) };
    let sql = "UPDATE checkouts SET expires_at = $2, expiry_due = $2,
                      closed_at = CASE WHEN closed_at <= $2 THEN closed_at END
               WHERE id = $1 AND expires_at > $2 AND expiry_due IS NOT NULL";
    if db.execute(sql, &[&id.as_str(), &at(by.at)]).await? == 0 {
        return Ok(Some(checkout));
    }
    let expired = Checkout { expires_at: by.at, ..checkout.clone() };
    audit::append(db, by, &audit_values::payments::checkout_expired(&checkout, &expired)).await?;
    Ok(Some(expired))
}
