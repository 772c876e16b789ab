//! Exchanges with operators.

use super::{batch_ops::column, record::at};
use tua_domain::exchange::Exchange;
use tua_sql::postgres::{
    db::{Db, Parameters},
    error::Result,
};

const INSERT: &str = "INSERT INTO operator_exchanges (id, transaction_id, operator, at, method, \
    path, http_status,
                          duration_ms, request, response)
                      SELECT exchange.* FROM unnest($1::text[], $2::text[], $3::text[], \
    $4::bigint[], $5::text[],
                          $6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::text[])
                          AS exchange (id, transaction_id, operator, at, method, path, \
    http_status, duration_ms, request,
                                       response)
                      JOIN transactions ON transactions.id = exchange.transaction_id
                      ON CONFLICT (id) DO NOTHING";

/// Inserts exchanges. Those whose transaction does not exist are skipped.
pub(super) async fn insert(db: &Db, all: &[Exchange]) -> Result<()> {
    let parameters: Parameters<'_> = &[
        &column(all, |one| one.id.as_str()),
        &column(all, |one| one.transaction.as_str()),
        &column(all, |one| one.operator.as_str()),
        &column(all, |one| at(one.at)),
        &column(all, |one| one.method.as_str()),
        // PostgreSQL has no texts with NUL, and a response may contain any byte.
        &column(all, |one| one.path.replace('\0', "")),
        &column(all, |one| one.status.map(i64::from)),
        &column(all, |one| i64::from(one.duration_ms)),
        &column(all, |one| one.request.as_ref().map(|text| text.replace('\0', ""))),
        &column(all, |one| one.response.as_ref().map(|text| text.replace('\0', ""))),
    ];
    db.execute(INSERT, parameters).await.map(drop)
}
