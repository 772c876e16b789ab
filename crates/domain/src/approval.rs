//! Payouts and refunds that wait for the approval of a person, and the decisions about them
//! (docs/reference/payouts.md#approval). What is written here about a payout holds for a refund
//! too.

use super::{
    BatchId, Event, KeyId, Kind, Transaction, TransactionOrder,
    audit::Action,
    decision_text::DecisionNote,
    payout_controls::{LimitExceeded, PayoutControls},
    payout_route::{PayoutRoute, PayoutRoutes},
    refund::NotRefundable,
    route_error::RouteError,
    store_error::StoreError,
    tariff::Price,
    transaction::Sending,
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::{FailureCode, State, lifecycle::Observation};

pub use super::decision_text::PersonName;

/// How long a payout waits for an approval ([`approval_until`]). After that it ends as
/// `approval_refused`.
const APPROVAL_MAX_WAIT: SignedDuration = SignedDuration::from_hours(72);

/// A decision about a payout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PayoutDecision {
    /// A person approves it.
    Approve {
        /// The name of the person who approves, as the event and the audit log keep it.
        by: PersonName,
    },
    /// A person refuses it.
    Refuse {
        /// The name of the person who refuses, as the event keeps it.
        by: PersonName,
        /// Why the person refuses, in 1 to 500 characters on one line.
        note: DecisionNote,
    },
    /// The merchant's server, or a person, cancels it.
    Cancel,
}

impl PayoutDecision {
    /// Checks that the decision may be about this payout alone. A line of a batch can be cancelled
    /// alone.
    ///
    /// # Errors
    /// [`DecideError::PartOfBatch`].
    pub fn may_concern(&self, payout: &TransactionOrder) -> Result<(), DecideError> {
        match &payout.batch {
            Some(batch) if *self != Self::Cancel => Err(DecideError::PartOfBatch(batch.clone())),
            _ => Ok(()),
        }
    }

    /// How the audit log calls it.
    #[must_use]
    pub const fn action(&self) -> Action {
        match self {
            Self::Approve { .. } => Action::PayoutApproved,
            Self::Refuse { .. } => Action::PayoutRefused,
            Self::Cancel => Action::PayoutCancelled,
        }
    }
}

/// A decision, and what an approval chose for the payouts that it concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoutedDecision {
    /// The decision, the same for every payout that it concerns.
    pub decision: PayoutDecision,
    /// For an approval: what was chosen for each payout. Empty for the others.
    pub routes: PayoutRoutes,
}

impl RoutedDecision {
    /// The events of the decision about one payout. `circumstances` are read for an approval only.
    ///
    /// # Errors
    /// [`DecideError`].
    pub fn events(
        &self,
        payout: &Transaction,
        circumstances: Option<Circumstances>,
        now: Timestamp,
    ) -> Result<Vec<Event>, DecideError> {
        match (&self.decision, circumstances) {
            (PayoutDecision::Approve { by }, Some(circumstances)) => {
                let route = self.routes.get(&payout.order.id);
                approve(payout, by, route, circumstances, now).map(Vec::from)
            }
            (PayoutDecision::Approve { .. }, None) => Err(DecideError::NotFound),
            (PayoutDecision::Refuse { by, note }, _) => refuse(payout, by, note).map(Vec::from),
            (PayoutDecision::Cancel, _) => cancel(payout).map(|event| event.into_iter().collect()),
        }
    }
}

