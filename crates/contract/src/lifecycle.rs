//! The life of a transaction, and the only function that moves one.

use crate::FailureCode;

/// Where a transaction stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// Not decided yet; the step says what it waits for.
    Pending(Step),
    /// The money has moved. Final.
    Successful,
    /// The money has not moved and will not. Final.
    Failed(FailureCode),
}

/// What a pending transaction waits for; `nextAction` on the wire (contract section 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The payer approves a prompt on the phone.
    ApproveOnPhone,
    /// The payer enters a one-time passcode.
    EnterOtp,
    /// The payer enters a voucher made on the phone (Telecel).
    EnterVoucher,
    /// It was sent, and the outcome is not known yet.
    Wait,
}

/// The status on the wire (interface specification section 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Not decided yet.
    Pending,
    /// Paid.
    Successful,
    /// Not paid.
    Failed,
}

/// What an operator's answer, callback or a review tells us about a transaction.
///
/// An unanswered question is not an observation: who learns nothing says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// The operator has it and now waits for this.
    Awaits(Step),
    /// The operator has it and it is not decided; what the payer must do is not said.
    StillPending,
    /// Something was sent and its fate is unknown: a time-out, a 5xx, a broken connection.
    Ambiguous,
    /// The operator's word that the money has moved.
    Succeeded,
    /// The operator's word that it has not and will not.
    Failed(FailureCode),
    /// The operator's word that what it had done is undone (a payout sent back).
    Reversed,
}

/// What an [`Observation`] does to a [`State`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Applied {
    /// The transaction is now here.
    Moved(State),
    /// It says nothing new: no event, no new ETag, nobody is woken.
    Unchanged,
    /// A final word against a final state. The state stands; people must look.
    Contradicts(Status),
    /// What was done is undone. The state stands (contract section 7).
    Reversed,
}

/// Moves a transaction. Nothing else does.
#[must_use]
pub const fn apply(state: State, observation: Observation) -> Applied {
    use Observation::{Ambiguous, Awaits, Failed, Reversed, StillPending, Succeeded};
    match (state, observation) {
        (_, StillPending) => Applied::Unchanged,

        (State::Pending(_), Succeeded) => Applied::Moved(State::Successful),
        (State::Pending(_), Failed(code)) => Applied::Moved(State::Failed(code)),
        // Undone before we heard that it was done: no money has moved in the end.
        (State::Pending(_), Reversed) => Applied::Moved(State::Failed(FailureCode::OperatorRefused)),
        (State::Pending(Step::Wait), Ambiguous) => Applied::Unchanged,
        (State::Pending(_), Ambiguous) => Applied::Moved(State::Pending(Step::Wait)),
        (State::Pending(now), Awaits(next)) if now as u8 == next as u8 => Applied::Unchanged,
        (State::Pending(_), Awaits(next)) => Applied::Moved(State::Pending(next)),

        (State::Successful, Failed(_)) => Applied::Contradicts(Status::Failed),
        (State::Successful, Reversed) => Applied::Reversed,
        (State::Failed(_), Succeeded) => Applied::Contradicts(Status::Successful),
        (State::Successful | State::Failed(_), _) => Applied::Unchanged,
    }
}

impl State {
    /// Where every transaction begins: on disk, the operator not asked yet.
    pub const NEW: Self = Self::Pending(Step::Wait);

    /// The status on the wire.
    #[must_use]
    pub const fn status(self) -> Status {
        match self {
            Self::Pending(_) => Status::Pending,
            Self::Successful => Status::Successful,
            Self::Failed(_) => Status::Failed,
        }
    }

    /// Whether nothing moves it any more.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending(_))
    }

    /// `nextAction` on the wire; `NONE` once final.
    #[must_use]
    pub const fn next_action(self) -> &'static str {
        match self {
            Self::Pending(step) => step.as_str(),
            Self::Successful | Self::Failed(_) => "NONE",
        }
    }

    /// Whether a passcode or voucher may be submitted now.
    #[must_use]
    pub const fn expects_code(self) -> bool {
        matches!(self, Self::Pending(Step::EnterOtp | Step::EnterVoucher))
    }
}

