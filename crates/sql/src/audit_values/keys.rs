//! What the audit log shows of secret keys, and of what ends with a revoked key.

use super::change::{change, time};
use serde_json::{Value, json};
use tua_domain::{
    KeyId, SecretKey,
    audit::{Action, AuditChange},
};

fn key(key: &SecretKey) -> Value {
    json!({
        "accountId": key.scope.account.as_str(),
        "mode": key.scope.mode.as_str(),
        "generation": key.generation.as_str(),
        "name": key.name,
        "scopes": key.scopes.to_string(),
        "allowedAddresses": key.allowed_addresses.as_ref().map(ToString::to_string),
        "lastFour": key.last_four,
        "expiresAt": time(key.expires_at),
        "revokedAt": time(key.revoked_at),
    })
}

pub(crate) fn key_created(new: &SecretKey) -> AuditChange {
    change(Action::KeyCreated, new.id.as_str(), None, Some(key(new)))
}

pub(crate) fn key_rotated(before: &SecretKey, after: &SecretKey, successor: &KeyId) -> AuditChange {
    let mut values = key(after);
    values["successor"] = successor.as_str().into();
    change(Action::KeyRotated, after.id.as_str(), Some(key(before)), Some(values))
}

/// What ended because its key was revoked.
#[derive(Default, Debug)]
pub struct EndedWithKey {
    /// Sessions that were closed, but not those of the links.
    pub checkouts: usize,
    /// Payment links that were closed.
    pub links: usize,
    /// Payouts and refunds that were refused.
    pub payouts: usize,
    /// Payouts and refunds that were not handed over, and wait for an approval now.
    pub held: usize,
    /// Charges that were not handed over, and have ended.
    pub charges: usize,
}

impl EndedWithKey {
    /// Whether nothing ended with the key.
    pub fn is_nothing(&self) -> bool {
        self.checkouts + self.links + self.payouts + self.held + self.charges == 0
    }
}

/// A secret key that was revoked, and how much ended with it.
pub fn key_revoked(before: &SecretKey, after: &SecretKey, ended: &EndedWithKey) -> AuditChange {
    let mut values = key(after);
    values["closedCheckouts"] = ended.checkouts.into();
    values["closedLinks"] = ended.links.into();
    values["refusedPayouts"] = ended.payouts.into();
    values["heldPayouts"] = ended.held.into();
    values["endedCharges"] = ended.charges.into();
    change(Action::KeyRevoked, after.id.as_str(), Some(key(before)), Some(values))
}
