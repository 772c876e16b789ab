//! Checkout sessions.

use super::{
    accounts,
    batch_ops::{Write, by_ordinality, column},
    db::Db,
    error::Result,
    idempotency::{self, NewRecord},
    links, outbox,
    record::{at, maybe_at},
    transaction_rows,
};
use crate::{
    in_doubt::InDoubt,
    rows::{self, select_checkouts},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, KeyId, LinkId, Transaction, checkout::ChargeWindow,
    idempotency::StoredResponse, ports::OpenError, refusal_order::NewRequest, secret::SecretDigest,
};

/// A checkout session to insert, with its idempotency record and response.
pub(super) struct InsertCheckout {
    pub(super) checkout: Checkout,
    pub(super) token: SecretDigest,
    pub(super) response: Option<StoredResponse>,
}

impl InsertCheckout {
    fn new_record(&self) -> Option<NewRecord<'_>> {
        let StoredResponse { attempt, snapshot } = self.response.as_ref()?;
        Some(NewRecord {
            attempt,
            subject: self.checkout.id.as_str(),
            response: Some(*snapshot),
            now: self.checkout.created_at,
        })
    }
}

#[async_trait]
impl Write for InsertCheckout {
    type Done = ();
    type Rejection = OpenError;

    fn conflict_keys(&self) -> Vec<String> {
        self.response.iter().map(|response| response.attempt.name()).collect()
    }

    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Verify("SELECT 1 FROM checkouts WHERE id = $1", self.checkout.id.as_str())
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<(), OpenError>>> {
        let attempts: Vec<_> = ops.iter().filter_map(|op| op.new_record()).collect();
        let checkouts: Vec<&Checkout> = ops.iter().map(|op| &op.checkout).collect();
        let (owners, keys): (Vec<_>, Vec<_>) = checkouts
            .iter()
            .map(|checkout| (&checkout.scope.account, checkout.created_by.as_ref()))
            .unzip();
        let keys: Vec<&KeyId> = keys.into_iter().flatten().collect();
        let openings: Vec<_> =
            checkouts.iter().filter_map(|one| Some((one.link.as_ref()?, one.created_at))).collect();
        let (fresh, closed_links, (), (), suspended, revoked) = tokio::try_join!(
            biased;
            idempotency::insert_records(db, &attempts),
            links::closed(db, &openings),
            insert(db, ops),
            outbox::insert_opened(db, &checkouts),
            accounts::suspended(db, &owners),
            accounts::revoked(db, &keys),
        )?;
        let outcome = |one: &&Self| {
            let request = NewRequest {
                is_repeated: one.response.is_some() && !fresh.contains(one.checkout.id.as_str()),
                is_key_revoked: one
                    .checkout
                    .created_by
                    .as_ref()
                    .is_some_and(|key| revoked.contains(key)),
                is_account_suspended: suspended.contains(&one.checkout.scope.account),
            };
            request.check::<OpenError>()?;
            let is_closed =
                one.checkout.link.as_ref().is_some_and(|link| closed_links.contains(link));
            if is_closed { Err(OpenError::LinkNotOpen) } else { Ok(()) }
        };
        Ok(ops.iter().map(outcome).collect())
    }
}

async fn insert(db: &Db, ops: &[&InsertCheckout]) -> Result<()> {
    db.execute(
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, \
         email, metadata,
                                return_url, created_at, expires_at, closed_at, created_by, \
         link_id, expiry_due)
         SELECT *, least(expires_at, closed_at)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], \
         $7::text[],
                     $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[],
                     $13::bigint[], $14::text[], $15::text[])
              AS opening (id, account, mode, seed, token, amount, reference, email, metadata, url, \
         at, expires_at,
                          closed_at, key, link)",
        &[
            &column(ops, |op| op.checkout.id.as_str()),
            &column(ops, |op| op.checkout.scope.account.as_str()),
            &column(ops, |op| op.checkout.scope.mode.as_str()),
            &column(ops, |op| &op.checkout.seed[..]),
            &column(ops, |op| &op.token.0[..]),
            &column(ops, |op| op.checkout.terms.amount.pesewas()),
            &column(ops, |op| &op.checkout.reference),
            &column(ops, |op| &op.checkout.terms.email),
            &column(ops, |op| &op.checkout.terms.metadata),
            &column(ops, |op| &op.checkout.terms.return_url),
            &column(ops, |op| at(op.checkout.created_at)),
            &column(ops, |op| at(op.checkout.expires_at)),
            &column(ops, |op| maybe_at(op.checkout.closed_at)),
            &column(ops, |op| op.checkout.created_by.as_ref().map(KeyId::as_str)),
            &column(ops, |op| op.checkout.link.as_ref().map(LinkId::as_str)),
        ],
    )
    .await
    .map(drop)
}

