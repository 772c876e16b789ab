//! Operators that people connect in the dashboard
//! (docs/reference/operators.md#operators-of-the-dashboard).
//!
//! Each serves the live payments of one account. Its credentials are encrypted with the server key,
//! and are in force only after a check at the operator has accepted them.

pub use crate::connected_routes::ConnectedRoutes;
use crate::{
    AccountId, ConnectedOperatorId,
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    pinned_operator::{OperatorFingerprint, OperatorName, PinnedOperator},
    secret::ServerKey,
};
use jiff::{SignedDuration, Timestamp};

/// The largest number of operators that one account may connect, retired ones included.
pub const MAX_CONNECTED_OPERATORS: usize = 20;

/// The smallest difference between two times in the database.
const TIME_STEP: SignedDuration = SignedDuration::from_millis(1);

/// What the encryption of credentials begins with. The account and the id follow, so that the
/// credentials of one entry cannot be moved to another.
const PURPOSE: &str = "tua: credentials of operators, XChaCha20-Poly1305";

/// An operator that people of an account connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectedOperator {
    /// Names the entry in addresses, and its callbacks.
    pub id: ConnectedOperatorId,
    /// The only account that it serves.
    pub account: AccountId,
    /// The name that people chose, unique in the account.
    pub name: OperatorName,
    /// The connector, as the settings name it: `mtn-momo`.
    pub connector: String,
    /// The credentials; in force once `checked_at` is set.
    pub credentials: EncryptedSecret,
    /// Credentials of the same account at the operator that wait for their check, while
    /// `credentials` stay in force.
    pub replacement: Option<EncryptedSecret>,
    /// The networks and directions that it serves.
    pub routes: ConnectedRoutes,
    /// The entry whose place it takes with its first successful check.
    pub supersedes: Option<ConnectedOperatorId>,
    /// 1 for a new entry; each change adds 1.
    pub version: u32,
    /// When it was connected.
    pub created_at: Timestamp,
    /// When a check accepted the credentials in force; each acceptance has a later time.
    pub checked_at: Option<Timestamp>,
    /// When it was removed. It then serves nothing new; pending payments and refunds go on.
    pub retired_at: Option<Timestamp>,
}

/// A change of a connected operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperatorChange {
    /// A check has accepted these credentials, which waited for one.
    Accept(EncryptedSecret),
    /// Other credentials of the same account at the operator, which wait for their check.
    Replace(EncryptedSecret),
    /// The networks and directions that it serves from now on.
    Serve(ConnectedRoutes),
    /// It serves nothing new any more.
    Retire,
}

/// Why an operator cannot be connected or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConnectRefusal {
    /// Another entry of the account has this name.
    #[error("another operator of the account has this name")]
    NameTaken,
    /// The account has [`MAX_CONNECTED_OPERATORS`].
    #[error("the account has as many operators as it may have")]
    TooMany,
    /// Somebody has changed it meanwhile, or has connected it, or it does not exist.
    #[error("somebody has changed the operator meanwhile")]
    Changed,
    /// Somebody has removed the operator meanwhile.
    #[error("the operator was removed")]
    Retired,
    /// No check has accepted its credentials.
    #[error("no check has accepted the credentials")]
    NotChecked,
    /// The new credentials are of another account, or of another platform, of the operator, where
    /// pending payments cannot be found.
    #[error("the credentials are of another account at the operator")]
    OtherMerchant,
    /// The new credentials leave out a product that the credentials in force have, so that its
    /// pending payments could not be queried.
    #[error("the credentials leave out a product that those in force have")]
    MissingProduct,
}

impl ConnectedOperator {
    /// Encrypts credentials for this entry and no other.
    #[must_use]
    pub fn seal(
        key: &ServerKey,
        account: &AccountId,
        id: &ConnectedOperatorId,
        credentials: &str,
    ) -> EncryptedSecret {
        EncryptedSecret::encrypt_for(&purpose(account, id), key, credentials)
    }

    /// Decrypts credentials of this entry. `None` if no server key that is there encrypted them, or
    /// if they are of another entry.
    #[must_use]
    pub fn unseal(&self, keys: &KeyRing, credentials: &EncryptedSecret) -> Option<String> {
        credentials.decrypt_with(&purpose(&self.account, &self.id), keys)
    }

