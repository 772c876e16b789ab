//! What operators report about orders, and the comparison with what was asked of them.

use super::AcceptedClaim;
use crate::{
    finding::{Attention, FailureScope, Finding, Mismatch},
    transfer::OperatorDetails,
};
use jiff::Timestamp;
use tua_contract::{Amount, FailureCode, lifecycle::Observation};

/// What an operator reports about an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What the operator reports of the order's status.
    pub observation: Observation,
    /// What the money was moved for. Required with [`Observation::Succeeded`]: a success without it
    /// is not believed.
    pub receipt: Option<Receipt>,
    /// The operator's ids and its fee, as far as it reports them.
    pub details: OperatorDetails,
    /// What people must do about the pending order, so that it is flagged for review at once.
    pub attention: Option<Attention>,
    /// Which orders would be refused for the reason of a refusal or failure. `None` if the reason
    /// does not show it, or there is no reason.
    pub failure_scope: Option<FailureScope>,
    /// Whether a failure has no reason here, and a callback of the operator usually gives it soon.
    pub reason_may_follow: bool,
    /// When the operator is to be asked about the order again although its status is final; `None`
    /// if it changes only with a callback.
    pub ask_again_at: Option<Timestamp>,
}

/// The order as the operator has it: what it reports, never what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The amount that the payer owes or the recipient gets; `None` where it is not a sum of whole
    /// pesewas.
    pub amount: Option<Amount>,
    /// Whether the currency is the one that was asked for.
    pub is_currency_right: bool,
    /// Whether the reference is the one that was asked about.
    pub is_reference_right: bool,
}

impl Report {
    /// A status without receipt and details.
    #[must_use]
    pub const fn new(observation: Observation) -> Self {
        Self {
            observation,
            receipt: None,
            details: OperatorDetails::NONE,
            attention: None,
            failure_scope: None,
            reason_may_follow: false,
            ask_again_at: None,
        }
    }

    /// The same, where people must do something.
    #[must_use]
    pub fn with_attention(self, attention: Attention) -> Self {
        Self { attention: Some(attention), ..self }
    }

    /// The same, where the reason of a refusal or failure concerns these orders.
    #[must_use]
    pub fn with_failure_scope(self, scope: FailureScope) -> Self {
        Self { failure_scope: Some(scope), ..self }
    }

    /// The same, where a callback usually gives the reason.
    #[must_use]
    pub fn with_reason_to_follow(self) -> Self {
        Self { reason_may_follow: true, ..self }
    }

    /// The same, where the operator is to be asked about the final order again.
    #[must_use]
    pub fn with_question_at(self, at: Option<Timestamp>) -> Self {
        Self { ask_again_at: at, ..self }
    }

    /// The same with a receipt.
    #[must_use]
    pub fn with_receipt(self, receipt: Receipt) -> Self {
        Self { receipt: Some(receipt), ..self }
    }

    /// The same with details.
    #[must_use]
    pub fn with_details(self, details: OperatorDetails) -> Self {
        Self { details, ..self }
    }

    /// Whether the failure that a callback claimed before may change it ([`Self::with_claim`]).
    #[must_use]
    pub const fn may_take_claim(&self) -> bool {
        matches!(
            self.observation,
            Observation::StillPending
                | Observation::Awaits(_)
                | Observation::Failed(FailureCode::Unspecified)
        )
    }

    /// The report in the light of the failure that a callback claimed before it. A decisive claim
    /// ends an order that the operator's status still reports as pending; every claim gives the
    /// reason of a failure that the status reports without one.
    #[must_use]
    pub fn with_claim(self, claim: AcceptedClaim) -> Self {
        match self.observation {
            Observation::StillPending | Observation::Awaits(_) if claim.is_decisive => {
                Self { observation: Observation::Failed(claim.code), ..self }
            }
            Observation::Failed(FailureCode::Unspecified) => Self {
                observation: Observation::Failed(claim.code),
                reason_may_follow: false,
                ..self
            },
            _ => self,
        }
    }

