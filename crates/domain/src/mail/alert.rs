//! Alerts to the people of an account: what a person must look at.

use crate::{Scope, string_enum};
use jiff::{SignedDuration, Timestamp};

/// How long alerts are collected before the first message.
pub const GATHERED_FOR: SignedDuration = SignedDuration::from_secs(10);

/// The time between two messages with alerts of the same account. Later alerts are collected until
/// then.
pub const DIGEST_INTERVAL: SignedDuration = SignedDuration::from_mins(30);

string_enum! {
    /// What an alert reports to the people of an account.
    pub enum AlertKind {
        /// A payment is flagged for review.
        Review = "REVIEW",
        /// The operator contradicts a final state.
        Conflict = "CONFLICT",
        /// A payer disputes a charge at the operator.
        Dispute = "DISPUTE",
        /// A webhook endpoint responded 410 and was disabled.
        EndpointDisabled = "ENDPOINT_DISABLED",
        /// A webhook endpoint did not take an event four times.
        EndpointFailing = "ENDPOINT_FAILING",
        /// A payout, a refund or a batch of payouts waits for an approval.
        ApprovalWaiting = "APPROVAL_WAITING",
        /// An operator does not respond, and gets no new payments.
        OperatorDown = "OPERATOR_DOWN",
        /// An operator refuses every order of a network, and gets no new ones.
        OperatorRefuses = "OPERATOR_REFUSES",
        /// An operator takes orders again.
        OperatorRecovered = "OPERATOR_RECOVERED",
        /// The float at an operator is below the sum of the settings.
        FloatLow = "FLOAT_LOW",
        /// A live key was sent from a browser, or over plain HTTP.
        KeyExposed = "KEY_EXPOSED",
        /// A person signed in with a browser that the person had not used before. It goes to
        /// channels alone: the person gets a security notice by e-mail.
        NewDevice = "NEW_DEVICE",
    }
}

/// Something that people of an account must know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alert {
    /// The account and mode.
    pub scope: Scope,
    /// What happened, which decides what `subject` names.
    pub kind: AlertKind,
    /// The id of the transaction, batch, endpoint, key or person, or the name of the operator; with
    /// network and direction, separated by spaces, where the alert is about one.
    pub subject: String,
    /// When it happened. Repetitions in one window of time are the same alert.
    pub occurred_at: Timestamp,
}

/// The alerts of one message.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AlertDigest {
    /// The most urgent alerts, in this order.
    pub alerts: Vec<Alert>,
    /// How many there are in all.
    pub count: u32,
}

impl Alert {
    /// Repetitions within one window of this length, counted in UTC, are the same alert.
    const fn window(&self) -> SignedDuration {
        match self.kind {
            AlertKind::Review
            | AlertKind::Conflict
            | AlertKind::Dispute
            | AlertKind::EndpointDisabled
            | AlertKind::ApprovalWaiting
            | AlertKind::NewDevice => SignedDuration::from_millis(1),
            AlertKind::OperatorDown
            | AlertKind::OperatorRefuses
            | AlertKind::OperatorRecovered
            | AlertKind::FloatLow => SignedDuration::from_hours(1),
            AlertKind::KeyExposed | AlertKind::EndpointFailing => SignedDuration::from_hours(24),
        }
    }

    /// Its identifier: the same for repetitions, so that the store keeps one of them.
    #[must_use]
    pub fn id(&self) -> String {
        let window_ms = i64::try_from(self.window().as_millis()).unwrap_or(1).max(1);
        let window = self.occurred_at.as_millisecond() / window_ms;
        let kind = self.kind.as_str();
        let account = &self.scope.account;
        let mode = self.scope.mode.as_str();
        format!("{kind} {account} {mode} {} {window}", self.subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccountId, Mode};

    #[test]
    fn an_exposed_key_that_is_used_again_on_the_same_day_is_the_same_alert() {
        let scope = Scope { account: AccountId::mint(), mode: Mode::Live };
        let at = |hours| Alert {
            scope: scope.clone(),
            kind: AlertKind::KeyExposed,
            subject: "key_1".to_owned(),
            occurred_at: Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours),
        };
        assert_eq!(at(0).id(), at(23).id());
        assert_ne!(at(0).id(), at(24).id());
        assert_ne!(at(0).id(), Alert { subject: "key_2".to_owned(), ..at(0) }.id());
    }
}
