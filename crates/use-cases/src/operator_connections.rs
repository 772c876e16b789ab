//! Operators that people of an account connect in the dashboard
//! (docs/reference/operators.md#operators-of-the-dashboard).

use super::operator_checks::{OperatorChecks, check_within_time};
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::{Mutex, Notify};
use tracing::error;
use tua_domain::{
    AccountId, ConnectedOperatorId, Mode,
    audit::AuditContext,
    connected_operator::{ConnectRefusal, ConnectedOperator, ConnectedRoutes, OperatorChange},
    credential_field::{ConnectorForm, CredentialFault},
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    ports::{self, ClusterMessage, ConnectOperatorError, OperatorConnector, StoreError},
    routing::{CheckReport, EntrySource, LoadedOperator, OperatorEntry, OperatorName, Operators},
};

/// Connects, checks, changes and loads the operators that people connect.
#[derive(Clone, Debug)]
pub struct OperatorConnections {
    /// Where they are stored.
    pub store: Arc<dyn ports::ConnectedOperators>,
    /// Reads credentials, and connects operators with them.
    pub connector: Arc<dyn OperatorConnector>,
    /// All operators of this process, which get those that people connected.
    pub operators: Operators,
    /// Encrypts credentials.
    pub keys: KeyRing,
    /// Limits how long a check takes, and tells the other nodes of changes.
    pub checks: OperatorChecks,
    /// One load at a time.
    pub loading: Arc<Loading>,
}

/// Makes loads follow each other, and asks for the next one.
#[derive(Debug, Default)]
pub struct Loading {
    one_at_a_time: Mutex<()>,
    is_due: Notify,
}

/// What a person typed to connect an operator.
#[derive(Debug)]
pub struct NewConnection {
    /// The account that the operator serves.
    pub account: AccountId,
    /// Its name in the account.
    pub name: OperatorName,
    /// The credentials as the text that is encrypted. It has secrets.
    pub credentials: Credentials,
    /// The entry whose place it takes with its first successful check.
    pub supersedes: Option<ConnectedOperatorId>,
}

/// Credentials that were read from a form. `Debug` hides them.
#[derive(Clone)]
pub struct Credentials {
    connector: &'static str,
    text: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("connector", &self.connector).finish_non_exhaustive()
    }
}

/// What a check found, and the entry after it.
#[derive(Debug)]
pub struct CheckedConnection {
    /// The entry; with other credentials in force than before, if the check accepted some.
    pub operator: ConnectedOperator,
    /// What was found.
    pub report: CheckReport,
    /// Whether credentials came into force.
    pub is_accepted: bool,
}

