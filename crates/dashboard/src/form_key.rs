//! The key of a form about money, which makes repetitions of the form safe.

use super::{fields::Fields, money_form::Faults};
use tua_domain::{TransactionId, idempotency::IdempotencyKey};

/// The same each time that the same form is sent, so that two clicks move money once. Empty in a
/// form that was not shown yet.
#[derive(Clone, Default, Debug)]
pub(super) struct FormKey(String);

impl FormKey {
    pub(super) fn of(fields: &Fields) -> Self {
        Self(fields.get("key").trim().to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The key, or that of a new form.
    pub(super) fn or_new(&self) -> String {
        if self.0.is_empty() { TransactionId::mint().as_str().to_owned() } else { self.0.clone() }
    }

    /// `None` for a form that no page has shown.
    pub(super) fn parse(&self) -> Option<IdempotencyKey> {
        IdempotencyKey::parse(self.0.as_bytes())
    }

    /// `None` after a fault was added.
    pub(super) fn read(&self, faults: &mut Faults) -> Option<IdempotencyKey> {
        let key = self.parse();
        if key.is_none() {
            faults.add("", "money-fault-form");
        }
        key
    }
}
