//! Reads the outbox of e-mail, and turns e-mail on or off.

use std::sync::Arc;
use tua_domain::{
    AccountId,
    mail::{MailFilter, QueuedMail},
    ports::{self, StoreError},
};

/// Reads the outbox of e-mail, and turns e-mail on or off.
#[derive(Clone, Debug)]
pub struct MailOutbox {
    /// Where messages are stored.
    pub outbox: Arc<dyn ports::MailOutbox>,
}

impl MailOutbox {
    /// Turns e-mail on or off, for every process on this database.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn turn(&self, is_on: bool) -> Result<(), StoreError> {
        self.outbox.set_mail(is_on).await
    }

    /// Whether messages about an account can be sent: the service was last started with a mail
    /// server, or the account has one of its own.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_on(&self, account: &AccountId) -> Result<bool, StoreError> {
        self.outbox.is_mail_on(Some(account)).await
    }

    /// The newest messages of all accounts, at most `limit`; with `is_given_up` only those that
    /// were given up.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, is_given_up: bool, limit: u32) -> Result<Vec<QueuedMail>, StoreError> {
        self.outbox.mail(&MailFilter { account: None, is_given_up }, limit).await
    }

    /// The newest messages about an account that were given up, at most `limit`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn given_up(
        &self,
        account: &AccountId,
        limit: u32,
    ) -> Result<Vec<QueuedMail>, StoreError> {
        let filter = MailFilter { account: Some(account.clone()), is_given_up: true };
        self.outbox.mail(&filter, limit).await
    }
}
