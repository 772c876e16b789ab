//! Topics of alerts: what a person chooses to be told about an account.

use super::AlertKind;
use crate::{
    people::{Permission, Role},
    string_enum,
};

string_enum! {
    /// What alerts are about, as people choose it.
    pub enum AlertTopic {
        /// Payments that a person must decide about.
        Payments = "payments",
        /// Payouts and refunds that wait for an approval.
        Approvals = "approvals",
        /// Webhook endpoints that do not accept an event.
        Webhooks = "webhooks",
        /// Operators that stop taking orders, or take them again.
        Operators = "operators",
        /// The float at an operator.
        Float = "float",
        /// Keys that others may have, and sign-ins from new devices. It cannot be switched off.
        Security = "security",
    }
}

impl AlertTopic {
    /// Whether everybody who may get it gets it.
    #[must_use]
    pub const fn is_always_on(self) -> bool {
        matches!(self, Self::Security)
    }

    /// Whether a person with this role may get it: who may see its page in the dashboard. The float
    /// and keys are the owners' alone: an operator may hold the money of several accounts. Some
    /// alerts about operators say that payouts were refused.
    #[must_use]
    pub const fn is_open_to(self, role: Role) -> bool {
        match self {
            Self::Payments => role.may(Permission::SettlePayments),
            Self::Approvals => role.may(Permission::DecidePayouts),
            Self::Webhooks => role.may(Permission::ReadWebhooks),
            Self::Operators => {
                role.may(Permission::ReadOperators) && role.may(Permission::ReadPayouts)
            }
            Self::Float | Self::Security => matches!(role, Role::Owner),
        }
    }

    /// The topics that a person with this role may get.
    pub fn open_to(role: Role) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |topic| topic.is_open_to(role))
    }
}

impl AlertKind {
    /// The topic under which people choose it.
    #[must_use]
    pub const fn topic(self) -> AlertTopic {
        match self {
            Self::Review | Self::Conflict | Self::Dispute => AlertTopic::Payments,
            Self::ApprovalWaiting => AlertTopic::Approvals,
            Self::EndpointDisabled | Self::EndpointFailing => AlertTopic::Webhooks,
            Self::OperatorDown | Self::OperatorRefuses | Self::OperatorRecovered => {
                AlertTopic::Operators
            }
            Self::FloatLow => AlertTopic::Float,
            Self::KeyExposed | Self::NewDevice => AlertTopic::Security,
        }
    }

    /// Every kind of these topics.
    #[must_use]
    pub fn of_topics(topics: &[AlertTopic]) -> Vec<Self> {
        Self::ALL.iter().copied().filter(|kind| topics.contains(&kind.topic())).collect()
    }
}

/// What a person has switched on and off for one account. Topics that it does not name, such as
/// those of a later version, are as the role has them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AlertChoices {
    on: Vec<AlertTopic>,
    off: Vec<AlertTopic>,
}

impl AlertChoices {
    /// The choices of a form: of the topics that the role may get, those in `on` are switched on,
    /// and the others off.
    #[must_use]
    pub fn of_form(role: Role, on: &[AlertTopic]) -> Self {
        let offered = AlertTopic::open_to(role).filter(|topic| !topic.is_always_on());
        let (on, off) = offered.partition(|topic| on.contains(topic));
        Self { on, off }
    }

    /// Reads the text of the store: topics, separated by spaces, those that are off behind a `-`.
    /// Words that are no topic are left out.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let words = text.split(' ');
        let mut choices = Self::default();
        for word in words {
            match word.strip_prefix('-') {
                Some(off) => choices.off.extend(AlertTopic::parse(off)),
                None => choices.on.extend(AlertTopic::parse(word)),
            }
        }
        choices
    }

    /// The text that [`AlertChoices::parse`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let on = self.on.iter().map(|topic| topic.as_str().to_owned());
        let off = self.off.iter().map(|topic| format!("-{}", topic.as_str()));
        on.chain(off).collect::<Vec<_>>().join(" ")
    }

    /// The topics that a person with this role is told about. Owners get what they have not
    /// switched off.
    #[must_use]
    pub fn topics(&self, role: Role) -> Vec<AlertTopic> {
        let is_on = |topic: AlertTopic| {
            topic.is_always_on()
                || self.on.contains(&topic)
                || (role == Role::Owner && !self.off.contains(&topic))
        };
        AlertTopic::open_to(role).filter(|topic| is_on(*topic)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AlertTopic::{Approvals, Float, Operators, Payments, Security, Webhooks};

    #[test]
    fn owners_get_everything_and_others_what_they_choose_and_may_see() {
        let nothing_chosen = AlertChoices::default();
        assert_eq!(nothing_chosen.topics(Role::Owner), AlertTopic::ALL);
        for role in Role::ALL.iter().filter(|role| **role != Role::Owner) {
            assert_eq!(nothing_chosen.topics(*role), []);
        }
        let all = |role| AlertChoices::of_form(role, AlertTopic::ALL).topics(role);
        assert_eq!(all(Role::Finance), [Payments, Approvals, Operators]);
        assert_eq!(all(Role::Developer), [Webhooks]);
        assert_eq!(all(Role::Support), [Webhooks]);
        assert_eq!(all(Role::Till), []);
    }

    #[test]
    fn the_security_of_an_account_cannot_be_switched_off() {
        let none = AlertChoices::of_form(Role::Owner, &[]);
        assert_eq!(none.topics(Role::Owner), [Security]);
        let stored = AlertChoices::parse("-security");
        assert!(stored.topics(Role::Owner).contains(&Security));
    }

    #[test]
    fn choices_survive_the_store_and_end_with_the_role() {
        let chosen = AlertChoices::of_form(Role::Owner, &[Payments, Float]);
        assert_eq!(chosen.to_text(), "payments float -approvals -webhooks -operators");
        assert_eq!(AlertChoices::parse(&chosen.to_text()), chosen);
        assert_eq!(chosen.topics(Role::Owner), [Payments, Float, Security]);
        assert_eq!(chosen.topics(Role::Viewer), []);
        assert_eq!(AlertChoices::parse("later -topics").topics(Role::Owner), AlertTopic::ALL);
    }
}
