//! Checkout sessions.

use super::{accounts, idempotency, links, outbox, record::Record, sql::ready};
use crate::{audit_values, queries::audit, rows};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, named_params};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, KeyId, LinkId, Mode, Scope, Transaction,
    audit::AuditContext,
    checkout::ChargeWindow,
    idempotency::StoredResponse,
    ports::{CloseError, OpenError},
    rules,
    secret::SecretDigest,
};

/// Selects checkout sessions with their merchant's name and branding.
macro_rules! select {
    () => {
        "SELECT checkouts.*, accounts.name AS merchant, accounts.accent, accounts.logo
         FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id"
    };
}

/// Inserts a session, unless its idempotency key was used before, its key was revoked or its
/// account is suspended.
pub(super) fn insert(
    db: &Connection,
    checkout: &Checkout,
    token: SecretDigest,
    response: Option<&StoredResponse>,
) -> Result<std::result::Result<(), OpenError>> {
    let (attempt, snapshot) =
        (response.map(|response| &response.attempt), response.map(|response| response.snapshot));
    let request =
        accounts::new_request(db, attempt, checkout.created_by.as_ref(), &checkout.scope.account)?;
    if let Err(refused) = request.check() {
        return Ok(Err(refused));
    }
    if let Some(link) = &checkout.link
        && !links::may_open_session(db, link, checkout.created_at)?
    {
        return Ok(Err(OpenError::LinkNotOpen));
    }
    idempotency::insert(db, attempt, checkout.id.as_str(), snapshot, checkout.created_at)?;
    db.prepare_cached(
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, \
         email, metadata,
                                return_url, created_at, expires_at, closed_at, expiry_due, \
         created_by, link_id)
         VALUES (:id, :account, :mode, :seed, :token_digest, :amount, :reference, :email, :metadata,
                 :return_url, :created_at, :expires_at, :closed_at, :expiry_due, :created_by, \
         :link)",
    )?
    .execute(named_params! {
        ":id": checkout.id.as_str(),
        ":account": checkout.scope.account.as_str(),
        ":mode": checkout.scope.mode.as_str(),
        ":seed": checkout.seed,
        ":token_digest": token.0,
        ":amount": checkout.terms.amount.pesewas(),
        ":reference": checkout.reference,
        ":email": checkout.terms.email,
        ":metadata": checkout.terms.metadata,
        ":return_url": checkout.terms.return_url,
        ":created_at": checkout.created_at.as_millisecond(),
        ":expires_at": checkout.expires_at.as_millisecond(),
        ":closed_at": checkout.closed_at.map(Timestamp::as_millisecond),
        ":expiry_due": checkout.ends_at().as_millisecond(),
        ":created_by": checkout.created_by.as_ref().map(KeyId::as_str),
        ":link": checkout.link.as_ref().map(LinkId::as_str),
    })?;
    outbox::insert_opened(db, checkout)?;
    Ok(Ok(()))
}

pub(super) fn by_token(db: &Connection, token: &[u8; 32]) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select!(), " WHERE token_digest = ?1"))?
        .query_row([token], |row| rows::checkout(&Record::new(row)))
        .optional()
}

pub(super) fn by_id(db: &Connection, id: &CheckoutId) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select!(), " WHERE checkouts.id = ?1"))?
        .query_row([id.as_str()], |row| rows::checkout(&Record::new(row)))
        .optional()
}

/// Until when a session that must exist takes charges.
pub(super) fn charge_window(db: &Connection, id: &CheckoutId) -> Result<ChargeWindow> {
    db.prepare_cached("SELECT expires_at, closed_at, expiry_due FROM checkouts WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::charge_window(&Record::new(row)))
}

/// Counted from the session's charges: at most five rows.
pub(super) fn standing(db: &Connection, id: &CheckoutId) -> Result<CheckoutSummary> {
    charges(db, id).map(CheckoutSummary::of)
}

/// The charges of a session, oldest first.
pub(super) fn charges(db: &Connection, id: &CheckoutId) -> Result<Vec<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE checkout_id = ?1 ORDER BY id")?
        .query_map([id.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect()
}

/// Returns expired sessions whose expiry is due, and clears their due time, so that each is
/// returned once.
pub(super) fn take_expired(db: &Connection, now: Timestamp, limit: u32) -> Result<Vec<Checkout>> {
    let due: Vec<String> = db
        .prepare_cached(
            "SELECT id FROM checkouts WHERE expiry_due <= ?1 ORDER BY expiry_due LIMIT ?2",
        )?
        .query_map((now.as_millisecond(), limit), |row| row.get(0))?
        .collect::<Result<_>>()?;
    let mut settle = db.prepare_cached("UPDATE checkouts SET expiry_due = NULL WHERE id = ?1")?;
    let mut taken = Vec::new();
    for id in due {
        settle.execute([&id])?;
        taken.extend(by_id(db, &CheckoutId::new(id))?);
    }
    Ok(taken)
}

/// Postpones the expiry of a session.
pub(super) fn expire_later(db: &Connection, id: &CheckoutId, at: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET expiry_due = ?2 WHERE id = ?1")?
        .execute((id.as_str(), at.as_millisecond()))
        .map(drop)
}

/// Closes a session of this account and mode.
pub(super) fn close(
    db: &Connection,
    scope: &Scope,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<std::result::Result<(Checkout, CheckoutSummary), CloseError>> {
    let Some(checkout) = by_id(db, id)?.filter(|checkout| checkout.scope == *scope) else {
        return Ok(Err(CloseError::NotFound));
    };
    let summary = standing(db, id)?;
    match rules::may_close(&checkout, &summary, by.at) {
        Ok(None) => Ok(Ok((checkout, summary))),
        Ok(Some(closed)) => {
            store_closed(db, &closed, &summary, by.at)?;
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
            select!(),
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
            select!(),
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
        let summary = standing(db, &checkout.id)?;
        if let Some(closed) = rules::close(&checkout, &summary, now) {
            store_closed(db, &closed, &summary, now)?;
            count += 1;
        }
    }
    Ok(count)
}

fn store_closed(
    db: &Connection,
    closed: &Checkout,
    summary: &CheckoutSummary,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET closed_at = ?2, expiry_due = NULL WHERE id = ?1")?
        .execute((closed.id.as_str(), now.as_millisecond()))?;
    outbox::apply_expiry(db, closed, rules::expiry(closed, summary, now), now)
}

/// Ends the time of a test session, unless it has ended.
pub(super) fn expire_test(
    db: &Connection,
    id: &CheckoutId,
    by: &AuditContext,
) -> Result<Option<Checkout>> {
    let Some(checkout) = by_id(db, id)?.filter(|checkout| checkout.scope.mode == Mode::Test) else {
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

/// Marks a session as unused: it has no charge, so it is deleted after its retention period.
pub(super) fn mark_unused(db: &Connection, checkout: &Checkout) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET unused_since = ?2 WHERE id = ?1")?
        .execute((checkout.id.as_str(), checkout.expires_at.as_millisecond()))
        .map(drop)
}