    /// What the report reveals about an order of this amount. A success for anything else than what
    /// was asked is [`Observation::Mismatched`].
    #[must_use]
    pub fn compare(self, asked: Amount) -> Finding {
        let Self { observation, receipt, details, attention, failure_scope, ask_again_at, .. } =
            self;
        let details = details.without_unprintable();
        if observation != Observation::Succeeded {
            return Finding { details, attention, failure_scope, ..observation.into() };
        }
        let received = receipt.as_ref().and_then(|receipt| receipt.amount);
        let is_right = receipt.is_some_and(|receipt| {
            receipt.amount == Some(asked) && receipt.is_currency_right && receipt.is_reference_right
        });
        if is_right {
            Finding { details, attention, failure_scope, ask_again_at, ..observation.into() }
        } else {
            let mismatch = Some(Mismatch { received });
            Finding {
                mismatch,
                details,
                attention,
                failure_scope,
                ..Observation::Mismatched.into()
            }
        }
    }
}

impl From<Observation> for Report {
    fn from(observation: Observation) -> Self {
        Self::new(observation)
    }
}

impl Receipt {
    /// An order for this amount, in the right currency and under the right reference.
    #[must_use]
    pub const fn of(amount: Amount) -> Self {
        Self { amount: Some(amount), is_currency_right: true, is_reference_right: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_contract::Step;

    fn amount(pesewas: i64) -> Amount {
        Amount::from_pesewas(pesewas).unwrap()
    }

    #[test]
    fn only_a_success_for_exactly_what_was_asked_is_one() {
        let right = Receipt::of(amount(1050));
        let wrong = [
            None,
            Some(Receipt { amount: None, ..right.clone() }),
            Some(Receipt { amount: Some(amount(1051)), ..right.clone() }),
            Some(Receipt { amount: Some(amount(105)), ..right.clone() }),
            Some(Receipt { is_currency_right: false, ..right.clone() }),
            Some(Receipt { is_reference_right: false, ..right.clone() }),
        ];
        let success = Report::new(Observation::Succeeded);
        let finding = success.clone().with_receipt(right).compare(amount(1050));
        assert_eq!((finding.observation, finding.mismatch), (Observation::Succeeded, None));
        for receipt in wrong {
            let received = receipt.as_ref().and_then(|receipt| receipt.amount);
            let finding = Report { receipt, ..success.clone() }.compare(amount(1050));
            assert_eq!(finding.observation, Observation::Mismatched);
            assert_eq!(finding.mismatch, Some(Mismatch { received }));
        }
    }

    #[test]
    fn a_decisive_claim_ends_only_what_the_status_reports_as_pending() {
        let claim = AcceptedClaim { code: FailureCode::WrongPin, is_decisive: true };
        let decided = |observation| Report::new(observation).with_claim(claim).observation;
        let failed = Observation::Failed(FailureCode::WrongPin);
        for pending in [Observation::StillPending, Observation::Awaits(Step::ApproveOnPhone)] {
            assert_eq!(decided(pending), failed);
            assert!(Report::new(pending).may_take_claim());
        }
        for other in [Observation::Succeeded, Observation::Ambiguous, Observation::Mismatched] {
            assert_eq!(decided(other), other);
            assert!(!Report::new(other).may_take_claim());
        }
    }

    #[test]
    fn a_claim_gives_the_reason_of_a_failure_without_one_and_decides_only_if_it_is_decisive() {
        let claim = AcceptedClaim { code: FailureCode::RecipientNotFound, is_decisive: false };
        let decided = |observation| Report::new(observation).with_claim(claim).observation;
        let unspecified = Observation::Failed(FailureCode::Unspecified);
        assert_eq!(decided(unspecified), Observation::Failed(FailureCode::RecipientNotFound));
        let with_reason = Observation::Failed(FailureCode::MerchantFloatLow);
        for other in [with_reason, Observation::StillPending, Observation::Succeeded] {
            assert_eq!(decided(other), other);
        }
    }

    #[test]
    fn a_status_that_is_no_success_needs_no_receipt() {
        for observation in [Observation::StillPending, Observation::Failed(FailureCode::PayerLimit)]
        {
            assert_eq!(Report::new(observation).compare(amount(1)), observation.into());
        }
    }
}
