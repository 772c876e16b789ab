//! What is found out about a transaction: by its operator's report, or by the decision of people.

use crate::{string_enum, transfer::OperatorDetails};
use tua_contract::{Amount, FailureCode, lifecycle::Observation};

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
    /// Where it comes from.
    pub source: FindingSource,
}

/// Where a finding comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingSource {
    /// A report about the order, whichever send brought it, or a decision by people.
    Report,
    /// The response to one send.
    Send,
    /// A response that the operator has no such order.
    NeverReceived,
}

/// What is known about the sends of an order when a finding about it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendHistory {
    /// Whether it was sent more than once.
    pub is_repeated: bool,
    /// Whether the operator has responded that it has the order.
    pub is_acknowledged: bool,
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
        Self { source: FindingSource::Send, ..self }
    }

    /// The operator has not received the order, and will never execute it.
    #[must_use]
    pub fn never_received() -> Self {
        let not_sent = Observation::Failed(FailureCode::NotSent);
        Self { source: FindingSource::NeverReceived, ..not_sent.into() }
    }

    /// Whether it is a failure that what is known about the sends may contradict.
    #[must_use]
    pub const fn depends_on_sends(&self) -> bool {
        matches!(self.source, FindingSource::Send | FindingSource::NeverReceived)
            && matches!(self.observation, Observation::Failed(_))
    }

    /// What this shows about an order with these sends. A refusal is about one send alone, and
    /// another one may have been executed; an operator that has acknowledged the order contradicts
    /// itself if it has never received it. So both show nothing.
    #[must_use]
    pub fn given(&self, sends: SendHistory) -> Self {
        let is_contradicted = match self.source {
            FindingSource::Report => false,
            FindingSource::Send => sends.is_repeated,
            FindingSource::NeverReceived => sends.is_acknowledged,
        };
        if is_contradicted && self.depends_on_sends() {
            return Observation::Ambiguous.into();
        }
        self.clone()
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
            source: FindingSource::Report,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_SEND: SendHistory = SendHistory { is_repeated: false, is_acknowledged: false };
    const REPEATED: SendHistory = SendHistory { is_repeated: true, ..ONE_SEND };
    const ACKNOWLEDGED: SendHistory = SendHistory { is_acknowledged: true, ..ONE_SEND };

    #[test]
    fn once_an_order_was_sent_twice_only_a_refusal_of_a_send_shows_nothing() {
        let refused = Finding::from(Observation::Failed(FailureCode::MerchantFloatLow));
        assert_eq!(refused.given(REPEATED), refused, "the status of the order");
        let refused_send = refused.of_send();
        assert_eq!(refused_send.given(REPEATED), Observation::Ambiguous.into());
        assert_eq!(refused_send.given(ACKNOWLEDGED), refused_send);
        for observation in
            [Observation::Succeeded, Observation::StillPending, Observation::Reversed]
        {
            let finding = Finding::from(observation).of_send();
            assert_eq!(finding.given(REPEATED), finding);
        }
    }

    #[test]
    fn an_order_that_was_acknowledged_was_received() {
        let never_received = Finding::never_received();
        assert_eq!(never_received.given(ACKNOWLEDGED), Observation::Ambiguous.into());
        for sends in [ONE_SEND, REPEATED] {
            assert_eq!(never_received.given(sends), never_received);
        }
    }
}