/// Why a decision about a payout is refused. Then nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is no such payout.
    #[error("there is no such payout")]
    NotFound,
    /// It does not wait for an approval, or not any more.
    #[error("it does not wait for an approval: it is {0}")]
    NotWaiting(&'static str),
    /// It is a line of a batch, which is approved and refused whole.
    #[error("it is a line of {0}, which is approved and refused whole")]
    PartOfBatch(BatchId),
    /// It has waited too long. The service ends it.
    #[error("its {} hours are over, so it ends without an approval", APPROVAL_MAX_WAIT.as_hours())]
    Expired,
    /// The key that asked for it was revoked.
    #[error("the key that asked for it is revoked")]
    KeyRevoked,
    /// The account is suspended. The payout goes on waiting.
    #[error("its account is suspended")]
    AccountSuspended,
    /// It exceeds a limit as the limits are now. It goes on waiting.
    #[error("{0}; it goes on waiting")]
    Exceeded(#[from] LimitExceeded),
    /// It is a refund, and its charge cannot be refunded now. It goes on waiting.
    #[error("{0}; it goes on waiting")]
    NotRefundable(#[from] NotRefundable),
    /// No operator takes it now. It goes on waiting.
    #[error("{0}; it goes on waiting")]
    Unroutable(#[from] RouteError),
    /// No operator takes a line of the batch now. The batch goes on waiting.
    #[error("line {line}: {error}; the batch goes on waiting")]
    LineUnroutable {
        /// The number of the line, from 1.
        line: usize,
        /// Why no operator takes the payout of this line.
        error: RouteError,
    },
    /// It was handed over to its operator, or has ended otherwise.
    #[error("it was handed over to its operator, or has ended: it is {0}")]
    NotCancellable(&'static str),
    /// The store failed. The variant of [`StoreError`] shows whether the decision may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A new payout and when it is sent, as the limits of its account have it: at once, or after an
/// approval.
#[must_use]
pub fn begin(
    new: Arc<TransactionOrder>,
    sending: Sending,
    controls: &PayoutControls,
    now: Timestamp,
) -> (Arc<TransactionOrder>, Sending) {
    if controls.needs_approval(&new) {
        let sending = Sending::AfterApproval { until: now + APPROVAL_MAX_WAIT };
        // Its operator, and so its fee, is chosen when it is approved.
        let price = Price { fee_pesewas: None, ..new.price };
        (
            Arc::new(TransactionOrder {
                needs_approval: true,
                price,
                ..TransactionOrder::clone(&new)
            }),
            sending,
        )
    } else {
        (new, sending)
    }
}

/// Until when a payout that waits can be approved. Its time does not start again when its account
/// is resumed: it counts from its creation, or from its last approval.
#[must_use]
pub fn approval_until(transaction: &Transaction) -> Timestamp {
    transaction.approved_at.unwrap_or(transaction.created_at) + APPROVAL_MAX_WAIT
}

/// The event after which a payout that was not sent waits for an approval: its account was
/// suspended, or its key revoked, and the reasons may concern it. `None` if it waits already, may
/// have been sent, or is final.
#[must_use]
pub fn require(transaction: &Transaction) -> Option<Event> {
    let is_held = transaction.order.transfer.kind == Kind::Payout && transaction.may_be_sent();
    is_held
        .then(|| transaction.weigh(&Observation::NeedsApproval.into(), transaction.version))
        .flatten()
}

/// The payouts and refunds that one key or one person asked for, and that wait for an approval.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingRequests {
    /// The secret key that asked for them.
    pub key: Option<KeyId>,
    /// The actor that the audit log names, of requests that a person of the dashboard made.
    pub actor: Option<String>,
    /// How many they are, each one decision.
    pub count: u64,
}

/// What else an approval depends on. It is read in the database transaction that approves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances {
    /// The limits of the account and mode.
    pub controls: PayoutControls,
    /// The sum of the other payouts that count on this day, in pesewas.
    pub paid_pesewas: i64,
    /// Whether the key that asked for the payout was revoked. An expired key does not count as
    /// revoked.
    pub is_key_revoked: bool,
    /// Whether the account is suspended.
    pub is_account_suspended: bool,
    /// Why the charge of a refund cannot be refunded. `None` where it can, and for a payout.
    pub not_refundable: Option<NotRefundable>,
}

/// The events that approve a payout, which this route takes.
///
/// A revoked key prevents the first approval only: a payout that waits because the key was revoked
/// may be approved.
///
/// # Errors
/// [`DecideError`], but neither [`DecideError::NotFound`] nor [`DecideError::NotCancellable`].
pub fn approve(
    transaction: &Transaction,
    by: &PersonName,
    route: Option<&PayoutRoute>,
    circumstances: Circumstances,
    now: Timestamp,
) -> Result<[Event; 2], DecideError> {
    let moved = waiting(transaction, Observation::Approved)?;
    if now >= approval_until(transaction) {
        return Err(DecideError::Expired);
    }
    let is_first_approval = transaction.order.needs_approval && transaction.approved_at.is_none();
    if circumstances.is_key_revoked && is_first_approval {
        return Err(DecideError::KeyRevoked);
    }
    if circumstances.is_account_suspended {
        return Err(DecideError::AccountSuspended);
    }
    if let Some(reason) = circumstances.not_refundable {
        return Err(reason.into());
    }
    let route = route.ok_or(RouteError::NetworkUnavailable)?;
    let is_key_revoked = circumstances.is_key_revoked;
    let approved = Event::Approved { by: by.clone(), route: route.clone(), is_key_revoked };
    let mut routed = transaction.clone();
    routed.apply_event(&approved, now);
    if routed.order.counts_as_payout() {
        circumstances.controls.check(routed.order.transfer.amount, circumstances.paid_pesewas)?;
    }
    Ok([approved, moved])
}

/// The events that refuse a payout.
///
/// # Errors
/// [`DecideError::NotWaiting`].
pub fn refuse(
    transaction: &Transaction,
    by: &PersonName,
    note: &DecisionNote,
) -> Result<[Event; 2], DecideError> {
    let moved = waiting(transaction, REFUSED)?;
    Ok([Event::ApprovalRefused { by: by.clone(), note: note.clone() }, moved])
}

/// The event that ends a payout which nobody approved in time, or whose key was revoked. `None` if
/// it does not wait.
#[must_use]
pub fn expire(transaction: &Transaction) -> Option<Event> {
    waiting(transaction, REFUSED).ok()
}

/// The event that cancels a payout. `None` if it was cancelled before.
///
/// # Errors
/// [`DecideError::NotFound`] for a charge, and [`DecideError::NotCancellable`].
pub fn cancel(transaction: &Transaction) -> Result<Option<Event>, DecideError> {
    if transaction.order.transfer.kind != Kind::Payout {
        return Err(DecideError::NotFound);
    }
    match transaction.state {
        State::Failed(FailureCode::Cancelled) => Ok(None),
        _ if transaction.is_unsent() => {
            let cancelled = Observation::Failed(FailureCode::Cancelled);
            Ok(transaction.weigh(&cancelled.into(), transaction.version))
        }
        state => Err(DecideError::NotCancellable(state.status().as_str())),
    }
}

const REFUSED: Observation = Observation::Failed(FailureCode::ApprovalRefused);

/// The event of a decision, if the transaction waits for an approval.
fn waiting(transaction: &Transaction, decision: Observation) -> Result<Event, DecideError> {
    let event = transaction
        .weigh(&decision.into(), transaction.version)
        .filter(|_| transaction.state.is_unapproved());
    event.ok_or_else(|| DecideError::NotWaiting(transaction.state.status().as_str()))
}

#[cfg(test)]
mod tests;
