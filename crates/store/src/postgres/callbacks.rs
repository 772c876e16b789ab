//! Verified callbacks of operators.

use super::{batch_ops::Lookup, exchanges};
use tua_domain::{
    Transaction, TransactionId,
    ports::{AcceptedClaim, ReceivedCallback},
};
use tua_sql::{
    postgres::{db::Db, error::Result},
    queries::status_queries,
};

pub(super) async fn record(db: &Db, callback: &ReceivedCallback) -> Result<Option<Transaction>> {
    let found = TransactionId::find(db, &[&callback.exchange.transaction])
        .await?
        .into_iter()
        .next()
        .flatten();
    let Some(transaction) = found.filter(|found| found.is_pinned_to(&callback.operator)) else {
        return Ok(None);
    };
    exchanges::insert(db, std::slice::from_ref(&callback.exchange)).await?;
    let accepted = callback.claim.and_then(|claim| claim.accept(&transaction));
    if let Some(claim) = accepted {
        store_claim(db, transaction.order.id.as_str(), claim).await?;
    }
    status_queries::ask_after_callback(db, &transaction.order.id, callback.ask_until()).await?;
    Ok(Some(transaction))
}

async fn store_claim(db: &Db, id: &str, claim: AcceptedClaim) -> Result<u64> {
    let sql = "UPDATE transactions SET claimed_failure = $2, claim_is_decisive = $3 WHERE id = $1 \
        AND status = 'PENDING'";
    db.execute(sql, &[&id, &claim.code.as_str(), &i64::from(claim.is_decisive)]).await
}
