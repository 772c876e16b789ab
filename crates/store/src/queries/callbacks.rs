//! Verified callbacks of operators, and exchanges with operators, as evidence.

use crate::payment_sql::PaymentSql;
use tua_domain::{
    Transaction, TransactionId,
    exchange::Exchange,
    ports::{AcceptedClaim, ReceivedCallback},
};
use tua_sql::{
    queries::status_queries,
    rows::{self, transaction_columns},
    sql::Sql,
};

pub(crate) async fn record<S: PaymentSql>(
    db: &S,
    callback: &ReceivedCallback,
) -> Result<Option<Transaction>, S::Error> {
    let sql = concat!("SELECT ", transaction_columns!(), " FROM transactions WHERE id = $1");
    let id = callback.exchange.transaction.as_str();
    let found = db.query_opt(sql, &[&id]).await?.as_ref().map(rows::transaction).transpose()?;
    let Some(transaction) = found.filter(|found| found.is_pinned_to(&callback.operator)) else {
        return Ok(None);
    };
    db.insert_exchanges(std::slice::from_ref(&callback.exchange)).await?;
    if let Some(claim) = callback.claim.and_then(|claim| claim.accept(&transaction)) {
        let sql = "UPDATE transactions SET claimed_failure = $2, claim_is_decisive = $3
                   WHERE id = $1 AND status = 'PENDING'";
        let is_decisive = i64::from(claim.is_decisive);
        db.execute(sql, &[&id, &claim.code.as_str(), &is_decisive]).await?;
    }
    status_queries::ask_after_callback(db, &transaction.order.id, callback.ask_until()).await?;
    Ok(Some(transaction))
}

/// What a callback claimed about a transaction.
pub(crate) async fn failure_claim<S: Sql>(
    db: &S,
    transaction: &TransactionId,
) -> Result<Option<AcceptedClaim>, S::Error> {
    let sql = "SELECT claimed_failure, claim_is_decisive FROM transactions WHERE id = $1";
    let found = db.query_opt(sql, &[&transaction.as_str()]).await?;
    Ok(found.as_ref().map(rows::failure_claim).transpose()?.flatten())
}

/// The exchanges about a transaction, oldest first.
pub(crate) async fn exchanges<S: Sql>(
    db: &S,
    transaction: &TransactionId,
) -> Result<Vec<Exchange>, S::Error> {
    let sql = "SELECT id, transaction_id, operator, at, method, path, http_status, duration_ms,
                      request, response
               FROM operator_exchanges WHERE transaction_id = $1 ORDER BY at, id";
    db.query(sql, &[&transaction.as_str()]).await?.iter().map(rows::exchange).collect()
}
