//! Connects the settings of a Hubtel account.

use super::{
    connector::Hubtel,
    hosts::{Hosts, SERVICES},
    settings::Settings,
};
use crate::{
    connector::{ConnectorSettings, Target},
    environment::Environment,
};
use std::sync::Arc;
use tua_domain::ports::Operator;
use url::Url;

impl ConnectorSettings for Settings {
    /// The first of Hubtel's hosts. Without a base URL in the settings each service is called on
    /// its own host; with one, all of them are called below it.
    fn default_base_url(&self, _: Environment) -> &str {
        "https://rmp.hubtel.com"
    }

    fn merchant_identity(&self) -> Vec<(&'static str, &str)> {
        let deposit = self.prepaid_deposit_id.as_deref().map(|id| ("prepaid-deposit-id", id));
        [("pos-sales-id", self.pos_sales_id.as_str())].into_iter().chain(deposit).collect()
    }

    fn addresses(&self, base_url: &Url, has_own_base_url: bool) -> Vec<Url> {
        SERVICES.iter().filter_map(|service| service.url(base_url, has_own_base_url).ok()).collect()
    }

    fn accepts_listed_addresses_only(&self) -> bool {
        true
    }

    fn connect(&self, target: Target) -> Result<Arc<dyn Operator>, String> {
        let callback_url = target.callback_url.clone();
        Ok(Arc::new(Hubtel::new(self.clone(), Hosts::connect(target)?, callback_url)))
    }
}
