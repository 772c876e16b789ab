//! What is found out about a transaction: from its operator's report, from a decision by people, or
//! from what the service itself concludes.

use crate::{string_enum, transfer::OperatorDetails};
use jiff::Timestamp;
use tua_contract::{Amount, FailureCode, lifecycle::Observation};

/// A success with another amount, currency or reference than what was asked of the operator, or
/// without a receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The amount that the operator reports; `None` where it reports none, or none in whole
    /// pesewas.
    pub received: Option<Amount>,
}

/// What is now known about a transaction.
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
    /// When to ask about the final transaction again, as
    /// [`Report::ask_again_at`](crate::ports::Report::ask_again_at).
    pub ask_again_at: Option<Timestamp>,
    /// Where it comes from.
    pub source: FindingSource,
}

/// Where a finding comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingSource {
    /// A report about the order as a whole, a decision by people, or a conclusion of the service.
    Report,
    /// The response to one send.
    Send,
    /// A response that the operator has no such order.
    NeverReceived {
        /// [`SendHistory::last_deadline`] before it was asked.
        last_deadline: Option<Timestamp>,
    },
}

/// What is known about the sends of an order when a finding about it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendHistory {
    /// The deadline of the last repeated send. Each has another one. `None` where the order was
    /// sent once.
    pub last_deadline: Option<Timestamp>,
    /// Whether the operator has responded that it has the order.
    pub is_acknowledged: bool,
}

string_enum! {
    /// What people must do about a pending transaction that its operator is still asked about.
    pub enum Attention {
        /// The operator waits until the merchant has acted in the operator's own portal.
        ActAtOperator = "ACT_AT_OPERATOR",
        /// They must find out whether the money of a refund has returned: the operator refused the
        /// refund for a reason that proves nothing.
        CheckRefund = "CHECK_REFUND",
    }
}

/// Which orders an operator would refuse for the same reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureScope {
    /// This order alone: its payer or recipient, its amount, or a field of its request.
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

    /// The operator has not received the order, and will never execute it, so the order fails.
    /// `last_deadline` is [`SendHistory::last_deadline`] before the operator was asked.
    #[must_use]
    pub fn never_received(last_deadline: Option<Timestamp>) -> Self {
        let not_sent = Observation::Failed(FailureCode::NotSent);
        Self { source: FindingSource::NeverReceived { last_deadline }, ..not_sent.into() }
    }

    /// Whether it is a failure that the history of the sends may contradict.
    #[must_use]
    pub const fn depends_on_sends(&self) -> bool {
        !matches!(self.source, FindingSource::Report)
            && matches!(self.observation, Observation::Failed(_))
    }

    /// What this shows about an order with these sends. A refusal is about one send alone, and
    /// another one may have been executed; an operator that has acknowledged the order, or to which
    /// it was sent since the question, may have received it all the same. In both cases the outcome
    /// stays unknown.
    #[must_use]
    pub fn weighed_against(&self, sends: SendHistory) -> Self {
        let is_contradicted = match self.source {
            FindingSource::Report => false,
            FindingSource::Send => sends.last_deadline.is_some(),
            FindingSource::NeverReceived { last_deadline } => {
                sends.is_acknowledged || sends.last_deadline != last_deadline
            }
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
            ask_again_at: None,
            source: FindingSource::Report,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_SEND: SendHistory = SendHistory { last_deadline: None, is_acknowledged: false };
    const REPEATED: SendHistory =
        SendHistory { last_deadline: Some(Timestamp::UNIX_EPOCH), ..ONE_SEND };
    const ACKNOWLEDGED: SendHistory = SendHistory { is_acknowledged: true, ..ONE_SEND };

    #[test]
    fn after_a_repeated_send_only_a_refused_send_leaves_the_outcome_unknown() {
        let refused = Finding::from(Observation::Failed(FailureCode::MerchantFloatLow));
        assert_eq!(refused.weighed_against(REPEATED), refused, "the status of the order");
        let refused_send = refused.of_send();
        assert_eq!(refused_send.weighed_against(REPEATED), Observation::Ambiguous.into());
        assert_eq!(refused_send.weighed_against(ACKNOWLEDGED), refused_send);
        for observation in
            [Observation::Succeeded, Observation::StillPending, Observation::Reversed]
        {
            let finding = Finding::from(observation).of_send();
            assert_eq!(finding.weighed_against(REPEATED), finding);
        }
    }

    #[test]
    fn an_order_that_was_acknowledged_or_sent_since_the_question_may_have_been_received() {
        for asked in [ONE_SEND, REPEATED] {
            let never_received = Finding::never_received(asked.last_deadline);
            assert_eq!(never_received.weighed_against(asked), never_received);
            let acknowledged = SendHistory { is_acknowledged: true, ..asked };
            let last_deadline = Some(Timestamp::MAX);
            for meanwhile in [acknowledged, SendHistory { last_deadline, ..asked }] {
                assert_eq!(
                    never_received.weighed_against(meanwhile),
                    Observation::Ambiguous.into()
                );
            }
        }
    }
}