    /// The entry with all credentials encrypted with the current server key. `None` if nothing
    /// changes, as [`EncryptedSecret::resealed`] says.
    #[must_use]
    pub fn resealed(&self, keys: &KeyRing) -> Option<Self> {
        let purpose = purpose(&self.account, &self.id);
        let credentials = self.credentials.resealed(&purpose, keys);
        let replacement = self.replacement.as_ref();
        let replacement = replacement.and_then(|sealed| sealed.resealed(&purpose, keys));
        if credentials.is_none() && replacement.is_none() {
            return None;
        }
        Some(Self {
            credentials: credentials.unwrap_or_else(|| self.credentials.clone()),
            replacement: replacement.or_else(|| self.replacement.clone()),
            ..self.clone()
        })
    }

    /// The pin of its payments. Rotated credentials do not change it, and no entry of the settings
    /// or of another account has the same fingerprint.
    #[must_use]
    pub fn pin(&self) -> PinnedOperator {
        let parts = ["connected in the dashboard", self.account.as_str(), self.id.as_str()];
        PinnedOperator { name: self.name.clone(), fingerprint: OperatorFingerprint::of(&parts) }
    }

    /// The credentials that wait for a check.
    #[must_use]
    pub fn unchecked(&self) -> Option<&EncryptedSecret> {
        match self.checked_at {
            None => Some(&self.credentials),
            Some(_) => self.replacement.as_ref(),
        }
    }

    /// The credentials in force; `None` before the first successful check.
    #[must_use]
    pub fn in_force(&self) -> Option<&EncryptedSecret> {
        self.checked_at.map(|_| &self.credentials)
    }

    /// The entry after a change.
    ///
    /// # Errors
    /// [`ConnectRefusal::Retired`] for a removed entry, except for a rotated key;
    /// [`ConnectRefusal::NotChecked`] where networks are switched on before a check, or nothing
    /// waits for one; [`ConnectRefusal::Changed`] where other credentials wait than those that were
    /// checked.
    pub fn after(&self, change: OperatorChange, now: Timestamp) -> Result<Self, ConnectRefusal> {
        // The payments and refunds of a removed one go on, also after its key was rotated.
        let is_of_credentials =
            matches!(change, OperatorChange::Accept(_) | OperatorChange::Replace(_));
        if self.retired_at.is_some() && !(is_of_credentials && self.checked_at.is_some()) {
            return Err(ConnectRefusal::Retired);
        }
        let mut after = Self { version: self.version + 1, ..self.clone() };
        match change {
            OperatorChange::Accept(checked) => {
                let waiting = self.unchecked().ok_or(ConnectRefusal::NotChecked)?;
                if *waiting != checked {
                    return Err(ConnectRefusal::Changed);
                }
                after.credentials = checked;
                after.replacement = None;
                after.checked_at = Some(match self.checked_at {
                    Some(before) => now.max(before + TIME_STEP),
                    None => now,
                });
            }
            OperatorChange::Replace(credentials) => match self.checked_at {
                None => after.credentials = credentials,
                Some(_) => after.replacement = Some(credentials),
            },
            OperatorChange::Serve(routes) => {
                self.in_force().ok_or(ConnectRefusal::NotChecked)?;
                after.routes = routes;
            }
            OperatorChange::Retire => {
                after.routes = ConnectedRoutes::default();
                after.replacement = None;
                after.retired_at = Some(now);
            }
        }
        Ok(after)
    }
}

