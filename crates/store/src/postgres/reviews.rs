//! Transactions flagged for manual review, and the decisions about them.

use super::{db::Db, error::Result, transactions::take};
use crate::queries::audit;
use crate::{
    audit_values,
    columns::maybe_time,
    rows::{self, transaction_columns},
};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    AccountId, Event, Transaction, TransactionId,
    audit::AuditContext,
    pending::Pending,
    ports::ReviewError,
    review::{Flagged, Note, Verdict},
    rules,
};

pub(super) async fn flagged(db: &Db, account: Option<&AccountId>) -> Result<Vec<Flagged>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        ", review_at, unserved_at, attention FROM transactions
         WHERE (review_at IS NOT NULL AND status = 'PENDING'
                OR conflict_at IS NOT NULL AND conflict_decision IS NULL
                OR disputed_at IS NOT NULL AND dispute_decision IS NULL)
           AND ($1::text IS NULL OR account_id = $1)"
    );
    let found = db.query(sql, &[&account.map(AccountId::as_str)]).await?;
    let mut flagged = found
        .iter()
        .map(rows::flagged)
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>>>()?;
    flagged.sort_by(Flagged::oldest_first);
    Ok(flagged)
}

/// Counts pending transactions that are handed over. Each has a time for its next query or is
/// flagged, so two partial indexes cover all.
pub(super) async fn pending(db: &Db, now: Timestamp) -> Result<HashMap<Pending, u32>> {
    let mut counts = HashMap::new();
    for (flagged, sql) in [
        (
            false,
            "SELECT mode, handed_over_at FROM transactions WHERE ask_at IS NOT NULL AND review_at \
             IS NULL AND status = 'PENDING'",
        ),
        (
            true,
            "SELECT mode, handed_over_at FROM transactions WHERE review_at IS NOT NULL AND status \
             = 'PENDING' AND handed_over_at IS NOT NULL",
        ),
    ] {
        for row in db.query(sql, &[]).await? {
            *counts.entry(rows::pending(&row, flagged, now)?).or_default() += 1;
        }
    }
    Ok(counts)
}

pub(super) async fn settle(
    db: &Db,
    id: &TransactionId,
    verdict: Verdict,
    note: &Note,
    by: &AuditContext,
) -> Result<std::result::Result<Transaction, ReviewError>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        ", review_at FROM transactions WHERE id = $1 FOR NO KEY UPDATE"
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str()]).await? else {
        return Ok(Err(ReviewError::Unknown));
    };
    let mut transaction = rows::transaction(&row)?;
    let events =
        match rules::review(&transaction, verdict, maybe_time(&row, "review_at")?.is_some()) {
            Ok(events) => events,
            Err(refusal) => return Ok(Err(refusal)),
        };
    let before = transaction.clone();
    take(db, &mut transaction, &Event::Reviewed(note.clone()), by.at).await?;
    for event in &events {
        take(db, &mut transaction, event, by.at).await?;
    }
    audit::append(db, by, &audit_values::payments::review_settled(&before, &transaction)).await?;
    Ok(Ok(transaction))
}
