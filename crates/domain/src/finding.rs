//! What is found out about a transaction: by its operator's report, or by the decision of people.

use crate::{string_enum, transfer::OperatorDetails};
use tua_contract::{Amount, lifecycle::Observation};

/// A success for something else than what was asked of the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The amount that the operator reports; `None` where it reports none, or none in whole
    /// pesewas.
    pub received: Option<Amount>,
}

/// What an operator's report, or a decision by people, reveals about a transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was found out about the transaction's status.
    pub observation: Observation,
    /// What was reported instead, with [`Observation::Mismatched`]; otherwise `None`.
    pub mismatch: Option<Mismatch>,
    /// The operator's ids and fee.
    pub details: OperatorDetails,
    /// What people must do about the order, as
    /// [`Report::attention`](crate::ports::Report::attention).
    pub attention: Option<Attention>,
    /// Which orders are refused for the same reason, as
    /// [`Report::failure_scope`](crate::ports::Report::failure_scope).
    pub failure_scope: Option<FailureScope>,
    /// Whether it is the response to a send. Everything else is about the order, whichever send
    /// brought it.
    pub is_of_send: bool,
}

string_enum! {
    /// What people must do about a pending transaction that its operator is still asked about.
    pub enum Attention {
        /// The operator waits until they have done something at its own portal.
        ActAtOperator = "ACT_AT_OPERATOR",
        /// They must find out whether the money of a refund has returned.
        CheckRefund = "CHECK_REFUND",
    }
}

/// Which orders an operator would refuse for the same reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureScope {
    /// This order alone: its payer or recipient, its amount, or a member of its request.
    Order,
    /// Every order of the network and direction: credentials, permissions, addresses, products that
    /// are not enabled, or a network that is down.
    Network,
}

impl Finding {
    /// The same, as the response to a send.
    #[must_use]
    pub fn of_send(self) -> Self {
        Self { is_of_send: true, ..self }
    }

    /// Whether a send was refused. That is a failure of the order only while it was sent once.
    #[must_use]
    pub const fn is_refused_send(&self) -> bool {
        self.is_of_send && matches!(self.observation, Observation::Failed(_))
    }

    /// What this shows about an order that was sent more than once. A refusal is about one send
    /// alone, and another one may have been executed, so it shows nothing.
    #[must_use]
    pub fn after_repeat(&self) -> Self {
        if self.is_refused_send() { Observation::Ambiguous.into() } else { self.clone() }
    }
}

impl From<Observation> for Finding {
    fn from(observation: Observation) -> Self {
        Self {
            observation,
            mismatch: None,
            details: OperatorDetails::NONE,
            attention: None,
            failure_scope: None,
            is_of_send: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_contract::FailureCode;

    #[test]
    fn once_an_order_was_sent_twice_only_a_refusal_of_a_send_shows_nothing() {
        let refused = Finding::from(Observation::Failed(FailureCode::MerchantFloatLow));
        assert_eq!(refused.after_repeat(), refused, "the status of the order");
        assert_eq!(refused.clone().of_send().after_repeat(), Observation::Ambiguous.into());
        for observation in
            [Observation::Succeeded, Observation::StillPending, Observation::Reversed]
        {
            let finding = Finding::from(observation).of_send();
            assert_eq!(finding.after_repeat(), finding);
        }
    }
}
