//! Closed days of an operator: the figures of a day that a person signed off
//! (docs/reference/statements.md).

use super::{LineKind, MatchedLine, Outcome};
use crate::{
    Scope, StatementId, TransactionId,
    calendar::{day_of, start_of_day},
    ledger::Postings,
    pinned_operator::{OperatorName, PinnedOperator},
    store_error::StoreError,
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// How long after its end a day can be closed. A write that began before midnight is committed or
/// gone by then.
pub const CLOSABLE_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// An entry of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerEntry {
    /// The transaction that it belongs to.
    pub transaction: TransactionId,
    /// That of the transaction after the event.
    pub version: u32,
    /// When it was posted.
    pub at: Timestamp,
    /// The account and mode.
    pub scope: Scope,
    /// The change of each account of the ledger by this entry, in pesewas.
    pub postings: Postings,
}

/// The place of an entry in the order of an operator's entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPosition {
    /// When it was posted.
    pub at: Timestamp,
    /// The transaction that the entry belongs to.
    pub transaction: TransactionId,
    /// The transaction's version after the event that posted the entry.
    pub version: u32,
}

/// Lines of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LineSum {
    /// How many there are.
    pub count: u64,
    /// What they moved, in pesewas.
    pub pesewas: i64,
    /// Their fees, in pesewas.
    pub fee_pesewas: i64,
}

/// What a day of an operator consists of: the entries of the ledger, and the lines of statements
/// that were posted to it. Both are only inserted, and not into a closed day, so these figures stay
/// as they are. Lines of an import that was cut off can be removed, but until then no day is
/// closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DayFigures {
    /// The balances of the ledger before the day, over all accounts that the operator serves.
    pub opening: Postings,
    /// What was posted on the day.
    pub posted: Postings,
    /// How many entries there are.
    pub entries: u64,
    /// How many lines there are.
    pub lines: u64,
    /// The lines of each kind in the order of [`LineKind::ALL`], without reversals.
    pub kinds: [LineSum; LineKind::ALL.len()],
    /// The lines about money that the operator returned.
    pub reversals: LineSum,
    /// SHA-256 of all entries and lines, and of the opening balances.
    pub digest: [u8; 32],
}

impl DayFigures {
    /// The balances after the day.
    #[must_use]
    pub fn closing(&self) -> Postings {
        self.opening.plus(self.posted)
    }
}

/// A day that was closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosedDay {
    /// The operator, with its name in the settings when the day was closed. The day stays closed
    /// under any other name.
    pub operator: PinnedOperator,
    /// The day, in UTC.
    pub day: Date,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// Who closed it, as the audit log names the person.
    pub closed_by: String,
    /// The figures of the day, as they were signed off.
    pub figures: DayFigures,
    /// How many lines and transactions had each outcome when it was closed. They follow the
    /// transactions afterwards.
    pub outcomes: [u64; Outcome::ALL.len()],
    /// How many of them did not agree.
    pub exceptions: u64,
}

/// Why a day was not closed.
#[derive(Debug, thiserror::Error)]
pub enum CloseDayError {
    /// It has not ended yet, or not for an hour.
    #[error("it can be closed one hour after its end, from {0} on")]
    NotEnded(Timestamp),
    /// The day is closed already, and stays closed.
    #[error("it is closed already")]
    Closed,
    /// It is before the first closed day, which was any. Earlier days are closed backwards.
    #[error("of the days before the first closed one, the next to close is {0}")]
    NotPrevious(Date),
    /// Days are closed without gaps.
    #[error("the next day to close is {0}")]
    NotNext(Date),
    /// Lines of an import that was cut off are missing.
    #[error(
        "the import of {0} was cut off; import the file again, or abandon it with `tua statement \
         abandon`"
    )]
    Incomplete(StatementId),
    /// Neither the ledger nor a statement has anything of the operator until this day.
    #[error("there is nothing of this operator until this day")]
    Nothing,
    /// The number of ledger entries or of statement lines of the day changed meanwhile, so that the
    /// figures are not those that the person has seen.
    #[error("the entries or lines of the day changed meanwhile; look at the figures again")]
    Changed,
    /// The store failed. The variant of [`StoreError`] shows whether the day may be closed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// From when on a day can be closed.
#[must_use]
pub fn closable_from(day: Date) -> Timestamp {
    let end = day.tomorrow().ok().and_then(start_of_day).unwrap_or(Timestamp::MAX);
    end.checked_add(CLOSABLE_AFTER).unwrap_or(Timestamp::MAX)
}

/// The first day that cannot be closed yet, because it has not ended an hour ago: today or, in the
/// first hour of a day, yesterday.
#[must_use]
pub fn upcoming_day(now: Timestamp) -> Date {
    day_of(now.checked_sub(CLOSABLE_AFTER).unwrap_or(now))
}

/// Checks that a day has ended long enough ago.
///
/// # Errors
/// [`CloseDayError::NotEnded`].
pub fn check_ended(day: Date, now: Timestamp) -> Result<(), CloseDayError> {
    let closable = closable_from(day);
    if now < closable { Err(CloseDayError::NotEnded(closable)) } else { Ok(()) }
}

