//! Transactions flagged for manual review, and the decisions about them.

use super::sql::ready;
use super::{record::Record, transaction_rows::by_id, transactions::take};
use crate::queries::audit;
use crate::{audit_values, columns::maybe_time, rows};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use std::collections::HashMap;
use tua_domain::{
    AccountId, Event, Transaction, TransactionId,
    audit::AuditContext,
    pending::Pending,
    ports::ReviewError,
    review::{Flagged, Note, Verdict},
    rules,
};

pub(super) fn flagged(db: &Connection, account: Option<&AccountId>) -> Result<Vec<Flagged>> {
    let mut flagged = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_flagged
             WHERE review_at IS NOT NULL AND status = 'PENDING' AND (?1 IS NULL OR account_id = ?1)
             UNION
             SELECT * FROM transactions INDEXED BY transactions_cases
             WHERE (conflict_at IS NOT NULL AND conflict_decision IS NULL
                    OR disputed_at IS NOT NULL AND dispute_decision IS NULL)
               AND (?1 IS NULL OR account_id = ?1)",
        )?
        .query_map([account.map(AccountId::as_str)], |row| rows::flagged(&Record::new(row)))?
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>>>()?;
    flagged.sort_by(Flagged::oldest_first);
    Ok(flagged)
}

/// Counts pending transactions that are handed over. Each has a time for its next query or is
/// flagged, so two partial indexes cover all.
pub(super) fn pending(db: &Connection, now: Timestamp) -> Result<HashMap<Pending, u32>> {
    let mut counts = HashMap::new();
    for (flagged, sql) in [
        (
            false,
            "SELECT mode, handed_over_at FROM transactions INDEXED BY transactions_due
             WHERE ask_at IS NOT NULL AND review_at IS NULL AND status = 'PENDING'",
        ),
        (
            true,
            "SELECT mode, handed_over_at FROM transactions INDEXED BY transactions_flagged
             WHERE review_at IS NOT NULL AND status = 'PENDING' AND handed_over_at IS NOT NULL",
        ),
    ] {
        let mut statement = db.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            *counts.entry(rows::pending(&Record::new(row), flagged, now)?).or_default() += 1;
        }
    }
    Ok(counts)
}

pub(super) fn settle(
    db: &Connection,
    id: &TransactionId,
    verdict: Verdict,
    note: &Note,
    by: &AuditContext,
) -> Result<std::result::Result<Transaction, ReviewError>> {
    let Some(mut transaction) = by_id(db, id)? else { return Ok(Err(ReviewError::Unknown)) };
    let events = match rules::review(&transaction, verdict, flagged_at(db, id)?.is_some()) {
        Ok(events) => events,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let before = transaction.clone();
    take(db, &mut transaction, &Event::Reviewed(note.clone()), by.at)?;
    for event in &events {
        take(db, &mut transaction, event, by.at)?;
    }
    ready(audit::append(db, by, &audit_values::payments::review_settled(&before, &transaction)))?;
    Ok(Ok(transaction))
}

fn flagged_at(db: &Connection, id: &TransactionId) -> Result<Option<Timestamp>> {
    let mut statement = db.prepare_cached("SELECT review_at FROM transactions WHERE id = ?1")?;
    statement
        .query_row([id.as_str()], |row| maybe_time(&Record::new(row), "review_at"))
        .optional()
        .map(Option::flatten)
}
