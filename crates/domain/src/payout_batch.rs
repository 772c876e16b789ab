//! Batches of payouts (docs/reference/payouts.md#batches). A batch is begun, approved and refused
//! whole; afterwards each of its lines is a payout of its own.

use super::{
    BatchId, Event, KeyId, NewTransaction, Scope, Transaction, TransactionId, UserId,
    approval::{self, Circumstances, DecideError, PayoutDecision, RoutedDecision},
    payout_controls::{Ceiling, LimitExceeded, PayoutControls, day_of},
    payout_route::PayoutRoutes,
    routing::RouteError,
    tariff::Price,
    transaction::Sending,
};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use tua_contract::{FailureCode, State};

/// The largest number of lines.
pub const MAX_LINES: usize = 1_000;

/// A payout of the same amount to the same wallet within this time is reported as repeated.
pub const REPEATED_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Who asked for a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskedBy {
    /// A merchant's server, with this secret key.
    Key(KeyId),
    /// A person in the dashboard.
    Person(UserId),
    /// A person on the command line. The audit log has the system user and the name.
    CommandLine,
}

impl AskedBy {
    /// The secret key, if the request came with one; `None` for a person.
    #[must_use]
    pub const fn key(&self) -> Option<&KeyId> {
        match self {
            Self::Key(key) => Some(key),
            Self::Person(_) | Self::CommandLine => None,
        }
    }

    /// The person in the dashboard.
    #[must_use]
    pub const fn user(&self) -> Option<&UserId> {
        match self {
            Self::Person(user) => Some(user),
            Self::Key(_) | Self::CommandLine => None,
        }
    }
}

/// A batch that is about to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewBatch {
    /// `bat_…`, minted before the batch is stored.
    pub id: BatchId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The merchant's reference of the whole batch, at most 64 characters.
    pub reference: String,
    /// Who asked for it.
    pub asked_by: AskedBy,
    /// Its payouts, in the order of their ids.
    pub lines: Vec<NewTransaction>,
}

/// A line that repeats an earlier payout. It is no fault: two payouts of one amount to one wallet
/// may be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatedPayout {
    /// The index of the line, from 0.
    pub line: usize,
    /// The latest earlier payout of the same amount to the same wallet: another line, or one of the
    /// last days.
    pub earlier: TransactionId,
}

/// A batch as it is stored, with its payouts as they are now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayoutBatch {
    /// `bat_…`, minted when the batch was begun.
    pub id: BatchId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The merchant's reference of the whole batch, at most 64 characters.
    pub reference: String,
    /// Who asked for it.
    pub asked_by: AskedBy,
    /// The lines that repeat earlier payouts.
    pub warnings: Vec<RepeatedPayout>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Its payouts, in the order of the request.
    pub lines: Vec<Transaction>,
}

/// A batch without its lines, as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchSummary {
    /// `bat_…`, minted when the batch was begun.
    pub id: BatchId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The merchant's reference of the whole batch, at most 64 characters.
    pub reference: String,
    /// Who asked for it.
    pub asked_by: AskedBy,
    /// When it was begun.
    pub created_at: Timestamp,
    /// The number of its lines.
    pub count: u32,
    /// The sum of its lines, in pesewas.
    pub total_pesewas: i64,
    /// How many lines are not final.
    pub pending: u32,
    /// When the lines that wait for an approval end without one; `None` where none waits.
    pub approval_due: Option<Timestamp>,
}

/// Why a batch is refused. Then none of its payouts is begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BatchExceeds {
    /// Lines are larger than one payout may be; each with its index.
    Lines(Vec<(usize, LimitExceeded)>),
    /// The sum is larger than what is left of the day's limit.
    Day(LimitExceeded),
}

/// The lines that no operator takes now; each with its index, from 0.
pub type UnroutableLines = Vec<(usize, RouteError)>;

/// What a batch would meet if it began now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchCheck {
    /// The lines that repeat earlier payouts.
    pub warnings: Vec<RepeatedPayout>,
    /// The limit that it exceeds, if any.
    pub exceeds: Option<BatchExceeds>,
    /// Whether a second person must approve it.
    pub needs_approval: bool,
}

