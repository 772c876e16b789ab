//! What every connector has in common: validated settings, and what they connect to.

use super::{
    connection::{ConnectionParts, ConnectionSettings},
    environment::Environment,
};
use std::{fmt::Debug, num::NonZeroU32, sync::Arc};
use tua_domain::ports::Operator;
use url::Url;

/// The validated settings of one connector.
pub trait ConnectorSettings: Debug + Send + Sync + 'static {
    /// Where the operator's API is, unless the settings name another place.
    fn default_base_url(&self, environment: Environment) -> &str;

    /// What names the merchant's account at the operator, or one of its products, and does not
    /// change with a new key, by key of the settings. Empty where the settings name none.
    fn merchant_identity(&self) -> Vec<(&'static str, &str)> {
        Vec::new()
    }

    /// How many reads a second the operator allows; `None` where it documents no limit. With a
    /// limit, the connector's status reads pass
    /// [`crate::connection::Call::ahead_of_schedule`] on.
    fn reads_per_second(&self) -> Option<NonZeroU32> {
        None
    }

    /// The addresses that are called: the base URL, unless the operator has several.
    fn addresses(&self, base_url: &Url, _has_own_base_url: bool) -> Vec<Url> {
        vec![base_url.clone()]
    }

    /// Whether the operator refuses calls from addresses that it has not listed.
    fn accepts_listed_addresses_only(&self) -> bool {
        false
    }

    /// Connects the operator.
    ///
    /// # Errors
    /// One line, if an HTTP client cannot be built.
    fn connect(&self, target: Target) -> Result<Arc<dyn Operator>, String>;
}

/// What a connector is connected to.
#[derive(Clone, Debug)]
pub struct Target {
    /// Which of the operator's systems.
    pub environment: Environment,
    /// The settings of the HTTP connection.
    pub connection: ConnectionSettings,
    /// Whether the settings name the base URL. Otherwise it is
    /// [`ConnectorSettings::default_base_url`].
    pub has_own_base_url: bool,
    /// What the connections share.
    pub parts: ConnectionParts,
    /// Where the operator's callbacks arrive: `<public URL>/callbacks/<name>/<secret>`.
    pub callback_url: String,
}
