//! Accounts and their secret keys.

use super::{
    AccountId, Generation, KeyId, KeyScopes, Mode, Scope,
    allowed_addresses::AllowedAddresses,
    branding::Branding,
    secret::{SecretDigest, new_credential},
};
use jiff::{SignedDuration, Timestamp};
use std::{collections::BTreeSet, net::IpAddr};

/// A merchant, to whom keys, payments, webhook endpoints and roles of people belong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// `acc_…`, minted when the account is created; it never changes.
    pub id: AccountId,
    /// The merchant's name, as payers read it.
    pub name: String,
    /// How its pages look to payers.
    pub branding: Branding,
    /// Whether payers with an e-mail address get receipts.
    pub sends_receipts: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// Since when no new payment or session can begin.
    pub suspended_at: Option<Timestamp>,
}

impl Account {
    /// A new account, with nothing but its name.
    #[must_use]
    pub fn new(name: String, created_at: Timestamp) -> Self {
        Self {
            id: AccountId::mint(),
            name,
            branding: Branding::default(),
            sends_receipts: false,
            created_at,
            suspended_at: None,
        }
    }
}

/// A secret key as the service stores it: never the key itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecretKey {
    /// The key's id, which is no secret.
    pub id: KeyId,
    /// The data that it gives access to.
    pub scope: Scope,
    /// The merchant's name for it.
    pub name: Option<String>,
    /// The generation, which decides which routes it may call.
    pub generation: Generation,
    /// What it may do.
    pub scopes: KeyScopes,
    /// From where it may be used; `None` for everywhere.
    pub allowed_addresses: Option<AllowedAddresses>,
    /// SHA-256 of the key.
    pub digest: SecretDigest,
    /// Its last four characters, so that a person can tell keys apart.
    pub last_four: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, exact to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it stops being valid: as it was created, or sooner after a rotation.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How far the sandbox clock of its account was ahead when it came with a request; zero for a
    /// key that was not read for a request.
    pub sandbox_ahead: SignedDuration,
}

impl SecretKey {
    /// Creates a key with every scope of its generation. The returned text is the only copy of the
    /// secret.
    #[must_use]
    pub fn generate(scope: Scope, generation: Generation, now: Timestamp) -> (Self, String) {
        let text = new_credential(Self::prefix(scope.mode, generation));
        let digest = SecretDigest::of(&text);
        let last_four = text[text.len() - 4..].to_owned();
        let key = Self {
            id: KeyId::mint(),
            scope,
            name: None,
            generation,
            scopes: KeyScopes::all_of(generation),
            allowed_addresses: None,
            digest,
            last_four,
            created_at: now,
            last_used_at: None,
            expires_at: None,
            revoked_at: None,
            sandbox_ahead: SignedDuration::ZERO,
        };
        (key, text)
    }

    /// Creates a key that may do what this one may, from the same addresses. It does not expire.
    #[must_use]
    pub fn successor(&self, now: Timestamp) -> (Self, String) {
        let (key, text) = Self::generate(self.scope.clone(), self.generation, now);
        let allowed_addresses = self.allowed_addresses.clone();
        (Self { name: self.name.clone(), scopes: self.scopes, allowed_addresses, ..key }, text)
    }

    /// Whether it may be used from this client address.
    #[must_use]
    pub fn is_allowed_from(&self, address: IpAddr) -> bool {
        self.allowed_addresses.as_ref().is_none_or(|allowed| allowed.contain(address))
    }

    /// Whether it is neither revoked nor expired. It is expired from exactly `expires_at` on.
    #[must_use]
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|at| now < at)
    }

    /// The prefix of every key of a mode and generation (docs/reference/credentials.md).
    #[must_use]
    pub const fn prefix(mode: Mode, generation: Generation) -> &'static str {
        match (generation, mode) {
            (Generation::V1, Mode::Test) => "sk_test_",
            (Generation::V1, Mode::Live) => "sk_live_",
            (Generation::V2, Mode::Test) => "tua_test_v2_",
            (Generation::V2, Mode::Live) => "tua_live_v2_",
        }
    }
}

/// The accounts with live keys that are valid now.
#[must_use]
pub fn accounts_with_live_keys(keys: &[SecretKey], now: Timestamp) -> BTreeSet<AccountId> {
    let is_live = |key: &&SecretKey| key.scope.mode == Mode::Live && key.is_valid(now);
    keys.iter().filter(is_live).map(|key| key.scope.account.clone()).collect()
}
