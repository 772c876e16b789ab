//! Checkout sessions.

use super::{
    db::Db,
    doubt::InDoubt,
    error::Result,
    idempotency::{self, Memory},
    outbox,
    record::at,
    together::{Write, column, placed},
    transactions,
};
use crate::{
    domain::{Checkout, CheckoutId, CheckoutSummary, Transaction, idempotency::Reply},
    secret::SecretDigest,
    store::{OpenError, rows},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashMap;

/// Every session with its merchant's name.
macro_rules! select {
    ($more:literal) => {
        concat!(
            "SELECT ",
            $more,
            "checkouts.id, account_id, mode, seed, amount, reference, email, metadata, return_url,
                checkouts.created_at, expires_at, accounts.name AS merchant
         FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id"
        )
    };
}

/// A session that is to open, and with it the attempt and its answer.
pub(super) struct Opening {
    pub(super) checkout: Checkout,
    pub(super) token: SecretDigest,
    pub(super) reply: Option<Reply>,
}

impl Opening {
    fn memory(&self) -> Option<Memory<'_>> {
        let Reply { attempt, answer } = self.reply.as_ref()?;
        Some(Memory {
            attempt,
            subject: self.checkout.id.as_str(),
            answer: Some(answer),
            now: self.checkout.created_at,
        })
    }
}

#[async_trait]
impl Write for Opening {
    type Done = ();
    type Refusal = OpenError;

    fn names(&self) -> Vec<String> {
        self.reply.iter().map(|reply| reply.attempt.name()).collect()
    }

    fn doubt(&self) -> InDoubt<'_> {
        InDoubt::Look("SELECT 1 FROM checkouts WHERE id = $1", self.checkout.id.as_str())
    }

    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<(), OpenError>>> {
        let attempts: Vec<_> = these.iter().filter_map(|one| one.memory()).collect();
        let checkouts: Vec<&Checkout> = these.iter().map(|one| &one.checkout).collect();
        let (fresh, ..) = tokio::try_join!(
            biased;
            idempotency::remember(db, &attempts),
            insert(db, these),
            outbox::opened(db, &checkouts),
        )?;
        let is_new = |one: &Self| one.reply.is_none() || fresh.contains(one.checkout.id.as_str());
        Ok(these.iter().map(|one| is_new(one).then_some(()).ok_or(OpenError::Repeated)).collect())
    }
}

async fn insert(db: &Db, these: &[&Opening]) -> Result<()> {
    db.run(
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, email, metadata,
                                return_url, created_at, expires_at, expiry_due)
         SELECT *, expires_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], $7::text[],
                     $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[])
              AS opening (id, account, mode, seed, token, amount, reference, email, metadata, url, at, expires_at)",
        &[
            &column(these, |one| one.checkout.id.as_str()),
            &column(these, |one| one.checkout.scope.account.as_str()),
            &column(these, |one| one.checkout.scope.mode.as_str()),
            &column(these, |one| &one.checkout.seed[..]),
            &column(these, |one| &one.token.0[..]),
            &column(these, |one| one.checkout.amount.pesewas()),
            &column(these, |one| &one.checkout.reference),
            &column(these, |one| &one.checkout.email),
            &column(these, |one| &one.checkout.metadata),
            &column(these, |one| &one.checkout.return_url),
            &column(these, |one| at(one.checkout.created_at)),
            &column(these, |one| at(one.checkout.expires_at)),
        ],
    )
    .await
    .map(drop)
}

/// The sessions that tokens open.
pub(super) async fn by_tokens(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<Checkout>>> {
    let sql = concat!(
        select!("n, "),
        " JOIN unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) ON token_digest = asked"
    );
    placed(digests.len(), db.all(sql, &[&digests]).await?, |row| rows::checkout(&row))
}

pub(super) async fn by_id(db: &Db, id: &CheckoutId) -> Result<Option<Checkout>> {
    let found = db.one(concat!(select!(""), " WHERE checkouts.id = $1"), &[&id.as_str()]).await?;
    found.as_ref().map(rows::checkout).transpose()
}

/// At most five rows, so they are simply read.
pub(super) async fn standing(db: &Db, id: &CheckoutId) -> Result<CheckoutSummary> {
    let charges = charges(db, &[id]).await?.remove(id).unwrap_or_default();
    Ok(CheckoutSummary::of(charges))
}

/// As [`charges`], while nobody else begins a charge of these sessions or makes them paid.
pub(super) async fn locked_charges(db: &Db, sessions: &[&CheckoutId]) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
    if sessions.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = column(sessions, |id| id.as_str());
    // Two statements on their way at once: the second sees what was committed while the first waited.
    let sql = "SELECT 1 FROM checkouts WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
    let lock = async { db.run(sql, &[&ids]).await };
    let (_, charges) = tokio::try_join!(biased; lock, charges(db, sessions))?;
    Ok(charges)
}

/// The sessions' charges, oldest first.
async fn charges(db: &Db, sessions: &[&CheckoutId]) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
    let ids = column(sessions, |id| id.as_str());
    let mut charges: HashMap<CheckoutId, Vec<Transaction>> = HashMap::new();
    for row in db.all(transactions::OF_CHECKOUTS, &[&ids]).await? {
        let charge = rows::transaction(&row)?;
        if let Some(session) = charge.begun.checkout.clone() {
            charges.entry(session).or_default().push(charge);
        }
    }
    Ok(charges)
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

/// Nobody tried to pay it, so that it can be forgotten one day.
pub(super) async fn mark_unused(db: &Db, checkout: &Checkout) -> Result<()> {
    let sql = "UPDATE checkouts SET unused_since = $2 WHERE id = $1";
    db.run(sql, &[&checkout.id.as_str(), &at(checkout.expires_at)]).await.map(drop)
}
