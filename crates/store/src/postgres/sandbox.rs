//! The orders of the sandbox operator.

use super::{
    batch_ops::{Lookup, WriteOp, by_ordinality, column, without_nul},
    record::at,
};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use std::{collections::HashSet, convert::Infallible};
use tua_operators::sandbox::orders::Received;
use tua_sql::{
    postgres::{db::Db, error::Result},
    rows::{self, received_columns},
};

/// The key of an order.
pub(super) struct Reference(pub(super) String);

#[async_trait]
impl Lookup for Reference {
    type Found = Received;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Received>>> {
        let references = column(ops, |Self(reference)| without_nul(reference));
        let sql = concat!(
            "SELECT n, ",
            received_columns!(),
            " FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN sandbox_orders ON \
             reference = asked"
        );
        by_ordinality(ops.len(), db.query(sql, &[&references]).await?, |row| rows::received(&row))
    }
}

/// Inserted with a synchronous commit, as all that a response depends on: an asynchronous one can
/// be lost in a crash of the server after which the sandbox's response is stored. The sandbox would
/// have acknowledged an order that it does not know.
#[async_trait]
impl WriteOp for Received {
    /// Whether it was inserted.
    type Output = bool;
    type Rejection = Infallible;

    fn conflict_keys(&self) -> Vec<String> {
        vec![self.order.reference.clone()]
    }

    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Retry
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<bool, Infallible>>> {
        let inserted = insert(db, ops).await?;
        Ok(ops.iter().map(|op| Ok(inserted.contains(&op.order.reference))).collect())
    }
}

/// Inserts orders; the first order with a reference wins. Returns the references of those that were
/// inserted.
async fn insert(db: &Db, received: &[&Received]) -> Result<HashSet<String>> {
    let inserted = db
        .query(
            "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, \
             message, received_at, is_refund)
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], \
             $6::text[], $7::text[],
                                  $8::bigint[], $9::bigint[])
             ON CONFLICT (reference) DO NOTHING RETURNING reference",
            &[
                &column(received, |op| &op.order.reference),
                &column(received, |op| op.order.transfer.kind.as_str()),
                &column(received, |op| op.order.transfer.network.as_str()),
                &column(received, |op| op.order.transfer.phone.as_str()),
                &column(received, |op| op.order.transfer.amount.pesewas()),
                &column(received, |op| &op.order.merchant),
                &column(received, |op| &op.order.message),
                &column(received, |op| at(op.at)),
                &column(received, |op| i64::from(op.is_refund)),
            ],
        )
        .await?;
    inserted.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
