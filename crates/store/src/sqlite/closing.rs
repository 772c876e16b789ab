//! Closes checkout sessions. Writes are one after another, so nothing changes between a check and
//! its write.

use super::{checkouts, expiry::apply_expiry};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, KeyId, LinkId, Mode, Scope, audit::AuditContext,
    ports::CloseError, rules,
};
use tua_sql::{
    audit_values,
    queries::audit,
    rows::{self, select_checkouts},
    sqlite::{record::Record, sql::ready},
};

/// Closes a session of this account and mode.
pub(super) fn close(
    db: &Connection,
    scope: &Scope,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<std::result::Result<(Checkout, CheckoutSummary), CloseError>> {
    let Some(checkout) = checkouts::by_id(db, id)?.filter(|checkout| checkout.scope == *scope)
    else {
        return Ok(Err(CloseError::NotFound));
    };
    let summary = checkouts::standing(db, id)?;
    match rules::may_close(&checkout, &summary, by.at) {
        Ok(None) => Ok(Ok((checkout, summary))),
        Ok(Some(closed)) => {
            update_closed_checkout(db, &closed, &summary, by.at)?;
            ready(audit::append(
                db,
                by,
                &audit_values::payments::checkout_closed(&checkout, &closed),
            ))?;
            Ok(Ok((closed, summary)))
        }
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Closes the open sessions that a key created.
pub(super) fn close_all_of(db: &Connection, key: &KeyId, now: Timestamp) -> Result<usize> {
    let open: Vec<Checkout> = db
        .prepare_cached(concat!(
            select_checkouts!(""),
            " WHERE expiry_due IS NOT NULL AND closed_at IS NULL AND created_by = ?1"
        ))?
        .query_map([key.as_str()], |row| rows::checkout(&Record::new(row)))?
        .collect::<Result<_>>()?;
    close_each(db, open, now)
}

/// Closes the open sessions of a payment link, except one.
pub(super) fn close_all_of_link(
    db: &Connection,
    link: &LinkId,
    except: Option<&CheckoutId>,
    now: Timestamp,
) -> Result<()> {
    let open: Vec<Checkout> = db
        .prepare_cached(concat!(
            select_checkouts!(""),
            " WHERE link_id = ?1 AND expiry_due IS NOT NULL AND (?2 IS NULL OR checkouts.id <> ?2)"
        ))?
        .query_map((link.as_str(), except.map(CheckoutId::as_str)), |row| {
            rows::checkout(&Record::new(row))
        })?
        .collect::<Result<_>>()?;
    close_each(db, open, now).map(drop)
}

fn close_each(db: &Connection, open: Vec<Checkout>, now: Timestamp) -> Result<usize> {
    let mut count = 0;
    for checkout in open {
        let summary = checkouts::standing(db, &checkout.id)?;
        if let Some(closed) = rules::close(&checkout, &summary, now) {
            update_closed_checkout(db, &closed, &summary, now)?;
            count += 1;
        }
    }
    Ok(count)
}

fn update_closed_checkout(
    db: &Connection,
    closed: &Checkout,
    summary: &CheckoutSummary,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET closed_at = ?2, expiry_due = NULL WHERE id = ?1")?
        .execute((closed.id.as_str(), now.as_millisecond()))?;
    apply_expiry(db, closed, rules::expiry(closed, summary, now), now)
}

/// Ends the time of a test session, unless it has ended.
pub(super) fn expire_test(
    db: &Connection,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<Option<Checkout>> {
    let Some(checkout) =
        checkouts::by_id(db, id)?.filter(|checkout| checkout.scope.mode == Mode::Test)
    else {
        return Ok(None);
    };
    let updated = db
        .prepare_cached(
            "UPDATE checkouts SET expires_at = ?2, expiry_due = ?2,
                    closed_at = CASE WHEN closed_at <= ?2 THEN closed_at END
             WHERE id = ?1 AND expires_at > ?2 AND expiry_due IS NOT NULL",
        )?
        .execute((id.as_str(), by.at.as_millisecond()))?;
    if updated == 0 {
        return Ok(Some(checkout));
    }
    let expired = Checkout { expires_at: by.at, ..checkout.clone() };
    ready(audit::append(db, by, &audit_values::payments::checkout_expired(&checkout, &expired)))?;
    Ok(Some(expired))
}
