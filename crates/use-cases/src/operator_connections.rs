//! Operators that people of an account connect in the dashboard
//! (docs/reference/operators.md#operators-of-the-dashboard).

use super::operator_checks::{OperatorChecks, check_within_time};
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::{Mutex, Notify};
use tracing::error;
use tua_contract::Network;
use tua_domain::{
    AccountId, ConnectedOperatorId, Kind, Mode,
    audit::AuditContext,
    capabilities::RefundCapability,
    connected_operator::{ConnectRefusal, ConnectedOperator, ConnectedRoutes, OperatorChange},
    credential_field::{ConnectorForm, CredentialFault},
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    ports::{self, ClusterMessage, ConnectOperatorError, OperatorConnector, StoreError},
    routing::{CheckReport, EntrySource, OperatorName, Operators},
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
    /// Encrypts the credentials with the server key.
    pub keys: KeyRing,
    /// Limits how long a check takes, and publishes changes to the other nodes.
    pub checks: OperatorChecks,
    /// One load at a time.
    pub loading: Arc<Loading>,
}

/// Makes loads follow each other, and asks for the next one.
#[derive(Debug, Default)]
pub struct Loading {
    /// Held during a load: the versions of the entries that could not be used, each of which was
    /// logged once.
    pub(super) unusable: Mutex<BTreeMap<ConnectedOperatorId, u32>>,
    pub(super) requested: Notify,
}

/// What a person typed to connect an operator.
#[derive(Debug)]
pub struct NewConnection {
    /// An unused one of [`OperatorConnections::unused_id`].
    pub id: ConnectedOperatorId,
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

/// What a check found.
#[derive(Debug)]
pub struct CheckedConnection {
    /// Each line of the check.
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

    /// The values of the credentials in force that a page may show, by key of their field: the form
    /// of their replacement begins with them.
    #[must_use]
    pub fn shown_values(
        &self,
        form: &ConnectorForm,
        operator: &ConnectedOperator,
    ) -> BTreeMap<String, String> {
        let text = operator.unseal(&self.keys, &operator.credentials);
        text.map(|text| self.connector.shown_values(form, &text)).unwrap_or_default()
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

    /// The identifier that a form returns; where it has none that is free, the account's next one
    /// for this connector, with which the callback address was shown. That stays the same until the
    /// connector is connected or the server key changes: operators answer after days.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn unused_id(
        &self,
        account: &AccountId,
        connector: &str,
        typed: &str,
    ) -> Result<ConnectedOperatorId, StoreError> {
        let all = self.store.connected_operators(None).await?;
        let is_unused = |id: &ConnectedOperatorId| all.iter().all(|one| one.id != *id);
        if let Some(id) = ConnectedOperatorId::parse(typed).filter(is_unused) {
            return Ok(id);
        }
        let own = all.iter().filter(|one| one.account == *account && one.connector == connector);
        let mut last = own.map(|one| one.id.as_str()).max().unwrap_or(account.as_str()).to_owned();
        loop {
            let message = format!("tua: the {connector} of {account} after {last}");
            let digest = self.keys.current().authenticate(message.as_bytes());
            let id = ConnectedOperatorId::after(&last, std::array::from_fn(|index| digest[index]));
            if is_unused(&id) {
                return Ok(id);
            }
            last = id.as_str().to_owned();
        }
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
        let NewConnection { id, account, name, credentials, supersedes } = new;
        // One of the settings would go before it wherever a name is looked up.
        let is_taken = [Mode::Live, Mode::Test].into_iter().any(|mode| {
            let found = self.operators.named_in(mode, &account, name.as_str());
            found.is_some_and(|entry| entry.source == EntrySource::Settings)
        });
        if is_taken {
            return Err(ConnectRefusal::NameTaken.into());
        }
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
        let is_unused = operator.retired_at.is_some() && operator.checked_at.is_none();
        let waiting = operator.unchecked().filter(|_| !is_unused);
        let loaded = self.operators.entry_of(&operator.pin());
        if let (None, Some(loaded)) = (waiting, loaded) {
            let report = self.checks.check(&loaded).await;
            return Ok(CheckedConnection { report, is_accepted: false });
        }
        let checked = waiting.unwrap_or(&operator.credentials);
        let results = match self.open(&operator, checked) {
            Ok(opened) => check_within_time(&*self.checks.clock, &*opened).await,
            Err(fault) => {
                error!(operator = %operator.id, fault, "a connected operator cannot be checked");
                let outcome = Err("cannot be read; replace them".to_owned());
                Some(vec![ports::CheckResult::new("stored credentials", outcome)])
            }
        };
        let report = CheckReport { at: self.checks.clock.now(), results };
        if waiting.is_none() || !report.accepts_credentials() {
            return Ok(CheckedConnection { report, is_accepted: false });
        }
        let accepted = OperatorChange::Accept(checked.clone());
        self.change(&operator, accepted, by).await?;
        Ok(CheckedConnection { report, is_accepted: true })
    }

