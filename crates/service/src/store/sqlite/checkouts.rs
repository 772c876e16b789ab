//! Checkout sessions.

use super::{
    idempotency,
    record::{amount, scope, time},
    transactions,
};
use crate::{
    domain::{Checkout, CheckoutId, CheckoutStanding, Transaction, idempotency::Attempt},
    secret::SecretDigest,
};
use rusqlite::{Connection, OptionalExtension, Result, Row, named_params};

/// Every session with its merchant's name.
macro_rules! select {
    () => {
        "SELECT checkouts.*, accounts.name AS merchant
         FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id"
    };
}

/// False where the attempt's key is remembered already.
pub(super) fn insert(
    db: &Connection,
    checkout: &Checkout,
    token: SecretDigest,
    attempt: Option<&Attempt>,
) -> Result<bool> {
    if idempotency::is_known(db, attempt, checkout.created_at)? {
        return Ok(false);
    }
    idempotency::remember(db, attempt, checkout.id.as_str(), checkout.created_at)?;
    db.prepare_cached(
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, email, metadata,
                                return_url, created_at, expires_at)
         VALUES (:id, :account, :mode, :seed, :token_digest, :amount, :reference, :email, :metadata,
                 :return_url, :created_at, :expires_at)",
    )?
    .execute(named_params! {
        ":id": checkout.id.as_str(),
        ":account": checkout.scope.account.as_str(),
        ":mode": checkout.scope.mode.as_str(),
        ":seed": checkout.seed,
        ":token_digest": token.0,
        ":amount": checkout.amount.pesewas(),
        ":reference": checkout.reference,
        ":email": checkout.email,
        ":metadata": checkout.metadata,
        ":return_url": checkout.return_url,
        ":created_at": checkout.created_at.as_millisecond(),
        ":expires_at": checkout.expires_at.as_millisecond(),
    })
    .map(|_| true)
}

pub(super) fn by_token(db: &Connection, token: &[u8; 32]) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select!(), " WHERE token_digest = ?1"))?.query_row([token], checkout).optional()
}

pub(super) fn by_id(db: &Connection, id: &CheckoutId) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select!(), " WHERE checkouts.id = ?1"))?.query_row([id.as_str()], checkout).optional()
}

fn checkout(row: &Row<'_>) -> Result<Checkout> {
    Ok(Checkout {
        id: CheckoutId::new(row.get::<_, String>("id")?),
        scope: scope(row)?,
        merchant: row.get("merchant")?,
        seed: row.get("seed")?,
        amount: amount(row)?,
        reference: row.get("reference")?,
        email: row.get("email")?,
        metadata: row.get("metadata")?,
        return_url: row.get("return_url")?,
        created_at: time(row, "created_at")?,
        expires_at: time(row, "expires_at")?,
    })
}

/// At most five rows, so they are simply read.
pub(super) fn standing(db: &Connection, id: &CheckoutId) -> Result<CheckoutStanding> {
    let charges: Vec<Transaction> = db
        .prepare_cached("SELECT * FROM transactions WHERE checkout_id = ?1 ORDER BY id")?
        .query_map([id.as_str()], transactions::transaction)?
        .collect::<Result<_>>()?;
    Ok(CheckoutStanding {
        attempts: u32::try_from(charges.len()).unwrap_or(u32::MAX),
        paid: charges.iter().any(Transaction::is_paid),
        latest: charges.into_iter().next_back(),
    })
}
