//! Mail servers that owners set up for their accounts in the dashboard
//! (docs/reference/mail.md#the-mail-server-of-an-account).

use jiff::SignedDuration;
use std::sync::Arc;
use tua_domain::{
    AccountId,
    account_mail_server::{
        AccountMailServer, MailServerChange, MailServerRefusal, SealedMailServer,
    },
    audit::AuditContext,
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    mail::{MailFault, MailKind, Message, QueuedMail},
    mail_server::{MailServer, MailServerField, MailServerForm, MailServerRules},
    mail_server_fault::{MailServerFault, MailServerProblem},
    ports::{self, AccountMailer, ChangeMailServerError, Clock, StoreError},
};

/// The timeout of a test message, from the DNS look-up to the last reply. A person waits for it.
const TEST_TIMEOUT: SignedDuration = SignedDuration::from_secs(25);

/// The time between the beginnings of two tests of an account, which must not be a means to try
/// passwords or to send any number of messages.
const TEST_INTERVAL: SignedDuration = SignedDuration::from_secs(15);

/// Who sends the messages of accounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailSource {
    /// The SMTP server of the settings file sends every message.
    Settings,
    /// The settings file has none: each account sends through its own.
    Accounts,
}

/// Stores, tests and removes the mail servers of accounts, and sends with them.
#[derive(Clone, Debug)]
pub struct MailServers {
    /// Where they are stored.
    pub store: Arc<dyn ports::MailServers>,
    /// Sends one message over SMTP.
    pub mailer: Arc<dyn AccountMailer>,
    /// Encrypts the settings with the server key.
    pub keys: KeyRing,
    /// Measures how long a server may take.
    pub clock: Arc<dyn Clock>,
    /// The sender of the messages.
    pub source: MailSource,
    /// Which servers people may name.
    pub rules: MailServerRules,
}

/// What came of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailServerTest {
    /// The message was sent, and the settings that waited are in force.
    Accepted,
    /// The message was sent with the settings in force. Nothing has changed.
    Sent,
    /// The message was not sent.
    Failed(MailServerFault),
    /// The last test began less than 15 seconds before, so nothing was sent.
    TooSoon,
}

