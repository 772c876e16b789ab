//! Paystack's amounts, and its names of networks.

use super::responses::invalid;
use crate::{operator::Operator, wire::Refusal};
use serde_json::Value;
use tua_contract::{Amount, Network};

impl Operator {
    /// Paystack Ghana, which charges wallets of three networks.
    pub const PAYSTACK: Self = Self::new("paystack");
}

/// The first segment of the paths.
pub(super) const PLATFORM: &str = Operator::PAYSTACK.as_str();
/// The code, or voucher, that is always right.
pub(super) const RIGHT_CODE: &str = "123456";

/// An amount in pesewas, as a number or as text.
pub(super) fn pesewas(value: Option<&Value>) -> Result<Amount, Refusal> {
    let number = value.and_then(|value| value.as_i64().or_else(|| value.as_str()?.parse().ok()));
    number
        .and_then(|pesewas| Amount::from_pesewas(pesewas).ok())
        .ok_or_else(|| invalid("Invalid Amount Sent"))
}

/// The network of a provider of charges (`mtn`, `vod`, `atl`) or of a recipient (`MTN`, `VOD`,
/// `ATL`).
pub(super) fn network(code: &str) -> Option<Network> {
    match code.to_ascii_lowercase().as_str() {
        "mtn" => Some(Network::Mtn),
        "vod" => Some(Network::Telecel),
        "atl" | "tgo" => Some(Network::AirtelTigo),
        _ => None,
    }
}

/// The code of a network as a bank.
pub(super) const fn bank_code(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN",
        Network::Telecel => "VOD",
        Network::AirtelTigo => "ATL",
    }
}
