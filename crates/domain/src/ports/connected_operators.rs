//! The ports for operators that people connect in the dashboard.

use super::{Operator, StoreError};
use crate::{
    AccountId, ConnectedOperatorId,
    audit::AuditContext,
    connected_operator::{ConnectRefusal, ConnectedOperator, OperatorChange},
    credential_field::{ConnectorForm, CredentialFault},
};
use async_trait::async_trait;
use std::{collections::BTreeMap, fmt::Debug, sync::Arc};

/// Why an operator was not connected or changed.
#[derive(Debug, thiserror::Error)]
pub enum ConnectOperatorError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] ConnectRefusal),
    /// The store failed; [`StoreError`] tells whether something may have been written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The part of the store for operators that people connect. Each change appends its entry of the
/// audit log, which never has credentials.
#[async_trait]
pub trait ConnectedOperators: Debug + Send + Sync + 'static {
    /// Those of an account, or of all accounts, oldest first. One whose row cannot be read is left
    /// out and logged, so that it does not stop the others.
    async fn connected_operators(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<ConnectedOperator>, StoreError>;
    /// Stores a new one. Refused if its name is taken in the account, or the account has too many,
    /// or somebody has connected one with its id meanwhile.
    async fn connect_operator(
        &self,
        new: &ConnectedOperator,
        by: &AuditContext,
    ) -> Result<(), ConnectOperatorError>;
    /// Changes one, if it still has this version. What it serves from now on, no other entry of the
    /// account serves any more. Returns it after the change.
    async fn change_connected_operator(
        &self,
        id: &ConnectedOperatorId,
        version: u32,
        change: OperatorChange,
        by: &AuditContext,
    ) -> Result<ConnectedOperator, ConnectOperatorError>;
    /// Replaces the encrypted credentials of one that still has this version: they are the same,
    /// and encrypted with another server key. Not audited, since nothing has changed.
    async fn reseal_connected_operator(
        &self,
        resealed: &ConnectedOperator,
    ) -> Result<(), StoreError>;
}

/// Connects operators with credentials that people typed.
pub trait OperatorConnector: Debug + Send + Sync + 'static {
    /// The connectors, with the fields of their credentials.
    fn forms(&self) -> &'static [ConnectorForm];
    /// Reads the fields of a form. Returns the credentials as the text that is encrypted.
    ///
    /// # Errors
    /// Every fault. None repeats a value of a secret field.
    fn read(
        &self,
        form: &ConnectorForm,
        values: &BTreeMap<String, String>,
    ) -> Result<String, Vec<CredentialFault>>;
    /// Connects an entry with these credentials, at the operator's production address.
    ///
    /// # Errors
    /// One line, which has no credentials: this version cannot read them, or an HTTP client cannot
    /// be built.
    fn connect(
        &self,
        entry: &ConnectedOperator,
        credentials: &str,
    ) -> Result<Arc<dyn Operator>, String>;
    /// The values of the fields that a page may show, by key; none where the credentials cannot be
    /// read.
    fn shown_values(&self, form: &ConnectorForm, credentials: &str) -> BTreeMap<String, String>;
    /// Whether credentials are of the same platform and merchant as others of this connector, as
    /// far as they name them. The payments of one cannot be found with the credentials of another.
    /// `true` where one of them cannot be read.
    fn is_same_merchant(&self, connector: &str, one: &str, other: &str) -> bool;
    /// The address for the callbacks of an entry.
    fn callback_url(&self, id: &ConnectedOperatorId) -> String;
}
