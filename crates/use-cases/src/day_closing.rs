//! Closes days of operators, and verifies closed ones (docs/reference/statements.md).

use super::statements::comparison::{CHUNK, verify_statements};
use jiff::civil::Date;
use tua_domain::{
    audit::AuditContext,
    ledger::Postings,
    ports::{Store, StoreError},
    routing::{OperatorFingerprint, OperatorPin},
    statement::{
        LinePosition, StatementFilter,
        closing::{CloseDayError, ClosedDay, DayFigures, DaySum, EntryPosition, check_ended},
        verification::StatementVerification,
    },
};

/// What a day would be closed with now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DayDraft {
    /// What the ledger and the statements have of the day now.
    pub figures: DayFigures,
    /// How its lines and transactions agree.
    pub found: StatementVerification,
}

/// A closed day, and whether its figures are still those of its entries and lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedDay {
    /// The day as it was closed.
    pub closed: ClosedDay,
    /// Whether the figures agree.
    pub agrees: bool,
}

/// The last closed day of an operator.
///
/// # Errors
/// Those of the store.
pub async fn last_closed_day(
    store: &dyn Store,
    operator: &OperatorFingerprint,
) -> Result<Option<ClosedDay>, StoreError> {
    Ok(store.closed_days(Some(operator), None, 1).await?.pop())
}

/// What a day would be closed with now.
///
/// # Errors
/// Those of the store.
pub async fn draft_day(
    store: &dyn Store,
    operator: &OperatorPin,
    day: Date,
) -> Result<DayDraft, StoreError> {
    let filter = filter(&operator.fingerprint, day);
    let found = verify_statements(store, &filter).await?;
    Ok(DayDraft { figures: day_figures(store, operator, day).await?, found })
}

/// Closes a day. It has ended an hour ago, and is the day after the last closed one, or the first
/// one to be closed. `seen` is the digest of the figures that the person has seen; `None` where the
/// person sees those that are closed.
///
/// # Errors
/// [`CloseDayError`], among them [`CloseDayError::Changed`] for figures with another digest. Then
/// nothing was closed, unless the store is uncertain.
pub async fn close_day(
    store: &dyn Store,
    operator: &OperatorPin,
    day: Date,
    seen: Option<[u8; 32]>,
    by: &AuditContext,
) -> Result<ClosedDay, CloseDayError> {
    check_ended(day, by.at)?;
    let DayDraft { figures, found } = draft_day(store, operator, day).await?;
    // Lines that were imported between the two reads have no outcome.
    if found.lines != figures.lines || seen.is_some_and(|seen| seen != figures.digest) {
        return Err(CloseDayError::Changed);
    }
    if figures.lines == 0 && figures.entries == 0 && figures.opening == Postings::default() {
        let last = last_closed_day(store, &operator.fingerprint).await?;
        last.ok_or(CloseDayError::Nothing)?;
    }
    let closed = ClosedDay {
        operator: operator.clone(),
        day,
        closed_at: by.at,
        closed_by: by.actor.clone(),
        figures,
        outcomes: found.outcomes,
        exceptions: found.exceptions,
    };
    store.close_day(closed.clone(), by).await?;
    Ok(closed)
}

/// Computes the figures of closed days again, of one operator or all.
///
/// # Errors
/// Those of the store.
pub async fn verify_closed_days(
    store: &dyn Store,
    operator: Option<&OperatorFingerprint>,
    days: (Date, Date),
) -> Result<Vec<VerifiedDay>, StoreError> {
    let mut verified = Vec::new();
    let closed = store.closed_days(operator, Some(days), u32::MAX).await?;
    for closed in closed.into_iter().rev() {
        let figures = day_figures(store, &closed.operator, closed.day).await?;
        verified.push(VerifiedDay { agrees: figures == closed.figures, closed });
    }
    Ok(verified)
}

fn filter(operator: &OperatorFingerprint, day: Date) -> StatementFilter {
    StatementFilter { days: Some((day, day)), operator: Some(operator.clone()), statement: None }
}

async fn day_figures(
    store: &dyn Store,
    operator: &OperatorPin,
    day: Date,
) -> Result<DayFigures, StoreError> {
    let limit = u32::try_from(CHUNK).unwrap_or(u32::MAX);
    let opening = opening(store, &operator.fingerprint, day).await?;
    let mut sum = DaySum::new(&operator.name, day, opening);
    for name in store.ledger_operators().await? {
        let pin = OperatorPin { name, fingerprint: operator.fingerprint.clone() };
        let mut after = None;
        loop {
            let page = store.day_entries(&pin, day, after.as_ref(), limit).await?;
            page.iter().for_each(|entry| sum.add_entry(entry));
            let Some(last) = page.into_iter().next_back() else { break };
            after = Some(EntryPosition {
                at: last.at,
                transaction: last.transaction,
                version: last.version,
            });
        }
    }
    let filter = filter(&operator.fingerprint, day);
    let mut after = None;
    loop {
        let page = store.statement_lines(&filter, after.as_ref(), limit).await?;
        page.iter().for_each(|line| sum.add_line(line));
        let Some(last) = page.into_iter().next_back() else { break };
        after = Some(LinePosition { statement: last.statement, number: last.line.number });
    }
    Ok(sum.finish())
}

/// The balances before a day: those after the day before if that is closed, else the sums of all
/// earlier entries.
async fn opening(
    store: &dyn Store,
    operator: &OperatorFingerprint,
    day: Date,
) -> Result<Postings, StoreError> {
    if let Ok(before) = day.yesterday()
        && let Some(closed) =
            store.closed_days(Some(operator), Some((before, before)), 1).await?.pop()
    {
        return Ok(closed.figures.closing());
    }
    store.postings_before(operator, day).await
}
