//! Batches of payouts (docs/reference/payouts.md#batches). A batch is begun, approved and refused
//! whole; afterwards each of its lines is a payout of its own.

mod limits;
mod repeated;

use super::{
    BatchId, Event, KeyId, Scope, Transaction, TransactionOrder, UserId,
    approval::{self, Circumstances, DecideError, PayoutDecision, RoutedDecision},
    payout_controls::PayoutControls,
    payout_route::PayoutRoutes,
    route_error::RouteError,
    tariff::Price,
    transaction::Sending,
};
use jiff::Timestamp;
use limits::check_day;
pub use limits::{BatchLimitExceeded, check, counted_today, needs_approval, total_pesewas};
pub use repeated::{REPEATED_WITHIN, RepeatedPayout, repeated};
use tua_contract::{FailureCode, State};

/// The largest number of lines.
pub const MAX_LINES: usize = 1_000;

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
    pub lines: Vec<TransactionOrder>,
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
    /// How many lines have failed, with those that nobody approved.
    pub failed: u32,
    /// How many lines a person declined, or nobody approved in time. No money moved.
    pub not_approved: u32,
    /// When the lines that wait for an approval end without one; `None` where none waits.
    pub approval_due: Option<Timestamp>,
}

/// The lines that no operator takes now; each with its index, from 0.
pub type UnroutableLines = Vec<(usize, RouteError)>;

/// What a batch would meet if it began now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchCheck {
    /// The lines that repeat earlier payouts.
    pub warnings: Vec<RepeatedPayout>,
    /// The limit that it exceeds, if any.
    pub limit_exceeded: Option<BatchLimitExceeded>,
    /// Whether a second person must approve it.
    pub needs_approval: bool,
}

/// The transactions of a new batch. None is handed over in the commit that begins them: the worker
/// sends those that need no approval. Those that wait get their operators when they are approved.
#[must_use]
pub fn begin(
    lines: &[TransactionOrder],
    routes: &PayoutRoutes,
    controls: &PayoutControls,
    now: Timestamp,
) -> Vec<(Transaction, Sending)> {
    let needs_approval = needs_approval(controls, lines);
    let begin = |new: &TransactionOrder| {
        let route = routes.get(&new.id).filter(|_| !needs_approval);
        let price = Price { fee_pesewas: route.and_then(|route| route.fee_pesewas), ..new.price };
        let operator = route.and_then(|route| route.operator.clone());
        let new = TransactionOrder { needs_approval, price, ..new.clone() };
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
    Event::Begun { new: line.order.clone(), is_handed_over: false, operator: line.operator.clone() }
}

impl NewBatch {
    /// The batch once its payouts have begun.
    #[must_use]
    pub fn into_batch(
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
        total_pesewas(self.lines.iter().map(|line| &*line.order))
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
        let as_begun = |line: Transaction| {
            let is_routed = !line.order.needs_approval;
            let fee_pesewas = line.order.price.fee_pesewas.filter(|_| is_routed);
            let new = TransactionOrder {
                price: Price { fee_pesewas, ..line.order.price },
                ..TransactionOrder::clone(&line.order)
            };
            Transaction::begin(new, false, line.operator.filter(|_| is_routed), line.created_at)
        };
        Self { lines: self.lines.into_iter().map(as_begun).collect(), ..self }
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
/// [`DecideError`], but neither [`DecideError::NotFound`] nor [`DecideError::NotCancellable`].
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
        check_day(&controls, total_pesewas(waits.iter().map(|line| &*line.order)), paid_pesewas)?;
    }
    Ok(events)
}

#[cfg(test)]
mod tests;
