//! Verified callbacks of operators.

use super::{exchanges, transaction_rows};
use rusqlite::{Connection, Result};
use tua_domain::{
    Transaction,
    ports::{AcceptedClaim, ReceivedCallback},
};
use tua_sql::{queries::status_queries, sqlite::sql::ready};

pub(super) fn record(db: &Connection, callback: &ReceivedCallback) -> Result<Option<Transaction>> {
    let found = transaction_rows::by_id(db, &callback.exchange.transaction)?;
    let Some(transaction) = found.filter(|found| found.is_pinned_to(&callback.operator)) else {
        return Ok(None);
    };
    exchanges::insert(db, &callback.exchange)?;
    let accepted = callback.claim.and_then(|claim| claim.accept(&transaction));
    if let Some(claim) = accepted {
        store_claim(db, transaction.order.id.as_str(), claim)?;
    }
    ready(status_queries::ask_after_callback(db, &transaction.order.id, callback.ask_until()))?;
    Ok(Some(transaction))
}

fn store_claim(db: &Connection, id: &str, claim: AcceptedClaim) -> Result<usize> {
    db.prepare_cached(
        "UPDATE transactions SET claimed_failure = ?2, claim_is_decisive = ?3 WHERE id = ?1 AND \
         status = 'PENDING'",
    )?
    .execute((id, claim.code.as_str(), claim.is_decisive))
}
