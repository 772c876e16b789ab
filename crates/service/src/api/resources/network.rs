//! Networks as responses show them.

use super::format::maybe_exact;
use crate::{
    api::values,
    domain::{capabilities::Availability, routing::NetworkService},
};
use serde::Serialize;
use tua_contract::{Amount, Network};
use utoipa::ToSchema;

/// How the networks are served.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Networks)]
pub(crate) struct NetworksView {
    /// MTN, TELECEL and AIRTELTIGO, in this order.
    pub(crate) data: Vec<NetworkView>,
}

/// How a network is served.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetworkServices)]
pub(crate) struct NetworkView {
    #[schema(value_type = values::Network)]
    network: &'static str,
    charge: ServiceView,
    payout: ServiceView,
}

/// How a network is served for the charges of payers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CheckoutNetwork)]
pub(crate) struct PayersNetworkView {
    #[schema(value_type = values::Network)]
    network: &'static str,
    /// DOWN: a charge on this network would be refused now.
    #[schema(value_type = values::NetworkStatus)]
    status: &'static str,
}

/// How a network is served in one direction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetworkService)]
struct ServiceView {
    /// OPERATIONAL: as usual. DEGRADED: slower, or by a later choice. DOWN: not now, or not at all.
    #[schema(value_type = values::NetworkStatus)]
    status: &'static str,
    /// The smallest amount in GHS. Null where nobody serves the network.
    #[serde(serialize_with = "maybe_exact")]
    #[schema(required, value_type = Option<values::Amount>)]
    min: Option<Amount>,
    /// The largest amount in GHS. Null where nobody serves the network.
    #[serde(serialize_with = "maybe_exact")]
    #[schema(required, value_type = Option<values::Amount>)]
    max: Option<Amount>,
}

impl NetworksView {
    pub(crate) fn new(services: [(Network, NetworkService, NetworkService); 3]) -> Self {
        let view = |(network, charges, payouts): (Network, NetworkService, NetworkService)| NetworkView {
            network: network.as_str(),
            charge: charges.into(),
            payout: payouts.into(),
        };
        Self { data: services.map(view).into() }
    }
}

impl From<(Network, Availability)> for PayersNetworkView {
    fn from((network, availability): (Network, Availability)) -> Self {
        Self { network: network.as_str(), status: availability.as_str() }
    }
}

impl From<NetworkService> for ServiceView {
    fn from(service: NetworkService) -> Self {
        Self {
            status: service.availability.as_str(),
            min: service.amounts.as_ref().map(|amounts| *amounts.start()),
            max: service.amounts.map(|amounts| *amounts.end()),
        }
    }
}