/// The sum of amounts, in pesewas. 1,000 lines of the largest amount are far below the limit of the
/// type.
pub fn total_pesewas<'a>(lines: impl IntoIterator<Item = &'a NewTransaction>) -> i64 {
    lines.into_iter().map(|line| line.transfer.amount.pesewas()).sum()
}

/// Checks lines on a day on which other payouts of `paid_pesewas` count.
///
/// # Errors
/// [`BatchExceeds`].
pub fn check(
    controls: &PayoutControls,
    lines: &[NewTransaction],
    paid_pesewas: i64,
) -> Result<(), BatchExceeds> {
    let single = PayoutControls { daily_limit: None, ..*controls };
    let exceeding = |(line, new): (usize, &NewTransaction)| {
        Some((line, single.check(new.transfer.amount, 0).err()?))
    };
    let exceeding: Vec<_> = lines.iter().enumerate().filter_map(exceeding).collect();
    if !exceeding.is_empty() {
        return Err(BatchExceeds::Lines(exceeding));
    }
    check_day(controls, total_pesewas(lines), paid_pesewas).map_err(BatchExceeds::Day)
}

fn check_day(
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
pub fn needs_approval(controls: &PayoutControls, lines: &[NewTransaction]) -> bool {
    controls.approval_above.is_some_and(|above| total_pesewas(lines) > above.pesewas())
}

/// The transactions of a new batch. None is handed over in the commit that begins them: the worker
/// sends those that need no approval. Those that wait get their operators when they are approved.
#[must_use]
pub fn begin(
    lines: &[NewTransaction],
    routes: &PayoutRoutes,
    controls: &PayoutControls,
    now: Timestamp,
) -> Vec<(Transaction, Sending)> {
    let needs_approval = needs_approval(controls, lines);
    let begin = |new: &NewTransaction| {
        let route = routes.get(&new.id).filter(|_| !needs_approval);
        let price = Price { fee_pesewas: route.and_then(|route| route.fee_pesewas), ..new.price };
        let operator = route.and_then(|route| route.operator.clone());
        let new = NewTransaction { needs_approval, price, ..new.clone() };
        let transaction = Transaction::begin(new, false, operator.clone(), now);
        let sending = if needs_approval {
            Sending::AfterApproval { until: approval::approval_until(&transaction) }
        } else {
            Sending::Later { send_at: now, operator }
        };
        (transaction, sending)
    };
    lines.iter().map(begin).collect()
}

/// The first event of a transaction of a batch.
#[must_use]
pub fn first_event(line: &Transaction) -> Event {
    Event::Begun { new: line.begun.clone(), is_handed_over: false, operator: line.operator.clone() }
}

/// The lines that repeat an earlier payout. `earlier` are the payouts of the last days that have
/// not failed, oldest first.
#[must_use]
pub fn repeated<'a>(
    lines: &'a [NewTransaction],
    earlier: impl IntoIterator<Item = &'a NewTransaction>,
) -> Vec<RepeatedPayout> {
    let key = |new: &'a NewTransaction| {
        (new.transfer.phone.as_str(), new.transfer.network, new.transfer.amount.pesewas())
    };
    let mut latest: HashMap<_, &TransactionId> =
        earlier.into_iter().map(|new| (key(new), &new.id)).collect();
    let repeats = |(line, new): (usize, &'a NewTransaction)| {
        let earlier = latest.insert(key(new), &new.id)?.clone();
        Some(RepeatedPayout { line, earlier })
    };
    lines.iter().enumerate().filter_map(repeats).collect()
}

impl NewBatch {
    /// The batch once its payouts have begun.
    #[must_use]
    pub fn begun(
        self,
        warnings: Vec<RepeatedPayout>,
        lines: Vec<Transaction>,
        now: Timestamp,
    ) -> PayoutBatch {
        let Self { id, scope, reference, asked_by, lines: _ } = self;
        PayoutBatch { id, scope, reference, asked_by, warnings, created_at: now, lines }
    }
}

impl PayoutBatch {
    /// The sum of its lines, in pesewas.
    #[must_use]
    pub fn total_pesewas(&self) -> i64 {
        total_pesewas(self.lines.iter().map(|line| &*line.begun))
    }

