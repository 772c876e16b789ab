//! The ports for the mail servers of accounts: their store, and the client that sends with them.

use super::StoreError;
use crate::{
    AccountId,
    account_mail_server::{AccountMailServer, MailServerChange, MailServerRefusal},
    audit::AuditContext,
    mail::Message,
    mail_server::MailServer,
    mail_server_fault::MailServerFault,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// Why the mail server of an account was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeMailServerError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] MailServerRefusal),
    /// The store failed; [`StoreError`] tells whether something may have been written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The part of the store for the mail servers of accounts. Each change appends its entry of the
/// audit log, which has no password. The owners are told when other settings are in force, or
/// none; not about settings that wait for their test.
#[async_trait]
pub trait MailServers: Debug + Send + Sync + 'static {
    /// That of an account, also of one that has never had one: [`AccountMailServer::none`].
    async fn mail_server(&self, account: &AccountId) -> Result<AccountMailServer, StoreError>;
    /// Those of all accounts.
    async fn mail_servers(&self) -> Result<Vec<AccountMailServer>, StoreError>;
    /// Whether messages can be sent: an account has a mail server, or a message waits that is sent
    /// through one of its own.
    async fn has_mail_servers(&self) -> Result<bool, StoreError>;
    /// Changes that of an account, if it still has this version; 0 for an account that has never
    /// had one. Returns it after the change.
    async fn change_mail_server(
        &self,
        account: &AccountId,
        version: u32,
        change: MailServerChange,
        by: &AuditContext,
    ) -> Result<AccountMailServer, ChangeMailServerError>;
    /// Stores that a test begins at `now`. `false`, and nothing is stored, if the last one began
    /// later than `tested_until`, or if the account has never had a mail server. Whether there are
    /// settings to test is not looked at.
    async fn begin_mail_server_test(
        &self,
        account: &AccountId,
        tested_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Replaces the encrypted settings of one that still has this version: they are the same, and
    /// encrypted with another server key. Not audited, since nothing has changed.
    async fn reseal_mail_server(&self, resealed: &AccountMailServer) -> Result<(), StoreError>;
}

/// Sends messages with the mail servers of accounts.
#[async_trait]
pub trait AccountMailer: Debug + Send + Sync + 'static {
    /// Sends a message once. It connects to no address that the rules for webhooks forbid.
    async fn send(&self, server: &MailServer, message: &Message) -> Result<(), MailServerFault>;
}
