//! Closes checkout sessions. The lock on a session's row orders closing and the charges that begin.

use super::{
    checkouts::{self, select},
    db::Db,
    error::Result,
    outbox,
    record::{at, maybe_at},
};
use crate::{
    domain::{
        Checkout, CheckoutId, CheckoutSummary, KeyId, Mode, Scope,
        ports::CloseError,
        rules::{self, Closing},
    },
    store::rows,
};
use jiff::Timestamp;

/// Closes a session of this account and mode.
pub(super) async fn close(
    db: &Db,
    scope: &Scope,
    id: &CheckoutId,
    now: Timestamp,
) -> Result<std::result::Result<(Checkout, CheckoutSummary), CloseError>> {
    let Some(locked) = checkouts::lock(db, &[id]).await?.remove(id) else { return Ok(Err(CloseError::NotFound)) };
    let found = checkouts::by_id(db, id).await?.filter(|checkout| checkout.scope == *scope);
    let Some(mut checkout) = found else { return Ok(Err(CloseError::NotFound)) };
    let summary = CheckoutSummary::of(locked.charges);
    match rules::may_close(&checkout, &summary, now) {
        Ok(closing) => apply_closing(db, &mut checkout, &summary, closing, now).await?,
        Err(refusal) => return Ok(Err(refusal)),
    }
    Ok(Ok((checkout, summary)))
}

/// Closes the open sessions that a key created.
pub(super) async fn close_all_of(db: &Db, key: &KeyId, now: Timestamp) -> Result<()> {
    let sql = concat!(
        select!(""),
        " WHERE expiry_due IS NOT NULL AND closed_at IS NULL AND created_by = $1
          ORDER BY checkouts.id FOR NO KEY UPDATE OF checkouts"
    );
    let open = db.query(sql, &[&key.as_str()]).await?.iter().map(rows::checkout).collect::<Result<Vec<_>>>()?;
    let mut charges = checkouts::charges(db, &open.iter().map(|checkout| &checkout.id).collect::<Vec<_>>()).await?;
    for mut checkout in open {
        let summary = CheckoutSummary::of(charges.remove(&checkout.id).unwrap_or_default());
        let closing = rules::closing(&checkout, &summary, now);
        apply_closing(db, &mut checkout, &summary, closing, now).await?;
    }
    Ok(())
}

async fn apply_closing(
    db: &Db,
    checkout: &mut Checkout,
    summary: &CheckoutSummary,
    closing: Closing,
    now: Timestamp,
) -> Result<()> {
    let end = match closing {
        Closing::Never => return Ok(()),
        Closing::Now => None,
        // `checkout.closed` is sent when the charge has failed.
        Closing::OnceFailed => Some(now),
    };
    checkout.closed_at = Some(now);
    let sql = "UPDATE checkouts SET closed_at = $2, expiry_due = $3 WHERE id = $1";
    db.execute(sql, &[&checkout.id.as_str(), &at(now), &maybe_at(end)]).await?;
    if closing == Closing::Now {
        outbox::insert_closed(db, checkout, now).await?;
        if summary.attempts == 0 {
            checkouts::mark_unused(db, checkout).await?;
        }
    }
    Ok(())
}

/// Ends the time of a test session, unless it has ended.
pub(super) async fn expire_test(db: &Db, id: &CheckoutId, now: Timestamp) -> Result<Option<Checkout>> {
    let sql = "UPDATE checkouts SET expires_at = $2, expiry_due = $2
               WHERE id = $1 AND mode = 'test' AND expires_at > $2 AND expiry_due IS NOT NULL";
    db.execute(sql, &[&id.as_str(), &at(now)]).await?;
    Ok(checkouts::by_id(db, id).await?.filter(|checkout| checkout.scope.mode == Mode::Test))
}
