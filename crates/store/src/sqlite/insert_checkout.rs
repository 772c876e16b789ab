//! Inserts checkout sessions into SQLite within the group commit.

use super::{accounts, idempotency, links, notices};
use jiff::Timestamp;
use rusqlite::{Connection, Result, named_params};
use tua_domain::{
    Checkout, KeyId, LinkId, idempotency::StoredResponse, ports::OpenError, secret::SecretDigest,
};

/// Inserts a session, unless its idempotency key was used before, its key was revoked or its
/// account is suspended.
pub(super) fn insert(
    db: &Connection,
    checkout: &Checkout,
    token: SecretDigest,
    response: Option<&StoredResponse>,
) -> Result<std::result::Result<(), OpenError>> {
    let attempt = response.map(|response| &response.attempt);
    let snapshot = response.map(|response| response.snapshot);
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
         created_by, link_id, answer)
         VALUES (:id, :account, :mode, :seed, :token_digest, :amount, :reference, :email, :metadata,
                 :return_url, :created_at, :expires_at, :closed_at, :expiry_due, :created_by, \
         :link, :answer)",
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
        ":answer": checkout.terms.answer,
    })?;
    notices::insert_opened(db, checkout)?;
    Ok(Ok(()))
}
