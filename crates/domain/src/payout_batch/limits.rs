//! The limits of a batch: what its sum and its lines may be, and when it needs an approval.

use crate::{
    Transaction, TransactionOrder,
    payout_controls::{Ceiling, LimitExceeded, PayoutControls, day_of},
};
use jiff::Timestamp;
use tua_contract::State;

/// The limit that a batch exceeds. None of its payouts is begun then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BatchLimitExceeded {
    /// Lines are larger than one payout may be; each with its index.
    Lines(Vec<(usize, LimitExceeded)>),
    /// The sum is larger than what is left of the day's limit.
    Daily(LimitExceeded),
}

/// The sum of amounts, in pesewas. 1,000 lines of the largest amount are far below the limit of the
/// type.
pub fn total_pesewas<'a>(lines: impl IntoIterator<Item = &'a TransactionOrder>) -> i64 {
    lines.into_iter().map(|line| line.transfer.amount.pesewas()).sum()
}

/// Checks lines on a day on which other payouts of `paid_pesewas` count.
///
/// # Errors
/// [`BatchLimitExceeded`].
pub fn check(
    controls: &PayoutControls,
    lines: &[TransactionOrder],
    paid_pesewas: i64,
) -> Result<(), BatchLimitExceeded> {
    let single = PayoutControls { daily_limit: None, ..*controls };
    let exceeding = |(line, new): (usize, &TransactionOrder)| {
        Some((line, single.check(new.transfer.amount, 0).err()?))
    };
    let exceeding: Vec<_> = lines.iter().enumerate().filter_map(exceeding).collect();
    if !exceeding.is_empty() {
        return Err(BatchLimitExceeded::Lines(exceeding));
    }
    check_day(controls, total_pesewas(lines), paid_pesewas).map_err(BatchLimitExceeded::Daily)
}

pub(super) fn check_day(
    controls: &PayoutControls,
    total: i64,
    paid_pesewas: i64,
) -> Result<(), LimitExceeded> {
    let Some(limit) = controls.daily_limit else { return Ok(()) };
    let left = limit.pesewas().saturating_sub(paid_pesewas).max(0);
    if total > left {
        Err(LimitExceeded::Daily { limit, left: Ceiling::from_pesewas(left).unwrap_or_default() })
    } else {
        Ok(())
    }
}

/// Whether a batch needs an approval: its sum decides.
#[must_use]
pub fn needs_approval(controls: &PayoutControls, lines: &[TransactionOrder]) -> bool {
    controls.approval_above.is_some_and(|above| total_pesewas(lines) > above.pesewas())
}

/// How much of these lines counts towards the limit of this day, in pesewas.
#[must_use]
pub fn counted_today<'a>(lines: impl IntoIterator<Item = &'a Transaction>, now: Timestamp) -> i64 {
    let (start, end) = day_of(now);
    let counts = |line: &&Transaction| {
        let at = line.approved_at.unwrap_or(line.created_at).as_millisecond();
        (start..end).contains(&at) && !matches!(line.state, State::Failed(_))
    };
    total_pesewas(lines.into_iter().filter(counts).map(|line| &*line.order))
}