impl MailServers {
    /// That of an account, also of one that has never had one.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, account: &AccountId) -> Result<AccountMailServer, StoreError> {
        self.store.mail_server(account).await
    }

    /// The settings in the clear; `None` if they cannot be read.
    #[must_use]
    pub fn open(&self, of: &AccountMailServer, sealed: &SealedMailServer) -> Option<MailServer> {
        of.unseal(&self.keys, &sealed.settings)
    }

    /// Reads a form.
    ///
    /// # Errors
    /// The fields with a fault.
    pub fn read(&self, form: &MailServerForm<'_>) -> Result<MailServer, Vec<MailServerField>> {
        MailServer::read(form, self.rules)
    }

    /// Stores settings, which wait for their test.
    ///
    /// # Errors
    /// [`ChangeMailServerError`].
    pub async fn replace(
        &self,
        before: &AccountMailServer,
        server: &MailServer,
        by: &AuditContext,
    ) -> Result<AccountMailServer, ChangeMailServerError> {
        let sealed = AccountMailServer::seal(&self.keys.current(), &before.account, server);
        self.change(before, MailServerChange::Store(sealed), by).await
    }

    /// Removes the mail server. No message of the account is sent any more, except its security
    /// notices that wait and the notice of the removal: each has the settings, which are deleted
    /// with it.
    ///
    /// # Errors
    /// [`ChangeMailServerError`].
    pub async fn remove(
        &self,
        before: &AccountMailServer,
        by: &AuditContext,
    ) -> Result<AccountMailServer, ChangeMailServerError> {
        self.change(before, MailServerChange::Remove, by).await
    }

    async fn change(
        &self,
        before: &AccountMailServer,
        change: MailServerChange,
        by: &AuditContext,
    ) -> Result<AccountMailServer, ChangeMailServerError> {
        self.store.change_mail_server(&before.account, before.version, change, by).await
    }

    /// Sends a message with the settings that wait for their test, or else with those in force.
    /// Those that waited are in force from then on, if the server accepted the message.
    ///
    /// # Errors
    /// [`ChangeMailServerError`]; [`MailServerRefusal::Missing`] where there is nothing to test.
    pub async fn test(
        &self,
        tested: &AccountMailServer,
        message: &Message,
        by: &AuditContext,
    ) -> Result<MailServerTest, ChangeMailServerError> {
        let settings = tested.waiting.as_ref().or(tested.in_force.as_ref());
        let settings = settings.ok_or(MailServerRefusal::Missing)?;
        let now = self.clock.now();
        let account = &tested.account;
        if !self.store.begin_mail_server_test(account, now - TEST_INTERVAL, now).await? {
            return Ok(MailServerTest::TooSoon);
        }
        if let Err(fault) = self.send_test(tested, &settings.settings, message).await {
            return Ok(MailServerTest::Failed(fault));
        }
        if tested.waiting.is_none() {
            return Ok(MailServerTest::Sent);
        }
        let server = tested.compare(&self.keys, settings);
        self.change(tested, MailServerChange::Accept(settings.clone(), server), by).await?;
        Ok(MailServerTest::Accepted)
    }

    /// Sends a message of the outbox with the mail server of its account, unless it has a link with
    /// which a person gets access.
    ///
    /// # Errors
    /// Why it was not sent. Without a mail server it is tried again later.
    pub async fn send(&self, mail: &QueuedMail, message: &Message) -> Result<(), MailFault> {
        let missing = || MailFault::NotTaken("there is no mail server for this message".to_owned());
        // It was inserted while the settings file had a mail server.
        let is_sendable = !mail.kind.has_link();
        let account = mail.account.as_ref().filter(|_| is_sendable).ok_or_else(missing)?;
        let found = self.find(account).await.map_err(|_| {
            MailFault::NotTaken("the mail server could not be read from our database".to_owned())
        })?;
        // A notice with settings of its own goes through that mail server, which may be removed.
        let own = mail.secret.as_ref().filter(|_| mail.kind == MailKind::Security);
        let used = own.or(found.in_force.as_ref().map(|one| &one.settings)).ok_or_else(missing)?;
        self.send_with(&found, used, message).await.map_err(|fault| fault.fault)
    }

    /// Whether messages can be sent through mail servers of accounts.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_any_used(&self) -> Result<bool, StoreError> {
        self.store.has_mail_servers().await
    }

    async fn send_test(
        &self,
        of: &AccountMailServer,
        settings: &EncryptedSecret,
        message: &Message,
    ) -> Result<(), MailServerFault> {
        let timeout = self.clock.sleep_until(self.clock.now() + TEST_TIMEOUT);
        tokio::select! {
            sent = self.send_with(of, settings, message) => sent,
            () = timeout => {
                let reason = format!("the server took longer than {} s", TEST_TIMEOUT.as_secs());
                Err(MailServerFault::not_taken(MailServerProblem::TimedOut, reason))
            }
        }
    }

    async fn send_with(
        &self,
        of: &AccountMailServer,
        settings: &EncryptedSecret,
        message: &Message,
    ) -> Result<(), MailServerFault> {
        let Some(server) = of.unseal(&self.keys, settings) else {
            let reason = "no server key that is there decrypts the mail server of the account";
            return Err(MailServerFault::not_taken(MailServerProblem::NotReadable, reason));
        };
        self.mailer.send(&server, message).await
    }

    /// Encrypts with the current server key what an earlier one encrypted. Only the service does
    /// this, never a command. Settings in a notice stay as they are until they are deleted with it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reseal(&self) -> Result<(), StoreError> {
        if self.keys.all().len() < 2 || !self.keys.is_current_the_newest() {
            return Ok(());
        }
        for stored in self.store.mail_servers().await? {
            if let Some(resealed) = stored.resealed(&self.keys) {
                self.store.reseal_mail_server(&resealed).await?;
            }
        }
        Ok(())
    }
}
