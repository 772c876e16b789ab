//! The states of a transaction, and the only function that changes them.
//!
//! Specified in `docs/reference/lifecycle.md`.

use crate::FailureCode;

/// The state of a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// The outcome is not known yet.
    Pending(Step),
    /// The money has moved. Final.
    Successful,
    /// The money has not moved and will not. Final.
    Failed(FailureCode),
}

/// What a pending transaction waits for: `nextAction` in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The payer must approve a prompt on the phone.
    ApproveOnPhone,
    /// The payer must enter the one-time passcode that the operator sent.
    EnterOtp,
    /// The payer must enter a voucher that the phone has created (Telecel).
    EnterVoucher,
    /// A person of the merchant must approve the payout. Until then it is not sent to an operator.
    ApproveInDashboard,
    /// Nothing is expected from the payer. The operator has not reported the outcome yet.
    Wait,
}

/// The status of a transaction: `status` in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The outcome is not known yet.
    Pending,
    /// The money has moved.
    Successful,
    /// The money has not moved and will not move.
    Failed,
}

/// What an operator's response, or a decision by people, reveals about a transaction.
///
/// A question without a response is not an observation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// A person has approved a payout that waits for approval. It may now be sent.
    Approved,
    /// A payout that is not sent needs an approval, because its account was suspended.
    NeedsApproval,
    /// The operator has the order, and waits for this.
    Awaits(Step),
    /// The operator has the order, but does not report what the payer must do.
    StillPending,
    /// The order or its cancellation was sent, but it is unknown whether it arrived: timeout, HTTP
    /// 5xx, broken connection.
    Ambiguous,
    /// The operator reports that the money has moved. Final.
    Succeeded,
    /// The operator reports a success for another amount, currency or reference than it was asked
    /// for. Not final: people must look at it.
    Mismatched,
    /// The operator reports that the money has not moved and will not move. Final.
    Failed(FailureCode),
    /// The operator reports that it has returned the money of a completed order.
    Reversed,
    /// The operator reports that the payer disputes the charge. People must look at it.
    Disputed,
}

/// The result of applying an [`Observation`] to a [`State`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Applied {
    /// The transaction changes to this state.
    Moved(State),
    /// The transaction has this state, and people must look at it.
    Flagged(State),
    /// Nothing changes: no event, no new ETag, no notification.
    Unchanged,
    /// A final observation contradicts the final state. The state does not change. People must look
    /// at it.
    Contradicts(Status),
    /// The money of a successful transaction was returned. The state does not change.
    Reversed,
    /// The payer disputes the transaction. The state does not change. People must look at it.
    Disputed,
}

/// Applies an observation to a state. No other function changes the state of a transaction.
#[must_use]
pub const fn apply(state: State, observation: Observation) -> Applied {
    use Observation::{
        Ambiguous, Approved, Awaits, Disputed, Failed, Mismatched, NeedsApproval, Reversed,
        StillPending, Succeeded,
    };
    match (state, observation) {
        (_, StillPending) => Applied::Unchanged,
        (_, Disputed) => Applied::Disputed,

        (State::Pending(Step::ApproveInDashboard), Approved) => {
            Applied::Moved(State::Pending(Step::Wait))
        }
        (State::Pending(Step::Wait), NeedsApproval) => Applied::Moved(State::UNAPPROVED),
        (_, Approved | NeedsApproval) => Applied::Unchanged,
        // It is not sent yet, so only people decide what comes next.
        (State::Pending(Step::ApproveInDashboard), Ambiguous | Awaits(_) | Mismatched) => {
            Applied::Unchanged
        }
        // No operator lets a transaction wait for people.
        (_, Awaits(Step::ApproveInDashboard)) => Applied::Unchanged,

        (State::Pending(_), Succeeded) => Applied::Moved(State::Successful),
        (State::Pending(_), Failed(code)) => Applied::Moved(State::Failed(code)),
        // The operator completed and returned the order before we learned of either, so no money
        // has moved.
        (State::Pending(_), Reversed) => {
            Applied::Moved(State::Failed(FailureCode::OperatorRefused))
        }
        (State::Pending(_), Mismatched) => Applied::Flagged(State::Pending(Step::Wait)),
        (State::Pending(Step::Wait), Ambiguous) => Applied::Unchanged,
        (State::Pending(_), Ambiguous) => Applied::Moved(State::Pending(Step::Wait)),
        (State::Pending(now), Awaits(next)) if now as u8 == next as u8 => Applied::Unchanged,
        (State::Pending(_), Awaits(next)) => Applied::Moved(State::Pending(next)),

        (State::Successful, Failed(_)) => Applied::Contradicts(Status::Failed),
        (State::Successful, Reversed) => Applied::Reversed,
        // Whatever the sum: money has moved after a final failure.
        (State::Failed(_), Succeeded | Mismatched) => Applied::Contradicts(Status::Successful),
        (State::Successful | State::Failed(_), _) => Applied::Unchanged,
    }
}

impl Observation {
    /// Whether it shows that the operator has the order.
    #[must_use]
    pub const fn is_acknowledgement(self) -> bool {
        !matches!(self, Self::Ambiguous | Self::Approved | Self::NeedsApproval)
    }
}

impl State {
    /// The state of a new transaction, before the operator is called.
    pub const NEW: Self = Self::Pending(Step::Wait);

    /// The state of a payout that people must approve.
    pub const UNAPPROVED: Self = Self::Pending(Step::ApproveInDashboard);

    /// Whether it waits for the approval of people. Then it is not sent.
    #[must_use]
    pub const fn is_unapproved(self) -> bool {
        matches!(self, Self::UNAPPROVED)
    }

    /// The status in JSON.
    #[must_use]
    pub const fn status(self) -> Status {
        match self {
            Self::Pending(_) => Status::Pending,
            Self::Successful => Status::Successful,
            Self::Failed(_) => Status::Failed,
        }
    }

    /// Whether the state can no longer change.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending(_))
    }

    /// `nextAction` in JSON: `NONE` if the state is final.
    #[must_use]
    pub const fn next_action(self) -> &'static str {
        match self {
            Self::Pending(step) => step.as_str(),
            Self::Successful | Self::Failed(_) => "NONE",
        }
    }

    /// Whether the transaction waits for a passcode or voucher.
    #[must_use]
    pub const fn expects_code(self) -> bool {
        matches!(self, Self::Pending(Step::EnterOtp | Step::EnterVoucher))
    }
}

impl Step {
    /// All actions, in the order of their declaration.
    pub const ALL: [Self; 5] = [
        Self::ApproveOnPhone,
        Self::EnterOtp,
        Self::EnterVoucher,
        Self::ApproveInDashboard,
        Self::Wait,
    ];

    /// The text in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApproveOnPhone => "APPROVE_ON_PHONE",
            Self::EnterOtp => "ENTER_OTP",
            Self::EnterVoucher => "ENTER_VOUCHER",
            Self::ApproveInDashboard => "APPROVE_IN_DASHBOARD",
            Self::Wait => "WAIT",
        }
    }

    /// Parses the text as it appears in JSON. `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.as_str() == name)
    }
}

impl Status {
    /// All statuses, the pending one first.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Successful, Self::Failed];

    /// The text in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Successful => "SUCCESSFUL",
            Self::Failed => "FAILED",
        }
    }

    /// Parses the text as it appears in JSON. `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

#[cfg(test)]
mod tests;
