//! The first steps of an account, from its name to real payments. A step is done by what the
//! account has, and not by a click, so it can be undone again.

use crate::{people::Permission, string_enum};

string_enum! {
    /// A step from a new account to its first real payment.
    pub enum FirstStep {
        /// The account has a name.
        Name = "name",
        /// A charge in test mode was successful.
        TestPayment = "test-payment",
        /// A payment link is open, in either mode.
        Link = "link",
        /// A second person is in the account, or invited to it.
        People = "people",
        /// An operator of live mode has answered the service.
        Operator = "operator",
        /// There is a live key, or a charge in live mode was successful.
        Live = "live",
    }
}

/// What the store has of an account.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FirstStepsFacts {
    /// Whether a charge in test mode was successful.
    pub has_test_payment: bool,
    /// Whether a payment link is open.
    pub has_open_link: bool,
    /// Whether there is more than one person.
    pub has_second_person: bool,
    /// Whether an operator has acknowledged an order of live mode.
    pub has_live_response: bool,
    /// Whether a live key is valid.
    pub has_live_key: bool,
    /// Whether a charge in live mode was successful.
    pub has_live_payment: bool,
}

impl FirstStep {
    /// What a person needs for this step. Any one of these permissions is enough.
    #[must_use]
    pub const fn permissions(self) -> &'static [Permission] {
        match self {
            Self::Name => &[Permission::ManageSettings],
            Self::TestPayment | Self::Link => &[Permission::ManageLinks],
            Self::People => &[Permission::ManagePeople],
            Self::Operator => &[Permission::ReadOperators],
            Self::Live => &[Permission::ManageLinks, Permission::ManageKeys],
        }
    }

    /// Whether it is done. `answers` is whether an operator of live mode has answered this process.
    #[must_use]
    pub fn is_done(self, name: &str, facts: FirstStepsFacts, answers: bool) -> bool {
        match self {
            Self::Name => !name.trim().is_empty(),
            Self::TestPayment => facts.has_test_payment,
            Self::Link => facts.has_open_link,
            Self::People => facts.has_second_person,
            Self::Operator => answers || facts.has_live_response,
            Self::Live => facts.has_live_key || facts.has_live_payment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_done_by_its_own_fact() {
        let done = |name: &str, facts, answers| {
            let steps = FirstStep::ALL.iter().filter(|step| step.is_done(name, facts, answers));
            steps.map(|step| step.as_str()).collect::<Vec<_>>()
        };
        let none = FirstStepsFacts::default();
        assert!(done(" ", none, false).is_empty());
        assert_eq!(done("Adom", none, false), ["name"]);
        assert_eq!(done("", none, true), ["operator"]);
        for (facts, step) in [
            (FirstStepsFacts { has_test_payment: true, ..none }, "test-payment"),
            (FirstStepsFacts { has_open_link: true, ..none }, "link"),
            (FirstStepsFacts { has_second_person: true, ..none }, "people"),
            (FirstStepsFacts { has_live_response: true, ..none }, "operator"),
            (FirstStepsFacts { has_live_key: true, ..none }, "live"),
            (FirstStepsFacts { has_live_payment: true, ..none }, "live"),
        ] {
            assert_eq!(done("", facts, false), [step]);
        }
    }
}
