//! Creates, lists, rotates and revokes the secret keys of merchants.

use super::{
    account_read_error::{AccountReadError, require_account},
    last_start::LastStart,
};
use jiff::{SignedDuration, Timestamp};
use std::{collections::BTreeSet, sync::Arc};
use tua_contract::Network;
use tua_domain::{
    AccountId, AllowedAddresses, Caller, Generation, KeyId, KeyScopes, Kind, Mode, Scope,
    SecretKey,
    account::accounts_with_live_keys,
    audit::AuditContext,
    ports::{self, AuditLog, ConnectedOperators, OpenSessions, StoreError},
    secret::SecretDigest,
};

/// Creates, lists, rotates and revokes secret keys.
#[derive(Clone, Debug)]
pub struct ApiKeys {
    /// Where keys are stored.
    pub accounts: Arc<dyn ports::Accounts>,
    /// Has the operators of the last start, which limit who gets a live key.
    pub audit_log: Arc<dyn AuditLog>,
    /// Has the operators that people of an account connected.
    pub connected_operators: Arc<dyn ConnectedOperators>,
}

/// The properties that are chosen for a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The account and mode that it opens.
    pub scope: Scope,
    /// Its generation, which decides its routes.
    pub generation: Generation,
    /// A name for people.
    pub name: Option<String>,
    /// What it may do.
    pub scopes: KeyScopes,
    /// From where it may be used; `None` for everywhere.
    pub allowed_addresses: Option<AllowedAddresses>,
    /// For how long it is valid; `None` for ever.
    pub expires_in: Option<SignedDuration>,
}

/// A key that was created, and the only copy of its secret. `Debug` hides the secret.
pub struct CreatedKey {
    /// The key as it is stored.
    pub key: SecretKey,
    /// Its text, for the merchant's server.
    pub secret: String,
}

impl std::fmt::Debug for CreatedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreatedKey").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Whether payments with a new key can be served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyService {
    /// They can, as far as it is known.
    Served,
    /// It is a live key, and no network has an operator for live charges of its account: neither in
    /// the settings of the last start nor among those that people of the account connected.
    NoLiveOperator,
}

/// Why a live key may not be created.
#[derive(Debug, thiserror::Error)]
pub enum LiveKeyError {
    /// With it, the service would not start again.
    #[error("key: with it the service would not start again: {0}")]
    WouldNotStart(String),
    /// The store failed, so it is unknown.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// When the successor of a key expires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuccessorExpiry {
    /// Nothing was chosen: it does not expire. A key that expires has no such successor.
    Unspecified,
    /// It was chosen that it does not expire.
    Never,
    /// This long after its creation.
    After(SignedDuration),
}

/// A key that has a successor.
#[derive(Debug)]
pub struct RotatedKey {
    /// The old key, with its new expiry.
    pub old: SecretKey,
    /// The successor, with the only copy of its secret.
    pub new: CreatedKey,
}

