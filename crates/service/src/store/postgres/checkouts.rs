//! Checkout sessions.

use super::{error::Result, idempotency, outbox, record::at, session::Db, transactions};
use crate::{
    domain::{Checkout, CheckoutId, CheckoutStanding, Transaction, idempotency::Reply},
    secret::SecretDigest,
    store::{OpenError, rows},
};
use jiff::Timestamp;

/// Every session with its merchant's name.
macro_rules! select {
    () => {
        "SELECT checkouts.id, account_id, mode, seed, amount, reference, email, metadata, return_url,
                checkouts.created_at, expires_at, accounts.name AS merchant
         FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id"
    };
}

pub(super) async fn insert(
    db: &Db,
    checkout: &Checkout,
    token: SecretDigest,
    reply: Option<&Reply>,
) -> Result<std::result::Result<(), OpenError>> {
    let (attempt, answer) = (reply.map(|reply| &reply.attempt), reply.map(|reply| &reply.answer));
    if !idempotency::remember(db, attempt, checkout.id.as_str(), answer, checkout.created_at).await? {
        return Ok(Err(OpenError::Repeated));
    }
    db.run(
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, email, metadata,
                                return_url, created_at, expires_at, expiry_due)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)",
        &[
            &checkout.id.as_str(),
            &checkout.scope.account.as_str(),
            &checkout.scope.mode.as_str(),
            &&checkout.seed[..],
            &&token.0[..],
            &checkout.amount.pesewas(),
            &checkout.reference,
            &checkout.email,
            &checkout.metadata,
            &checkout.return_url,
            &at(checkout.created_at),
            &at(checkout.expires_at),
        ],
    )
    .await?;
    outbox::opened(db, checkout).await.map(Ok)
}

pub(super) async fn by_token(db: &Db, token: &[u8; 32]) -> Result<Option<Checkout>> {
    let found = db.one(concat!(select!(), " WHERE token_digest = $1"), &[&&token[..]]).await?;
    found.as_ref().map(rows::checkout).transpose()
}

pub(super) async fn by_id(db: &Db, id: &CheckoutId) -> Result<Option<Checkout>> {
    let found = db.one(concat!(select!(), " WHERE checkouts.id = $1"), &[&id.as_str()]).await?;
    found.as_ref().map(rows::checkout).transpose()
}

/// At most five rows, so they are simply read.
pub(super) async fn standing(db: &Db, id: &CheckoutId) -> Result<CheckoutStanding> {
    charges(db, id).await.map(CheckoutStanding::of)
}

/// As [`charges`], while nobody else begins a charge of the session or makes it paid.
pub(super) async fn locked_charges(db: &Db, id: &CheckoutId) -> Result<Vec<Transaction>> {
    // Two statements on their way at once: the second sees what was committed while the first waited.
    let lock = async { db.run("SELECT 1 FROM checkouts WHERE id = $1 FOR NO KEY UPDATE", &[&id.as_str()]).await };
    let (_, charges) = tokio::try_join!(biased; lock, charges(db, id))?;
    Ok(charges)
}

/// A session's charges, oldest first.
async fn charges(db: &Db, id: &CheckoutId) -> Result<Vec<Transaction>> {
    db.all(transactions::OF_CHECKOUT, &[&id.as_str()]).await?.iter().map(rows::transaction).collect()
}

/// Takes sessions whose expiry is to be settled, each once.
pub(super) async fn take_expired(db: &Db, now: Timestamp, most: u32) -> Result<Vec<Checkout>> {
    let taken = db
        .all(
            "WITH due AS (SELECT id FROM checkouts WHERE expiry_due <= $1 ORDER BY expiry_due, id LIMIT $2
                          FOR NO KEY UPDATE)
             UPDATE checkouts SET expiry_due = NULL FROM due, accounts
             WHERE checkouts.id = due.id AND accounts.id = checkouts.account_id
             RETURNING checkouts.id, account_id, mode, seed, amount, reference, email, metadata, return_url,
                       checkouts.created_at, expires_at, accounts.name AS merchant",
            &[&at(now), &i64::from(most)],
        )
        .await?;
    taken.iter().map(rows::checkout).collect()
}

/// Settles a session's expiry another time.
pub(super) async fn expire_later(db: &Db, id: &CheckoutId, later: Timestamp) -> Result<()> {
    db.run("UPDATE checkouts SET expiry_due = $2 WHERE id = $1", &[&id.as_str(), &at(later)]).await.map(drop)
}