/// Checks that a day is the one after the last closed one, or the one before the first closed one;
/// the first day to be closed may be any. So closed days have no gaps. `closed` are the first and
/// the last closed day.
///
/// # Errors
/// [`CloseDayError::NotPrevious`], [`CloseDayError::Closed`] and [`CloseDayError::NotNext`].
pub fn check_order(closed: Option<(Date, Date)>, day: Date) -> Result<(), CloseDayError> {
    let Some((first, last)) = closed else { return Ok(()) };
    let next = last.tomorrow().unwrap_or(Date::MAX);
    let previous = first.yesterday().unwrap_or(Date::MIN);
    if day < previous {
        Err(CloseDayError::NotPrevious(previous))
    } else if day >= first && day <= last {
        Err(CloseDayError::Closed)
    } else if day > next {
        Err(CloseDayError::NotNext(next))
    } else {
        Ok(())
    }
}

/// The next day of an operator that can be closed now: the one after the last closed one, or the
/// last one that has ended where none is closed. `None` while it has not ended.
#[must_use]
pub fn next_day(last: Option<Date>, now: Timestamp) -> Option<Date> {
    let next = match last {
        Some(last) => last.tomorrow(),
        None => day_of(now.checked_sub(CLOSABLE_AFTER).ok()?).yesterday(),
    };
    next.ok().filter(|day| check_ended(*day, now).is_ok())
}

/// The day to which a line is posted: its own, or the day after the last closed one if its own is
/// closed. `closed` are the first and the last closed day; all between them are closed.
#[must_use]
pub fn posted_day(closed: Option<(Date, Date)>, day: Date) -> Date {
    match closed {
        Some((first, last)) if (first..=last).contains(&day) => {
            last.tomorrow().unwrap_or(Date::MAX)
        }
        _ => day,
    }
}

/// Sums up a day: first its entries, by the names that the operator had, then its lines, each in
/// their order.
#[derive(Debug)]
pub struct DaySum {
    figures: DayFigures,
    digest: Sha256,
}

impl DaySum {
    /// A day without entries and lines, before which the ledger had these balances.
    #[must_use]
    pub fn new(operator: &OperatorName, day: Date, opening: Postings) -> Self {
        let figures = DayFigures {
            opening,
            posted: Postings::default(),
            entries: 0,
            lines: 0,
            kinds: [LineSum::default(); LineKind::ALL.len()],
            reversals: LineSum::default(),
            digest: [0; 32],
        };
        let digest = Sha256::new().chain_update(format!("{operator} {day}{}\n", amounts(&opening)));
        Self { figures, digest }
    }

    /// Takes in the next entry.
    pub fn add_entry(&mut self, entry: &LedgerEntry) {
        let LedgerEntry { transaction, version, at, scope, postings } = entry;
        self.figures.entries += 1;
        self.figures.posted = self.figures.posted.plus(*postings);
        let at = at.as_millisecond();
        let account = &scope.account;
        let mode = scope.mode.as_str();
        let text =
            format!("entry {transaction} {version} {at} {account} {mode}{}\n", amounts(postings));
        self.digest.update(text);
    }

    /// Takes in the next line.
    pub fn add_line(&mut self, MatchedLine { statement, line, .. }: &MatchedLine) {
        let figures = &mut self.figures;
        figures.lines += 1;
        let sum = if line.is_reversal {
            &mut figures.reversals
        } else {
            &mut figures.kinds[line.kind as usize]
        };
        sum.count += 1;
        sum.pesewas += line.pesewas;
        sum.fee_pesewas += line.fee_pesewas.unwrap_or(0);
        let number = line.number;
        let at = line.at.as_millisecond();
        let kind = line.kind.as_str();
        let fee = line.fee_pesewas.map_or_else(|| "-".to_owned(), |fee| fee.to_string());
        let key = hex::encode(line.key);
        let is_reversal = line.is_reversal;
        let pesewas = line.pesewas;
        self.digest.update(format!(
            "line {statement} {number} {key} {at} {kind} {is_reversal} {pesewas} {fee}\n"
        ));
    }

    /// The figures, with the digest of all entries and lines that were added.
    #[must_use]
    pub fn finish(self) -> DayFigures {
        DayFigures { digest: self.digest.finalize().into(), ..self.figures }
    }
}

fn amounts(postings: &Postings) -> String {
    postings.iter().fold(String::new(), |mut text, (_, amount)| {
        // Writing to a text cannot fail.
        let _ = write!(text, " {amount}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_line_of_a_closed_day_is_posted_to_the_day_after_the_last_closed_one() {
        let closed = Some((date(2026, 3, 2), date(2026, 3, 4)));
        for (day, posted) in [(1, 1), (2, 5), (4, 5), (5, 5), (6, 6)] {
            assert_eq!(posted_day(closed, date(2026, 3, day)), date(2026, 3, posted), "{day}");
        }
        assert_eq!(posted_day(None, date(2026, 3, 2)), date(2026, 3, 2));
    }

    #[test]
    fn the_next_day_has_ended_an_hour_ago() {
        let at = |time: &str| time.parse().unwrap();
        let last = Some(date(2026, 3, 1));
        assert_eq!(next_day(last, at("2026-03-03T00:59:59Z")), None);
        assert_eq!(next_day(last, at("2026-03-03T01:00:00Z")), Some(date(2026, 3, 2)));
        assert_eq!(next_day(None, at("2026-03-03T00:59:59Z")), Some(date(2026, 3, 1)));
        assert_eq!(next_day(None, at("2026-03-03T01:00:00Z")), Some(date(2026, 3, 2)));
        assert_eq!(upcoming_day(at("2026-03-03T00:59:59Z")), date(2026, 3, 2));
        assert_eq!(closable_from(date(2026, 3, 2)), at("2026-03-03T01:00:00Z"));
        assert_eq!(upcoming_day(at("2026-03-03T01:00:00Z")), date(2026, 3, 3));
    }
}
