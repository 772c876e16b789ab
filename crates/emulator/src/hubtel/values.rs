//! Hubtel's names of networks, its fees and its ids.

use crate::{
    operator::Operator, order::Order, phase::Kind, protocol::Shared, wire::pesewas_number,
};
use serde_json::Value;
use tua_contract::{Amount, Network};

impl Operator {
    /// Hubtel, which receives and sends money on three networks.
    pub const HUBTEL: Self = Self::new("hubtel");
}

/// The first segment of the paths.
pub(super) const PLATFORM: &str = Operator::HUBTEL.as_str();

/// The network of a channel.
pub(super) fn network(channel: &str) -> Option<Network> {
    match channel {
        "mtn-gh" => Some(Network::Mtn),
        "vodafone-gh" => Some(Network::Telecel),
        "tigo-gh" => Some(Network::AirtelTigo),
        _ => None,
    }
}

/// The channel of a network.
pub(super) const fn channel(network: Network) -> &'static str {
    match network {
        Network::Mtn => "mtn-gh",
        Network::Telecel => "vodafone-gh",
        Network::AirtelTigo => "tigo-gh",
    }
}

/// Hubtel's fee, rounded up to whole pesewas. The payer pays it in addition to the amount.
pub(super) fn fee_pesewas(amount: Amount) -> i64 {
    (amount.pesewas() * FEE_PER_TEN_THOUSAND + 9_999) / 10_000
}

/// Hubtel's fee of 1.95 %.
pub(super) const FEE_PER_TEN_THOUSAND: i64 = 195;

/// A fee as a JSON number in cedis.
pub(super) fn fee(order: &Order) -> Value {
    pesewas_number(fee_pesewas(order.new.amount))
}

/// Amount and fee as a JSON number in cedis.
pub(super) fn with_fee(order: &Order) -> Value {
    pesewas_number(order.new.amount.pesewas() + fee_pesewas(order.new.amount))
}

/// Hubtel's id of a transaction, which is also its order id.
pub(super) fn transaction_id(order: &Order) -> String {
    format!("{:032x}", order.serial)
}

/// Finds an order by Hubtel's id.
pub(super) fn find_by_id(shared: &Shared, kind: Kind, id: &str) -> Option<Order> {
    let serial = i64::from_str_radix(id, 16).ok().filter(|_| id.len() == 32)?;
    shared.orders().find_serial(PLATFORM, kind, serial).cloned()
}