    /// Stores other credentials of the same account at the operator. Those in force stay in force
    /// until a check accepts the new ones.
    ///
    /// # Errors
    /// [`ConnectOperatorError`]; [`ConnectRefusal::Changed`] for credentials of another connector;
    /// [`ConnectRefusal::OtherMerchant`] and [`ConnectRefusal::MissingProduct`] where payments of
    /// the credentials in force could not be found with these.
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
        self.compare_with_those_in_force(operator, credentials, &sealed)?;
        self.change(operator, OperatorChange::Replace(sealed), by).await
    }

    /// Refuses credentials with which the payments of those in force cannot be found. Where those
    /// in force cannot be read, nothing is compared.
    fn compare_with_those_in_force(
        &self,
        operator: &ConnectedOperator,
        credentials: &Credentials,
        sealed: &EncryptedSecret,
    ) -> Result<(), ConnectRefusal> {
        let in_force = operator.in_force();
        let in_force = in_force.and_then(|sealed| {
            Some((operator.unseal(&self.keys, sealed)?, self.open(operator, sealed).ok()?))
        });
        let Some((text, before)) = in_force else { return Ok(()) };
        if !self.connector.is_same_merchant(&operator.connector, &text, &credentials.text) {
            return Err(ConnectRefusal::OtherMerchant);
        }
        let before = before.capabilities();
        let after = self.open(operator, sealed).map(|operator| operator.capabilities());
        let has_all = after.is_ok_and(|after| {
            let mut services = before.services.iter();
            services.all(|service| after.amounts(service.network, service.kind).is_some())
                && (before.refunds == RefundCapability::None
                    || after.refunds != RefundCapability::None)
        });
        if has_all { Ok(()) } else { Err(ConnectRefusal::MissingProduct) }
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
        let change = match change {
            OperatorChange::Serve(routes) => OperatorChange::Serve(self.possible(operator, routes)),
            other => other,
        };
        let changed = self.store.change_connected_operator(id, *version, change, by).await?;
        // The change is committed, whatever happens from here on.
        self.checks.changes.publish(ClusterMessage::ConnectedOperators);
        if let Err(error) = self.load().await {
            error!(operator = %changed.id, %error, "a changed operator could not be loaded; trying \
                again");
        }
        // The worker loads what could not be loaded, and encrypts what an earlier key encrypted.
        self.request_load();
        Ok(changed)
    }

    /// Those of the networks and directions that the operator can serve, so that others are not
    /// taken away from an operator that can.
    fn possible(&self, operator: &ConnectedOperator, routes: ConnectedRoutes) -> ConnectedRoutes {
        let Some(entry) = self.operators.entry_of(&operator.pin()) else { return routes };
        let capabilities = entry.operator.capabilities();
        let is_possible =
            |(network, kind): &(Network, Kind)| capabilities.amounts(*network, *kind).is_some();
        routes.iter().filter(is_possible).collect()
    }

    /// Connects an entry with credentials of its own.
    ///
    /// # Errors
    /// One line, which has no credentials.
    pub(super) fn open(
        &self,
        stored: &ConnectedOperator,
        credentials: &EncryptedSecret,
    ) -> Result<Arc<dyn ports::Operator>, String> {
        let text = stored.unseal(&self.keys, credentials);
        let text = text.ok_or("no server key that is there decrypts its credentials")?;
        self.connector.connect(stored, &text)
    }
}