fn purpose(account: &AccountId, id: &ConnectedOperatorId) -> Vec<u8> {
    format!("{PURPOSE}\n{account}\n{id}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use tua_contract::Network;

    fn key() -> ServerKey {
        ServerKey::parse(&"A".repeat(43)).unwrap()
    }

    fn ring(key: &ServerKey) -> KeyRing {
        let registered = crate::key_ring::RegisteredKey { version: 1, digest: key.digest() };
        KeyRing::new(std::slice::from_ref(key), &[registered]).unwrap()
    }

    fn entry(account: &str) -> ConnectedOperator {
        let account = AccountId::new(account);
        let id = ConnectedOperatorId::mint();
        ConnectedOperator {
            credentials: ConnectedOperator::seal(&key(), &account, &id, "hunter2"),
            id,
            account,
            name: "mtn".parse().unwrap(),
            connector: "mtn-momo".to_owned(),
            replacement: None,
            routes: ConnectedRoutes::default(),
            supersedes: None,
            version: 1,
            created_at: Timestamp::UNIX_EPOCH,
            checked_at: None,
            retired_at: None,
        }
    }

    #[test]
    fn credentials_are_readable_in_their_own_entry_only() {
        let keys = ring(&key());
        let one = entry("acc_1");
        assert_eq!(one.unseal(&keys, &one.credentials).as_deref(), Some("hunter2"));
        let other = entry("acc_2");
        assert_eq!(other.unseal(&keys, &one.credentials), None);
        let moved = ConnectedOperator { account: AccountId::new("acc_2"), ..one.clone() };
        assert_eq!(moved.unseal(&keys, &one.credentials), None);
        let second = ConnectedOperator { id: ConnectedOperatorId::mint(), ..one.clone() };
        assert_eq!(second.unseal(&keys, &one.credentials), None, "of the same account");
        assert_ne!(one.pin().fingerprint, other.pin().fingerprint);
        assert!(!format!("{one:?}").contains("hunter2"));
    }

    #[test]
    fn credentials_are_in_force_only_after_their_check() {
        let now = Timestamp::UNIX_EPOCH;
        let new = entry("acc_1");
        let mtn = ConnectedRoutes::from_iter([(Network::Mtn, Kind::Charge)]);
        assert_eq!(new.in_force(), None);
        let early = new.after(OperatorChange::Serve(mtn.clone()), now);
        assert_eq!(early, Err(ConnectRefusal::NotChecked));
        let accept = |sealed: &EncryptedSecret| OperatorChange::Accept(sealed.clone());
        let checked = new.after(accept(&new.credentials), now).unwrap();
        assert_eq!(checked.in_force(), Some(&new.credentials));
        let again = checked.after(accept(&new.credentials), now);
        assert_eq!(again, Err(ConnectRefusal::NotChecked));
        let serving = checked.after(OperatorChange::Serve(mtn.clone()), now).unwrap();
        let next = ConnectedOperator::seal(&key(), &new.account, &new.id, "next");
        let replaced = serving.after(OperatorChange::Replace(next.clone()), now).unwrap();
        assert_eq!(replaced.in_force(), Some(&new.credentials), "until the check");
        let unseen = replaced.after(accept(&new.credentials), now);
        assert_eq!(unseen, Err(ConnectRefusal::Changed), "others wait than those checked");
        let rotated = replaced.after(accept(&next), now).unwrap();
        assert_eq!(rotated.in_force(), Some(&next));
        assert!(rotated.checked_at > replaced.checked_at, "also by a clock that stands still");
        assert_eq!((rotated.routes.clone(), rotated.pin()), (mtn, new.pin()));
        let retired = rotated.after(OperatorChange::Retire, now).unwrap();
        assert_eq!(retired.routes, ConnectedRoutes::default());
        assert_eq!(retired.in_force(), Some(&next), "for refunds");
        assert_eq!(retired.after(OperatorChange::Retire, now), Err(ConnectRefusal::Retired));
        let mtn = ConnectedRoutes::from_iter([(Network::Mtn, Kind::Charge)]);
        assert_eq!(retired.after(OperatorChange::Serve(mtn), now), Err(ConnectRefusal::Retired));
        let last = ConnectedOperator::seal(&key(), &new.account, &new.id, "last");
        let waiting = retired.after(OperatorChange::Replace(last.clone()), now).unwrap();
        let rotated = waiting.after(accept(&last), now).unwrap();
        assert_eq!((rotated.in_force(), rotated.retired_at), (Some(&last), retired.retired_at));
        let unused = new.after(OperatorChange::Retire, now).unwrap();
        let late = unused.after(accept(&new.credentials), now);
        assert_eq!(late, Err(ConnectRefusal::Retired), "it was never in force");
    }

    #[test]
    fn a_new_server_key_encrypts_all_credentials_again() {
        let old = key();
        let new = ServerKey::parse(&format!("{}E", "B".repeat(42))).unwrap();
        let registered = [(1, &old), (2, &new)]
            .map(|(version, key)| crate::key_ring::RegisteredKey { version, digest: key.digest() });
        let both = KeyRing::new(&[new.clone(), old.clone()], &registered).unwrap();
        let only_new = KeyRing::new(std::slice::from_ref(&new), &registered).unwrap();
        let one = entry("acc_1");
        let next = ConnectedOperator::seal(&old, &one.account, &one.id, "next");
        let one = ConnectedOperator { replacement: Some(next), ..one };
        assert_eq!(one.resealed(&ring(&old)), None);
        assert_eq!(one.resealed(&only_new), None, "the old key is missing");
        let resealed = one.resealed(&both).unwrap();
        assert_eq!(resealed.unseal(&only_new, &resealed.credentials).as_deref(), Some("hunter2"));
        let replacement = resealed.replacement.as_ref().unwrap();
        assert_eq!(resealed.unseal(&only_new, replacement).as_deref(), Some("next"));
        assert_eq!(resealed.resealed(&both), None);
        let earlier = KeyRing::new(&[old, new], &registered).unwrap();
        assert_eq!(resealed.resealed(&earlier), None, "the newer key is not undone");
        assert_eq!(one.resealed(&earlier), None);
    }
}
