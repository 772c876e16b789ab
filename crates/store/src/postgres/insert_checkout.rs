//! Inserts checkout sessions that arrive together in PostgreSQL.

use super::{
    accounts,
    batch_ops::{WriteOp, column},
    idempotency, links, notices,
    record::{at, maybe_at},
};
use crate::{in_doubt::InDoubt, payment_sql::NewRecord};
use async_trait::async_trait;
use tua_domain::{
    Checkout, KeyId, LinkId, idempotency::StoredResponse, ports::OpenError,
    refusal_order::NewRequest, secret::SecretDigest,
};
use tua_sql::postgres::{db::Db, error::Result};

/// A checkout session to insert, with its idempotency record and response.
pub(super) struct InsertCheckout {
    pub(super) checkout: Checkout,
    pub(super) token: SecretDigest,
    pub(super) response: Option<StoredResponse>,
}

impl InsertCheckout {
    fn new_record(&self) -> Option<NewRecord<'_>> {
        let response = self.response.as_ref()?;
        let Checkout { id, created_at, .. } = &self.checkout;
        Some(NewRecord::of_response(response, id.as_str(), *created_at))
    }
}

#[async_trait]
impl WriteOp for InsertCheckout {
    type Output = ();
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
            notices::insert_opened(db, &checkouts),
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
         link_id, answer, expiry_due)
         SELECT *, least(expires_at, closed_at)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], \
         $7::text[],
                     $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[],
                     $13::bigint[], $14::text[], $15::text[], $16::text[])
              AS opening (id, account, mode, seed, token, amount, reference, email, metadata, url, \
         at, expires_at,
                          closed_at, key, link, answer)",
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
            &column(ops, |op| &op.checkout.terms.answer),
        ],
    )
    .await
    .map(drop)
}
