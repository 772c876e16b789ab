//! Transactions flagged for manual review, and the decisions about them.

use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    AccountId, Event, Transaction, TransactionId,
    approval::PersonName,
    audit::AuditContext,
    pending::PendingGroup,
    ports::ReviewError,
    review::{DecisionNote, FlaggedTransaction, ReviewVerdict},
    rules,
};
use tua_sql::{
    audit_values,
    columns::maybe_time,
    queries::audit,
    rows::{self, transaction_columns},
    sql::{RowLock, Sql},
    write_error::WriteError,
};

pub(crate) async fn flagged<S: Sql>(
    db: &S,
    account: Option<&AccountId>,
) -> Result<Vec<FlaggedTransaction>, S::Error> {
    let columns =
        concat!(transaction_columns!(), ", review_at, unserved_at, attention, clock_advanced_ms");
    let of_account = "(CAST($1 AS TEXT) IS NULL OR account_id = $1)";
    let sql = format!(
        "SELECT {columns} FROM transactions{}
         WHERE review_at IS NOT NULL AND status = 'PENDING' AND {of_account}
         UNION
         SELECT {columns} FROM transactions{}
         WHERE (conflict_at IS NOT NULL AND conflict_decision IS NULL
                OR disputed_at IS NOT NULL AND dispute_decision IS NULL)
           AND {of_account}",
        S::index_hint("transactions_flagged"),
        S::index_hint("transactions_cases"),
    );
    let found = db.query(&sql, &[&account.map(AccountId::as_str)]).await?;
    let mut flagged = found
        .iter()
        .map(rows::flagged)
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>, S::Error>>()?;
    flagged.sort_by(FlaggedTransaction::oldest_first);
    Ok(flagged)
}

/// Counts pending transactions that are handed over. Each has a time for its next query or is
/// flagged, so two partial indexes cover all.
pub(crate) async fn pending<S: Sql>(
    db: &S,
    now: Timestamp,
) -> Result<HashMap<PendingGroup, u32>, S::Error> {
    let mut counts = HashMap::new();
    for (flagged, index, condition) in [
        (
            false,
            "transactions_due",
            "ask_at IS NOT NULL AND review_at IS NULL AND status = 'PENDING'",
        ),
        (
            true,
            "transactions_flagged",
            "review_at IS NOT NULL AND status = 'PENDING' AND handed_over_at IS NOT NULL",
        ),
    ] {
        let sql = format!(
            "SELECT mode, handed_over_at FROM transactions{} WHERE {condition}",
            S::index_hint(index)
        );
        for row in db.query(&sql, &[]).await? {
            *counts.entry(rows::pending(&row, flagged, now)?).or_default() += 1;
        }
    }
    Ok(counts)
}

pub(crate) async fn settle<S: PaymentSql>(
    db: &S,
    id: &TransactionId,
    verdict: ReviewVerdict,
    note: &DecisionNote,
    by: &AuditContext,
) -> Result<Transaction, WriteError<ReviewError, S::Error>> {
    let sql =
        concat!("SELECT ", transaction_columns!(), ", review_at FROM transactions WHERE id = $1");
    let found = db.query_locked(sql, RowLock::NoKeyUpdate, &[&id.as_str()]).await?;
    let Some(row) = found.first() else { return Err(WriteError::Rejected(ReviewError::NotFound)) };
    let mut transaction = rows::transaction(row)?;
    let is_flagged = maybe_time(row, "review_at")?.is_some();
    let events = rules::review(&transaction, verdict, is_flagged).map_err(WriteError::Rejected)?;
    let before = transaction.clone();
    let person = by.person().and_then(PersonName::shortened);
    let reviewed = Event::Reviewed { by: person, note: note.clone() };
    db.apply_event(&mut transaction, &reviewed, by.at).await?;
    for event in &events {
        db.apply_event(&mut transaction, event, by.at).await?;
    }
    audit::append(db, by, &audit_values::payments::review_settled(&before, &transaction)).await?;
    Ok(transaction)
}
