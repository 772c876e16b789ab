//! What people stored that only the server keys can decrypt.

use tua_domain::{
    Mode, Scope,
    account_mail_server::AccountMailServer,
    alert_channel::AlertChannel,
    connected_operator::ConnectedOperator,
    ports::{self, AlertChannels, ConnectedOperators, MailServers, StoreError},
};

/// Credentials of operators, addresses of alert channels and mail servers, of all accounts. Secrets
/// of webhook endpoints are encrypted with the server keys too, and are not read here.
#[derive(Clone, Debug)]
pub struct StoredSecrets {
    /// The operators that people connected, with their credentials.
    pub operators: Vec<ConnectedOperator>,
    /// Where alerts are posted, of both modes.
    pub channels: Vec<AlertChannel>,
    /// The mail servers that people configured.
    pub mail_servers: Vec<AccountMailServer>,
}

impl StoredSecrets {
    /// Reads all of them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn read(
        store: &(impl ports::Accounts + AlertChannels + ConnectedOperators + MailServers + ?Sized),
    ) -> Result<Self, StoreError> {
        let operators = store.connected_operators(None).await?;
        let mut channels = Vec::new();
        for account in store.accounts().await? {
            for mode in Mode::ALL {
                let scope = Scope { account: account.id.clone(), mode: *mode };
                channels.extend(store.alert_channels(&scope).await?);
            }
        }
        let mail_servers = store.mail_servers().await?;
        Ok(Self { operators, channels, mail_servers })
    }

    /// Whether nothing is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operators.is_empty() && self.channels.is_empty() && self.mail_servers.is_empty()
    }
}
