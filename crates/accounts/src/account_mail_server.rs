//! The mail server of an account, as it is stored: encrypted with the server key, and in force only
//! after a test message was sent with exactly these settings
//! (docs/reference/mail.md#the-mail-server-of-an-account).

use super::{
    AccountId, encrypted_secret::EncryptedSecret, key_ring::KeyRing, mail_server::MailServer,
    secret::ServerKey,
};
use jiff::Timestamp;

/// What the encryption begins with. The account follows, so that the settings of one account cannot
/// be moved to another.
const PURPOSE: &str = "tua: mail servers of accounts, XChaCha20-Poly1305";

/// Settings of a mail server, encrypted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedMailServer {
    /// What people recognise it by: `smtp.example.com:587`.
    pub shown: String,
    /// The [`MailServer`], encrypted with the server key.
    pub settings: EncryptedSecret,
}

/// The mail server of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountMailServer {
    /// The only account whose messages it sends.
    pub account: AccountId,
    /// The settings with which messages of the account are sent; `None` if none are sent.
    pub in_force: Option<SealedMailServer>,
    /// Settings that were stored and wait for their test. Nothing is sent with them until then.
    pub waiting: Option<SealedMailServer>,
    /// 1 after the first change; each change adds 1.
    pub version: u32,
    /// When it was last changed.
    pub changed_at: Timestamp,
}

/// A change of the mail server of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailServerChange {
    /// Other settings, which wait for their test.
    Store(SealedMailServer),
    /// A test has succeeded with these settings, which waited for one. They are compared with those
    /// in force, because the store cannot decrypt them.
    Accept(SealedMailServer, AcceptedServer),
    /// No messages are sent any more, except to the owners: through the mail server that was in
    /// force they are told that it was removed.
    Remove,
}

/// Which mail server settings are of that replace others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcceptedServer {
    /// The same host, port and user as before; other settings may differ, such as the password.
    Same,
    /// Another one, or the first one.
    Other,
}

/// Why the mail server of an account was not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MailServerRefusal {
    /// Somebody has changed it meanwhile.
    #[error("somebody has changed the mail server meanwhile")]
    Changed,
    /// There is nothing to test or to remove.
    #[error("the account has no mail server")]
    Missing,
}

impl AccountMailServer {
    /// That of an account that has never had one.
    #[must_use]
    pub const fn none(account: AccountId) -> Self {
        Self {
            account,
            in_force: None,
            waiting: None,
            version: 0,
            changed_at: Timestamp::UNIX_EPOCH,
        }
    }

    /// Encrypts settings for this account and no other.
    #[must_use]
    pub fn seal(key: &ServerKey, account: &AccountId, server: &MailServer) -> SealedMailServer {
        SealedMailServer {
            shown: format!("{}:{}", server.host, server.port),
            settings: EncryptedSecret::encrypt_for(&purpose(account), key, &server.to_text()),
        }
    }

    /// Decrypts settings of this account. `None` if no server key that is there encrypted them, if
    /// they are of another account, or if this version cannot read them.
    #[must_use]
    pub fn unseal(&self, keys: &KeyRing, sealed: &EncryptedSecret) -> Option<MailServer> {
        MailServer::from_text(&sealed.decrypt_with(&purpose(&self.account), keys)?)
    }

    /// Whether these settings are of the mail server that is in force. Settings that cannot be
    /// decrypted are of another one.
    #[must_use]
    pub fn compare(&self, keys: &KeyRing, tested: &SealedMailServer) -> AcceptedServer {
        let open = |sealed: &SealedMailServer| self.unseal(keys, &sealed.settings);
        let before = self.in_force.as_ref().and_then(open);
        let is_same = before.zip(open(tested)).is_some_and(|(before, after)| {
            let user = |server: &MailServer| server.sign_in.as_ref().map(|one| one.user.clone());
            before.host == after.host && before.port == after.port && user(&before) == user(&after)
        });
        if is_same { AcceptedServer::Same } else { AcceptedServer::Other }
    }