    /// `COMPLETED` once every line is final, until then `PENDING`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        status(self.is_completed())
    }

    /// Whether every line is final.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.lines.iter().all(|line| line.state.is_final())
    }

    /// The batch as the response to its request showed it: nothing has happened to its lines yet.
    #[must_use]
    pub fn as_begun(self) -> Self {
        let begun = |line: Transaction| {
            let is_routed = !line.begun.needs_approval;
            let fee_pesewas = line.begun.price.fee_pesewas.filter(|_| is_routed);
            let new = NewTransaction {
                price: Price { fee_pesewas, ..line.begun.price },
                ..NewTransaction::clone(&line.begun)
            };
            Transaction::begin(new, false, line.operator.filter(|_| is_routed), line.created_at)
        };
        Self { lines: self.lines.into_iter().map(begun).collect(), ..self }
    }

    /// When the lines that wait for an approval end without one; `None` where none waits.
    #[must_use]
    pub fn approval_due(&self) -> Option<Timestamp> {
        self.lines
            .iter()
            .filter(|line| line.state.is_unapproved())
            .map(approval::approval_until)
            .min()
    }
}

impl BatchSummary {
    /// `COMPLETED` once no line is pending, else `PENDING`, as [`PayoutBatch::status`].
    #[must_use]
    pub fn status(&self) -> &'static str {
        status(self.pending == 0)
    }
}

const fn status(is_completed: bool) -> &'static str {
    if is_completed { "COMPLETED" } else { "PENDING" }
}

/// How much of these lines counts towards the limit of this day, in pesewas.
#[must_use]
pub fn counted_today<'a>(lines: impl IntoIterator<Item = &'a Transaction>, now: Timestamp) -> i64 {
    let (start, end) = day_of(now);
    let counts = |line: &&Transaction| {
        let at = line.approved_at.unwrap_or(line.created_at).as_millisecond();
        (start..end).contains(&at) && !matches!(line.state, State::Failed(_))
    };
    total_pesewas(lines.into_iter().filter(counts).map(|line| &*line.begun))
}

/// The lines that an approval or a refusal is about.
#[must_use]
pub fn waiting(lines: &[Transaction]) -> Vec<&Transaction> {
    lines.iter().filter(|line| line.state.is_unapproved()).collect()
}

/// The events of a decision about a batch: for each line those that it takes in.
///
/// An approval or refusal is about every line that waits, all or none. A cancellation ends the
/// lines that are not handed over, and leaves the others. `circumstances` are read for an approval
/// only, and count the other payouts of the day without the lines that wait.
///
/// # Errors
/// [`DecideError`], but neither [`DecideError::Unknown`] nor [`DecideError::NotCancellable`].
pub fn decide(
    lines: &[Transaction],
    decision: &RoutedDecision,
    circumstances: Option<Circumstances>,
    now: Timestamp,
) -> Result<Vec<Vec<Event>>, DecideError> {
    if decision.decision == PayoutDecision::Cancel {
        let cancelled = |line| approval::cancel(line).ok().flatten().into_iter().collect();
        return Ok(lines.iter().map(cancelled).collect());
    }
    let waits = waiting(lines);
    // The worker ends lines that nobody approved in several writes. Once it has begun, the rest is
    // not decided otherwise.
    let is_refused = |line: &Transaction| line.state == State::Failed(FailureCode::ApprovalRefused);
    if waits.is_empty() || lines.iter().any(is_refused) {
        return Err(DecideError::NotWaiting(status(
            lines.iter().all(|line| line.state.is_final()),
        )));
    }
    // The limit of the day is for the sum of the lines.
    let of_one_line = circumstances.map(|circumstances| Circumstances {
        controls: PayoutControls { daily_limit: None, ..circumstances.controls },
        ..circumstances
    });
    let events = |line: &Transaction| {
        if line.state.is_unapproved() {
            decision.events(line, of_one_line, now)
        } else {
            Ok(Vec::new())
        }
    };
    let events: Vec<Vec<Event>> = lines.iter().map(events).collect::<Result<_, _>>()?;
    if let Some(Circumstances { controls, paid_pesewas, .. }) = circumstances {
        check_day(&controls, total_pesewas(waits.iter().map(|line| &*line.begun)), paid_pesewas)?;
    }
    Ok(events)
}

#[cfg(test)]
mod tests;
