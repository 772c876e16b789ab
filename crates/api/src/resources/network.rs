//! Networks as responses show them.

use super::format::{optional_json_number, optional_pesewas_as_cedis};
use crate::values;
use serde::Serialize;
use std::collections::BTreeMap;
use tua_contract::{Amount, Network};
use tua_domain::{
    quote::NetworkForPayers,
    routing::{NetworkEnd, NetworkService},
};
use utoipa::ToSchema;

/// How the networks are served.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Networks)]
pub struct NetworksView {
    /// MTN, TELECEL and AIRTELTIGO, in this order.
    pub data: Vec<NetworkView>,
}

/// How a network is served.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NetworkServices)]
pub struct NetworkView {
    #[schema(value_type = values::Network)]
    network: &'static str,
    /// Whether the network has ended, so that no new payment can begin on it any more. It is DOWN
    /// in both directions.
    ended: bool,
    /// The network that it became a part of, whose payments its new payments are. Null for the
    /// others.
    #[schema(required, value_type = Option<values::Network>)]
    moved_to: Option<&'static str>,
    charge: ServiceView,
    payout: ServiceView,
}

/// How a network is served for the charges of payers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckoutNetwork)]
pub struct PayersNetworkView {
    #[schema(value_type = values::Network)]
    network: &'static str,
    /// DOWN: a charge on this network would be refused now.
    #[schema(value_type = values::NetworkStatus)]
    status: &'static str,
    /// Whether the network has ended: its numbers go on with another network, which the payer
    /// chooses.
    ended: bool,
    /// The fee that the payer bears. Null without one.
    #[serde(serialize_with = "optional_pesewas_as_cedis")]
    #[schema(required, value_type = Option<values::Fee>)]
    fee: Option<i64>,
    /// What the payer would pay now: the amount, and the fee that the payer bears. Null where no
    /// charge can begin.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    payer_pays: Option<Amount>,
    /// The operator's instructions for a payer who sees no prompt: plain text by language, at most
    /// 300 characters each. Null where the operator has none.
    #[schema(required, examples(json!({
        "en": "Dial *170# on your phone. Choose My Wallet, then My Approvals.",
    })))]
    prompt_instructions: Option<BTreeMap<String, String>>,
}

/// How a network is served in one direction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetworkService)]
struct ServiceView {
    /// OPERATIONAL: as usual. DEGRADED: slower, or by a later choice. DOWN: not now, or not at all.
    #[schema(value_type = values::NetworkStatus)]
    status: &'static str,
    /// The smallest amount in GHS. Null where nobody serves the network.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    min: Option<Amount>,
    /// The largest amount in GHS. Null where nobody serves the network.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    max: Option<Amount>,
}

impl NetworksView {
    /// What payers and merchants see of each network: its charges, then its payouts.
    pub fn new(services: [(Network, NetworkService, NetworkService); 3]) -> Self {
        let view =
            |(network, charges, payouts): (Network, NetworkService, NetworkService)| NetworkView {
                network: network.as_str(),
                ended: charges.network_end == Some(NetworkEnd::Retired),
                moved_to: match charges.network_end {
                    Some(NetworkEnd::MovedTo(other)) => Some(other.as_str()),
                    Some(NetworkEnd::Retired) | None => None,
                },
                charge: charges.into(),
                payout: payouts.into(),
            };
        Self { data: services.map(view).into() }
    }
}

impl PayersNetworkView {
    /// A network for the charges of a session with this amount.
    pub fn new(served: NetworkForPayers, amount: Amount) -> Self {
        let NetworkForPayers { network, end, availability, price, prompt_instructions } = served;
        Self {
            network: network.as_str(),
            status: availability.as_str(),
            ended: end == Some(NetworkEnd::Retired),
            fee: price.map(|price| price.payers_fee_pesewas(amount)).filter(|fee| *fee > 0),
            payer_pays: price.map(|price| price.payer_pays),
            prompt_instructions: (!prompt_instructions.is_empty())
                .then(|| prompt_instructions.into_texts()),
        }
    }
}

impl From<NetworkService> for ServiceView {
    fn from(service: NetworkService) -> Self {
        Self {
            status: service.availability.as_str(),
            min: service.permitted_range.as_ref().map(|range| *range.start()),
            max: service.permitted_range.map(|range| *range.end()),
        }
    }
}