impl Step {
    /// Every step.
    pub const ALL: [Self; 4] = [Self::ApproveOnPhone, Self::EnterOtp, Self::EnterVoucher, Self::Wait];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApproveOnPhone => "APPROVE_ON_PHONE",
            Self::EnterOtp => "ENTER_OTP",
            Self::EnterVoucher => "ENTER_VOUCHER",
            Self::Wait => "WAIT",
        }
    }

    /// Reads the name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.as_str() == name)
    }
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Successful, Self::Failed];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Successful => "SUCCESSFUL",
            Self::Failed => "FAILED",
        }
    }

    /// Reads the name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states() -> Vec<State> {
        let pending = Step::ALL.map(State::Pending);
        let failed = FailureCode::ALL.map(State::Failed);
        [&pending[..], &[State::Successful], &failed[..]].concat()
    }

    fn observations() -> Vec<Observation> {
        let awaits = Step::ALL.map(Observation::Awaits);
        let failed = FailureCode::ALL.map(Observation::Failed);
        let plain = [Observation::StillPending, Observation::Ambiguous, Observation::Succeeded, Observation::Reversed];
        [&awaits[..], &plain[..], &failed[..]].concat()
    }

    /// The whole table, stated a second time as rules.
    #[test]
    fn every_state_meets_every_observation_as_the_contract_says() {
        for state in states() {
            for observation in observations() {
                let expected = match (state, observation) {
                    (State::Pending(_), Observation::Succeeded) => Applied::Moved(State::Successful),
                    (State::Pending(_), Observation::Failed(code)) => Applied::Moved(State::Failed(code)),
                    (State::Pending(_), Observation::Reversed) => {
                        Applied::Moved(State::Failed(FailureCode::OperatorRefused))
                    }
                    (State::Pending(now), Observation::Awaits(next)) if now != next => {
                        Applied::Moved(State::Pending(next))
                    }
                    (State::Pending(now), Observation::Ambiguous) if now != Step::Wait => {
                        Applied::Moved(State::Pending(Step::Wait))
                    }
                    (State::Successful, Observation::Failed(_)) => Applied::Contradicts(Status::Failed),
                    (State::Successful, Observation::Reversed) => Applied::Reversed,
                    (State::Failed(_), Observation::Succeeded) => Applied::Contradicts(Status::Successful),
                    _ => Applied::Unchanged,
                };
                assert_eq!(apply(state, observation), expected, "{state:?} + {observation:?}");
            }
        }
    }

    #[test]
    fn a_final_state_never_moves() {
        for state in states().into_iter().filter(|state| state.is_final()) {
            for observation in observations() {
                assert!(!matches!(apply(state, observation), Applied::Moved(_)), "{state:?} + {observation:?}");
            }
        }
    }

    #[test]
    fn unknown_is_never_failed() {
        for state in states() {
            for observation in [Observation::Ambiguous, Observation::StillPending] {
                assert!(!matches!(apply(state, observation), Applied::Moved(State::Failed(_) | State::Successful)));
            }
        }
    }

    #[test]
    fn the_same_word_twice_changes_nothing_the_second_time() {
        for state in states() {
            for observation in observations() {
                if let Applied::Moved(next) = apply(state, observation) {
                    assert_eq!(apply(next, observation), Applied::Unchanged, "{state:?} + {observation:?}");
                }
            }
        }
    }

    #[test]
    fn names_on_the_wire_are_read_back() {
        for step in Step::ALL {
            assert_eq!(Step::parse(step.as_str()), Some(step));
        }
        for status in Status::ALL {
            assert_eq!(Status::parse(status.as_str()), Some(status));
        }
    }
}