impl OperatorConnections {
    /// The connectors that people can choose.
    #[must_use]
    pub fn forms(&self) -> &'static [ConnectorForm] {
        self.connector.forms()
    }

    /// The form of a connector.
    #[must_use]
    pub fn form(&self, connector: &str) -> Option<&'static ConnectorForm> {
        self.forms().iter().find(|form| form.connector == connector)
    }

    /// Reads the fields of a form.
    ///
    /// # Errors
    /// Every fault. None repeats a secret.
    pub fn read(
        &self,
        form: &ConnectorForm,
        values: &BTreeMap<String, String>,
    ) -> Result<Credentials, Vec<CredentialFault>> {
        let text = self.connector.read(form, values)?;
        Ok(Credentials { connector: form.connector, text })
    }

    /// The operators of an account, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, account: &AccountId) -> Result<Vec<ConnectedOperator>, StoreError> {
        self.store.connected_operators(Some(account)).await
    }

    /// An operator of this account; `None` if it has none with this id.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        account: &AccountId,
        id: &str,
    ) -> Result<Option<ConnectedOperator>, StoreError> {
        Ok(self.list(account).await?.into_iter().find(|one| one.id.as_str() == id))
    }

    /// The address for the callbacks of an operator, which has a secret.
    #[must_use]
    pub fn callback_url(&self, id: &ConnectedOperatorId) -> String {
        self.connector.callback_url(id)
    }

    /// Stores a new operator, which serves nothing before its check.
    ///
    /// # Errors
    /// [`ConnectOperatorError`].
    pub async fn connect(
        &self,
        new: NewConnection,
        by: &AuditContext,
    ) -> Result<ConnectedOperator, ConnectOperatorError> {
        let NewConnection { account, name, credentials, supersedes } = new;
        // One of the settings would go before it wherever a name is looked up.
        let is_taken = [Mode::Live, Mode::Test].into_iter().any(|mode| {
            let found = self.operators.named_in(mode, &account, name.as_str());
            found.is_some_and(|entry| entry.source == EntrySource::Settings)
        });
        if is_taken {
            return Err(ConnectRefusal::NameTaken.into());
        }
        let id = ConnectedOperatorId::mint();
        let key = self.keys.current();
        let operator = ConnectedOperator {
            credentials: ConnectedOperator::seal(&key, &account, &id, &credentials.text),
            id,
            account,
            name,
            connector: credentials.connector.to_owned(),
            replacement: None,
            routes: ConnectedRoutes::default(),
            supersedes,
            version: 1,
            created_at: by.at,
            checked_at: None,
            retired_at: None,
        };
        self.store.connect_operator(&operator, by).await?;
        Ok(operator)
    }

    /// Checks the credentials that wait for it, or else those in force, without moving money. Those
    /// that the check accepts are in force from then on, on all nodes.
    ///
    /// # Errors
    /// [`ConnectOperatorError`].
    pub async fn check(
        &self,
        operator: ConnectedOperator,
        by: &AuditContext,
    ) -> Result<CheckedConnection, ConnectOperatorError> {
        let waiting = operator.unchecked().filter(|_| operator.retired_at.is_none());
        let checked = waiting.unwrap_or(&operator.credentials);
        let results = match self.open(&operator, checked) {
            Ok(opened) => check_within_time(&*self.checks.clock, &*opened).await,
            Err(fault) => {
                error!(operator = %operator.id, fault, "a connected operator cannot be checked");
                Some(vec![ports::CheckResult {
                    check: "stored credentials".to_owned(),
                    finding: Err("cannot be read; replace them".to_owned()),
                }])
            }
        };
        let report = CheckReport { at: self.checks.clock.now(), results };
        if waiting.is_none() || !report.accepts_credentials() {
            return Ok(CheckedConnection { operator, report, is_accepted: false });
        }
        let accepted = self.change(&operator, OperatorChange::Accept, by).await?;
        Ok(CheckedConnection { operator: accepted, report, is_accepted: true })
    }

    /// Stores other credentials of the same account at the operator. Those in force stay in force
    /// until a check accepts the new ones.
    ///
    /// # Errors
    /// [`ConnectOperatorError`]; [`ConnectRefusal::Changed`] for credentials of another connector.
    pub async fn replace(
        &self,
        operator: &ConnectedOperator,
        credentials: &Credentials,
        by: &AuditContext,
    ) -> Result<ConnectedOperator, ConnectOperatorError> {
        if operator.connector != credentials.connector {
            return Err(ConnectRefusal::Changed.into());
        }
        let key = self.keys.current();
        let ConnectedOperator { account, id, .. } = operator;
        let sealed = ConnectedOperator::seal(&key, account, id, &credentials.text);
        self.change(operator, OperatorChange::Replace(sealed), by).await
    }

    /// Applies a change to an operator as the person saw it, and loads it on every node.
    ///
    /// # Errors
    /// [`ConnectOperatorError`].
    pub async fn change(
        &self,
        operator: &ConnectedOperator,
        change: OperatorChange,
        by: &AuditContext,
    ) -> Result<ConnectedOperator, ConnectOperatorError> {
        let ConnectedOperator { id, version, .. } = operator;
        let changed = self.store.change_connected_operator(id, *version, change, by).await?;
        self.load().await?;
        self.checks.changes.publish(ClusterMessage::ConnectedOperators);
        Ok(changed)
    }

    /// Loads the operators that have credentials in force, and encrypts with the current server key
    /// what an earlier one encrypted. Those that have not changed keep their
    /// connections and circuit breakers. One whose credentials cannot be read is left out: its
    /// payments wait.
    ///
    /// # Errors
    /// Those of the store; then the operators stay as they are.
    pub async fn load(&self) -> Result<(), StoreError> {
        let _only = self.loading.one_at_a_time.lock().await;
        let stored = self.store.connected_operators(None).await?;
        for resealed in stored.iter().filter_map(|one| one.resealed(&self.keys)) {
            self.store.reseal_connected_operator(&resealed).await?;
        }
        let before = self.operators.connected();
        let loaded = stored.into_iter().filter_map(|stored| {
            let known = before.iter().find(|one| is_same_connection(&one.stored, &stored));
            let entry = match known {
                Some(known) => known.entry.clone(),
                None => self.entry(&stored)?,
            };
            Some(LoadedOperator { stored, entry })
        });
        self.operators.replace_connected(loaded.collect());
        Ok(())
    }

    /// Asks for a load, because another node has changed something.
    pub fn request_load(&self) {
        self.loading.is_due.notify_one();
    }

    /// Returns when a load was asked for.
    pub async fn load_requested(&self) {
        self.loading.is_due.notified().await;
    }

    fn entry(&self, stored: &ConnectedOperator) -> Option<Arc<OperatorEntry>> {
        let credentials = stored.in_force()?;
        let operator = self.open(stored, credentials).inspect_err(|fault| {
            error!(operator = %stored.id, fault, "a connected operator cannot be used");
        });
        Some(Arc::new(OperatorEntry {
            source: EntrySource::Dashboard(stored.id.clone()),
            accounts: Some(vec![stored.account.clone()]),
            is_draining: stored.retired_at.is_some(),
            ..OperatorEntry::new(stored.pin(), Mode::Live, operator.ok()?)
        }))
    }

    fn open(
        &self,
        stored: &ConnectedOperator,
        credentials: &EncryptedSecret,
    ) -> Result<Arc<dyn ports::Operator>, String> {
        let text = stored.unseal(&self.keys, credentials);
        let text = text.ok_or("no server key that is there decrypts its credentials")?;
        self.connector.connect(stored, &text)
    }
}

/// Whether the connection of one may be used for the other.
fn is_same_connection(one: &ConnectedOperator, other: &ConnectedOperator) -> bool {
    one.id == other.id
        && one.account == other.account
        && one.connector == other.connector
        && one.in_force() == other.in_force()
        && one.retired_at == other.retired_at
}
