//! Finds the callers of credentials: keys and checkout sessions.

use super::{
    batch_ops::{Lookup, by_ordinality, column},
    checkouts,
};
use async_trait::async_trait;
use tua_domain::{Caller, Checkout, SecretKey, secret::SecretDigest};
use tua_sql::{
    postgres::{db::Db, error::Result},
    queries::accounts::key_columns,
    rows,
};

/// Finds the caller of a credential, valid or not.
#[async_trait]
impl Lookup for SecretDigest {
    type Found = Caller;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Caller>>> {
        let digests = column(ops, |digest| &digest.0[..]);
        let (keys, checkouts) = tokio::try_join!(
            biased;
            keys_by_digest(db, &digests),
            checkouts::by_tokens(db, &digests)
        )?;
        let caller = |(key, checkout): (Option<SecretKey>, Option<Checkout>)| {
            key.map(Caller::Key)
                .or_else(|| checkout.map(|checkout| Caller::Token(Box::new(checkout))))
        };
        Ok(keys.into_iter().zip(checkouts).map(caller).collect())
    }
}

/// Finds secret keys by the digests of credentials.
async fn keys_by_digest(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<SecretKey>>> {
    let sql = concat!(
        "SELECT n, ",
        key_columns!(),
        ", (SELECT ahead_ms FROM sandbox_clocks
            WHERE sandbox_clocks.account_id = api_keys.account_id) AS sandbox_ahead_ms
           FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) JOIN api_keys ON digest = \
         asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::callers_key(&row))
}