/// Finds checkout sessions by the digests of their tokens.
pub(super) async fn by_tokens(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<Checkout>>> {
    let sql = concat!(
        select_checkouts!("n, "),
        " JOIN unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) ON token_digest = asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::checkout(&row))
}

pub(super) async fn by_id(db: &Db, id: &CheckoutId) -> Result<Option<Checkout>> {
    let found = db
        .query_opt(concat!(select_checkouts!(""), " WHERE checkouts.id = $1"), &[&id.as_str()])
        .await?;
    found.as_ref().map(rows::checkout).transpose()
}

/// Counted from the session's charges: at most five rows.
pub(super) async fn standing(db: &Db, id: &CheckoutId) -> Result<CheckoutSummary> {
    let charges = charges(db, &[id]).await?.remove(id).unwrap_or_default();
    Ok(CheckoutSummary::of(charges))
}

/// A session whose row is locked: no other transaction can add a charge, mark it paid or decide its
/// expiry.
pub(super) struct LockedCheckout {
    pub(super) window: ChargeWindow,
    /// Its charges, oldest first.
    pub(super) charges: Vec<Transaction>,
}

/// Locks sessions, and reads their charges.
pub(super) async fn lock(
    db: &Db,
    sessions: &[&CheckoutId],
) -> Result<HashMap<CheckoutId, LockedCheckout>> {
    if sessions.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = column(sessions, |id| id.as_str());
    // Pipelined. Under READ COMMITTED a statement that waited for a lock returns the row as it was
    // committed then, and the second statement sees what was committed while the first waited.
    let sql = "SELECT id, expires_at, closed_at, expiry_due FROM checkouts WHERE id = ANY($1) \
        ORDER BY id FOR NO KEY UPDATE";
    let lock = async { db.query(sql, &[&ids]).await };
    let (locked, mut charges) = tokio::try_join!(biased; lock, charges(db, sessions))?;
    let mut sessions = HashMap::new();
    for row in locked {
        let id = CheckoutId::new(row.try_get::<_, String>("id")?);
        let charges = charges.remove(&id).unwrap_or_default();
        sessions.insert(id, LockedCheckout { window: rows::charge_window(&row)?, charges });
    }
    Ok(sessions)
}

/// The charges of checkout sessions, oldest first.
pub(super) async fn charges(
    db: &Db,
    sessions: &[&CheckoutId],
) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
    let ids = column(sessions, |id| id.as_str());
    let mut charges: HashMap<CheckoutId, Vec<Transaction>> = HashMap::new();
    for row in db.query(transaction_rows::OF_CHECKOUTS, &[&ids]).await? {
        let charge = rows::transaction(&row)?;
        if let Some(session) = charge.order.checkout.clone() {
            charges.entry(session).or_default().push(charge);
        }
    }
    Ok(charges)
}

/// Returns expired sessions whose expiry is due, and clears their due time, so that each is
/// returned once.
pub(super) async fn take_expired(db: &Db, now: Timestamp, limit: u32) -> Result<Vec<Checkout>> {
    let taken = db
        .query(
            "WITH due AS (SELECT id FROM checkouts WHERE expiry_due <= $1 ORDER BY expiry_due, id \
             LIMIT $2
                          FOR NO KEY UPDATE)
             UPDATE checkouts SET expiry_due = NULL FROM due, accounts
             WHERE checkouts.id = due.id AND accounts.id = checkouts.account_id
             RETURNING checkouts.id, account_id, mode, seed, amount, reference, email, metadata, \
             return_url,
                       checkouts.created_at, expires_at, closed_at, created_by, link_id, \
             accounts.name AS merchant,
                       accounts.accent, accounts.logo",
            &[&at(now), &i64::from(limit)],
        )
        .await?;
    taken.iter().map(rows::checkout).collect()
}

/// Postpones the expiry of a session.
pub(super) async fn expire_later(db: &Db, id: &CheckoutId, later: Timestamp) -> Result<()> {
    db.execute("UPDATE checkouts SET expiry_due = $2 WHERE id = $1", &[&id.as_str(), &at(later)])
        .await
        .map(drop)
}

/// Marks a session as unused: it has no charge, so it is deleted after its retention period.
pub(super) async fn mark_unused(db: &Db, checkout: &Checkout) -> Result<()> {
    let sql = "UPDATE checkouts SET unused_since = $2 WHERE id = $1";
    db.execute(sql, &[&checkout.id.as_str(), &at(checkout.expires_at)]).await.map(drop)
}