    /// Whether keys that are there decrypt what is in force and what waits for its test.
    #[must_use]
    pub fn is_readable(&self, keys: &KeyRing) -> bool {
        let mut all = [&self.in_force, &self.waiting].into_iter().flatten();
        all.all(|sealed| self.unseal(keys, &sealed.settings).is_some())
    }

    /// This with all settings encrypted with the current server key. `None` if nothing changes, as
    /// [`EncryptedSecret::resealed`] says.
    #[must_use]
    pub fn resealed(&self, keys: &KeyRing) -> Option<Self> {
        let purpose = purpose(&self.account);
        let reseal = |sealed: &SealedMailServer| {
            let settings = sealed.settings.resealed(&purpose, keys);
            let settings = settings.unwrap_or_else(|| sealed.settings.clone());
            SealedMailServer { settings, ..sealed.clone() }
        };
        let resealed = Self {
            in_force: self.in_force.as_ref().map(reseal),
            waiting: self.waiting.as_ref().map(reseal),
            ..self.clone()
        };
        (resealed != *self).then_some(resealed)
    }

    /// This after a change.
    ///
    /// # Errors
    /// [`MailServerRefusal::Changed`] where other settings wait than those that were tested;
    /// [`MailServerRefusal::Missing`] where there is nothing to remove.
    pub fn after(
        &self,
        change: MailServerChange,
        now: Timestamp,
    ) -> Result<Self, MailServerRefusal> {
        let mut after = Self { version: self.version + 1, changed_at: now, ..self.clone() };
        match change {
            MailServerChange::Store(settings) => after.waiting = Some(settings),
            MailServerChange::Accept(tested, _) => {
                if self.waiting.as_ref() != Some(&tested) {
                    return Err(MailServerRefusal::Changed);
                }
                after.in_force = Some(tested);
                after.waiting = None;
            }
            MailServerChange::Remove => {
                if self.in_force.is_none() && self.waiting.is_none() {
                    return Err(MailServerRefusal::Missing);
                }
                after.in_force = None;
                after.waiting = None;
            }
        }
        Ok(after)
    }
}