/// Why a key got no successor.
#[derive(Debug, thiserror::Error)]
pub enum RotateKeyError {
    /// No key has this id.
    #[error("there is no such key")]
    Unknown,
    /// It expires at this time, and nothing was chosen for its successor.
    #[error("the key expires at {0}, and the end of its successor was not chosen")]
    ExpiryRequired(Timestamp),
    /// It is revoked or has expired.
    #[error("the key is not valid any more")]
    NotValid,
    /// The store failed. The variant of [`StoreError`] shows whether the successor may have been
    /// stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ApiKeys {
    /// The keys of all accounts, or of one, oldest first, with those that are not valid any more.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn list(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<SecretKey>, AccountReadError> {
        require_account(self.accounts.as_ref(), account).await?;
        Ok(self.accounts.keys(account).await?)
    }

    /// The keys of an account and mode, oldest first, with those that are not valid any more.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list_in(&self, scope: &Scope) -> Result<Vec<SecretKey>, StoreError> {
        let mut keys = self.accounts.keys(Some(&scope.account)).await?;
        keys.retain(|key| key.scope == *scope);
        Ok(keys)
    }

    /// The valid key with this digest; `None` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        digest: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<SecretKey>, StoreError> {
        Ok(match self.accounts.caller(digest, now).await? {
            Some(Caller::Key(key)) => Some(key),
            Some(Caller::Token(_)) | None => None,
        })
    }

    /// The first valid live key of any account; `None` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_live(&self, now: Timestamp) -> Result<Option<SecretKey>, StoreError> {
        Ok(first_live(self.accounts.keys(None).await?, now))
    }

    /// Whether an account has a valid live key.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn has_live(&self, account: &AccountId, now: Timestamp) -> Result<bool, StoreError> {
        Ok(first_live(self.accounts.keys(Some(account)).await?, now).is_some())
    }

    /// The accounts with valid live keys.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn live_accounts(&self, now: Timestamp) -> Result<BTreeSet<AccountId>, StoreError> {
        Ok(accounts_with_live_keys(&self.accounts.keys(None).await?, now))
    }

    /// Checks that a key of this account and mode may be created. A live key may not if with it the
    /// next start of the service would fail.
    ///
    /// # Errors
    /// [`LiveKeyError`].
    pub async fn check_new(
        &self,
        scope: &Scope,
        now: Timestamp,
    ) -> Result<KeyService, LiveKeyError> {
        if scope.mode != Mode::Live {
            return Ok(KeyService::Served);
        }
        let last = LastStart::read(self.audit_log.as_ref()).await?;
        let mut accounts = self.live_accounts(now).await?;
        accounts.insert(scope.account.clone());
        match last.fault(&accounts) {
            Some(fault) => Err(LiveKeyError::WouldNotStart(fault)),
            None if last.can_charge_live(&scope.account)
                || self.has_connected_charges(&scope.account).await? =>
            {
                Ok(KeyService::Served)
            }
            None => Ok(KeyService::NoLiveOperator),
        }
    }

    /// Whether people of the account connected an operator that serves charges now.
    async fn has_connected_charges(&self, account: &AccountId) -> Result<bool, StoreError> {
        let connected = self.connected_operators.connected_operators(Some(account)).await?;
        Ok(connected.iter().any(|one| {
            one.checked_at.is_some()
                && one.retired_at.is_none()
                && Network::ALL.iter().any(|network| one.routes.has(*network, Kind::Charge))
        }))
    }

    /// Creates a key of an existing account. A live one must have passed [`Self::check_new`].
    ///
    /// # Errors
    /// Those of the store.
    pub async fn create(&self, new: NewKey, by: &AuditContext) -> Result<CreatedKey, StoreError> {
        let NewKey { scope, generation, name, scopes, allowed_addresses, expires_in } = new;
        let (key, secret) = SecretKey::generate(scope, generation, by.at);
        let expires_at = expires_in.and_then(|lifetime| expiry_after(lifetime, by.at));
        let key = SecretKey { name, scopes, allowed_addresses, expires_at, ..key };
        self.accounts.add_key(key.clone(), by).await?;
        Ok(CreatedKey { key, secret })
    }

    /// Creates the successor of a key. Both are valid for `overlap`, unless the old one expires
    /// earlier.
    ///
    /// # Errors
    /// [`RotateKeyError`].
    pub async fn rotate(
        &self,
        id: &KeyId,
        overlap: SignedDuration,
        expiry: SuccessorExpiry,
        by: &AuditContext,
    ) -> Result<RotatedKey, RotateKeyError> {
        let keys = self.accounts.keys(None).await?;
        let old = keys.into_iter().find(|key| key.id == *id).ok_or(RotateKeyError::Unknown)?;
        let expires_at = match (expiry, old.expires_at) {
            (SuccessorExpiry::Unspecified, Some(at)) if old.is_valid(by.at) => {
                return Err(RotateKeyError::ExpiryRequired(at));
            }
            (SuccessorExpiry::Unspecified | SuccessorExpiry::Never, _) => None,
            (SuccessorExpiry::After(lifetime), _) => expiry_after(lifetime, by.at),
        };
        let (new, secret) = old.successor(by.at);
        let new = SecretKey { expires_at, ..new };
        let rotated = self.accounts.rotate_key(id, new.clone(), by.at + overlap, by).await?;
        let old = rotated.ok_or(RotateKeyError::NotValid)?;
        Ok(RotatedKey { old, new: CreatedKey { key: new, secret } })
    }

    /// Revokes a key of this account and mode, or of any. Returns it; `None` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn revoke(
        &self,
        scope: Option<&Scope>,
        id: &KeyId,
        sessions: OpenSessions,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError> {
        if let Some(scope) = scope
            && !self.list_in(scope).await?.iter().any(|key| key.id == *id)
        {
            return Ok(None);
        }
        self.accounts.revoke_key(id, sessions, by).await
    }
}

fn first_live(keys: Vec<SecretKey>, now: Timestamp) -> Option<SecretKey> {
    keys.into_iter().find(|key| key.scope.mode == Mode::Live && key.is_valid(now))
}

/// When a key of this lifetime expires; `None` where no timestamp is that late.
fn expiry_after(lifetime: SignedDuration, created_at: Timestamp) -> Option<Timestamp> {
    created_at.checked_add(lifetime).ok()
}