fn purpose(account: &AccountId) -> Vec<u8> {
    format!("{PURPOSE}\n{account}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        key_ring::RegisteredKey,
        mail_server::{MailEncryption, MailSignIn},
    };

    fn server(host: &str) -> MailServer {
        MailServer {
            host: host.to_owned(),
            port: 587,
            encryption: MailEncryption::StartTls,
            sign_in: None,
            from_address: "pay@shop.example".to_owned(),
            from_name: String::new(),
        }
    }

    fn key(letter: char) -> ServerKey {
        ServerKey::parse(&format!("{}E", letter.to_string().repeat(42))).unwrap()
    }

    fn ring(given: &[&ServerKey], registered: &[&ServerKey]) -> KeyRing {
        let registered: Vec<_> = (1..)
            .zip(registered)
            .map(|(version, key)| RegisteredKey { version, digest: key.digest() })
            .collect();
        let given: Vec<_> = given.iter().map(|key| (*key).clone()).collect();
        KeyRing::new(&given, &registered).unwrap()
    }

    #[test]
    fn settings_are_in_force_only_after_a_test_of_exactly_these() {
        let key = key('A');
        let now = Timestamp::UNIX_EPOCH;
        let none = AccountMailServer::none(AccountId::new("acc_1"));
        let seal = |host| AccountMailServer::seal(&key, &none.account, &server(host));
        let accept = |tested: &SealedMailServer| {
            MailServerChange::Accept(tested.clone(), AcceptedServer::Other)
        };
        let first = seal("one.example");
        let early = none.after(accept(&first), now);
        assert_eq!(early, Err(MailServerRefusal::Changed), "nothing waits");
        let stored = none.after(MailServerChange::Store(first.clone()), now).unwrap();
        assert_eq!((&stored.in_force, stored.version), (&None, 1));
        let other = seal("one.example");
        let unseen = stored.after(accept(&other), now);
        assert_eq!(unseen, Err(MailServerRefusal::Changed), "the same text, sealed again");
        let accepted = stored.after(accept(&first), now).unwrap();
        assert_eq!((&accepted.in_force, &accepted.waiting), (&Some(first.clone()), &None));
        let second = seal("two.example");
        let replaced = accepted.after(MailServerChange::Store(second.clone()), now).unwrap();
        assert_eq!(replaced.in_force, Some(first.clone()), "until the test");
        let replaced = replaced.after(accept(&second), now).unwrap();
        assert_eq!((&replaced.in_force, &replaced.waiting), (&Some(second), &None));
        let removed = replaced.after(MailServerChange::Remove, now).unwrap();
        assert_eq!((&removed.in_force, &removed.waiting), (&None, &None));
        assert_eq!(removed.after(MailServerChange::Remove, now), Err(MailServerRefusal::Missing));
    }

    #[test]
    fn another_host_port_or_user_is_another_server_and_a_new_password_is_not() {
        let key = key('A');
        let keys = ring(&[&key], &[&key]);
        let account = AccountId::new("acc_1");
        let seal = |server: &MailServer| AccountMailServer::seal(&key, &account, server);
        let signed_in = |user: &str, password: &str| MailServer {
            sign_in: Some(MailSignIn { user: user.to_owned(), password: password.to_owned() }),
            ..server("one.example")
        };
        let none = AccountMailServer::none(account.clone());
        let before = signed_in("shop", "hunter2");
        let one = AccountMailServer { in_force: Some(seal(&before)), ..none.clone() };
        let compare = |server: &MailServer| one.compare(&keys, &seal(server));
        let from_address = "other@shop.example".to_owned();
        for same in [signed_in("shop", "hunter3"), MailServer { from_address, ..before.clone() }] {
            assert_eq!(compare(&same), AcceptedServer::Same, "{same:?}");
        }
        for other in [
            signed_in("other", "hunter2"),
            server("one.example"),
            MailServer { port: 465, ..before.clone() },
            MailServer { host: "two.example".to_owned(), ..before.clone() },
        ] {
            assert_eq!(compare(&other), AcceptedServer::Other, "{other:?}");
        }
        assert_eq!(none.compare(&keys, &seal(&before)), AcceptedServer::Other, "the first one");
        let lost = self::key('B');
        let unreadable = ring(&[&lost], &[&lost]);
        assert_eq!(one.compare(&unreadable, &seal(&before)), AcceptedServer::Other);
    }

    #[test]
    fn settings_are_readable_in_their_own_account_only_and_are_encrypted_again() {
        let old = key('A');
        let new = key('B');
        let account = AccountId::new("acc_1");
        let one = AccountMailServer {
            in_force: Some(AccountMailServer::seal(&old, &account, &server("one.example"))),
            ..AccountMailServer::none(account)
        };
        let sealed = one.in_force.as_ref().unwrap();
        let only_old = ring(&[&old], &[&old]);
        assert_eq!(one.unseal(&only_old, &sealed.settings), Some(server("one.example")));
        assert!(one.is_readable(&only_old));
        let moved = AccountMailServer { account: AccountId::new("acc_2"), ..one.clone() };
        assert_eq!(moved.unseal(&only_old, &sealed.settings), None);
        assert_eq!(one.resealed(&only_old), None);
        let both = ring(&[&new, &old], &[&old, &new]);
        let only_new = ring(&[&new], &[&old, &new]);
        let earlier = ring(&[&old, &new], &[&old, &new]);
        assert_eq!(one.resealed(&only_new), None, "the old key is missing");
        assert_eq!(one.resealed(&earlier), None, "the newer key is not undone");
        assert!(!one.is_readable(&only_new));
        let resealed = one.resealed(&both).unwrap();
        assert!(resealed.is_readable(&only_new));
        assert_eq!(resealed.resealed(&both), None);
    }
}
