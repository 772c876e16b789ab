//! The connector to pawaPay over the emulator.

mod account;
mod callbacks;
pub mod codes;
mod faults;
mod outcomes;
mod statements;

use super::rig::{Rig, order};
use std::sync::Arc;
use tua_contract::Network;
use tua_domain::{Kind, ports::Order};
use tua_emulator::{Call, Operator as Emulated, PawapayCredentials};
use tua_operators::pawapay::{PawaPay, settings::Settings, signatures::SigningKey};

pub(super) const PAWAPAY: Emulated = Emulated::PAWAPAY;

pub(super) const CALLBACK_URL: &str = "https://pay.example/callbacks/pawapay/secret";

pub(super) fn settings() -> Settings {
    let accepted = PawapayCredentials::default();
    let key = SigningKey::new(&accepted.signing_key, &accepted.signing_key_id).unwrap();
    Settings {
        api_token: accepted.api_token.into(),
        signing_key: Some(Arc::new(key)),
        signed_callbacks: true,
    }
}

pub(super) fn connect(rig: &Rig) -> PawaPay {
    connect_with(rig, settings(), CALLBACK_URL)
}

pub(super) fn connect_with(rig: &Rig, settings: Settings, callback_url: &str) -> PawaPay {
    let connection = rig.connection(&rig.emulator.base_url(PAWAPAY));
    PawaPay::new(settings, connection, callback_url.to_owned())
}

pub(super) fn charge(network: Network, phone: &str) -> Order {
    order(Kind::Charge, network, phone)
}

pub(super) fn payout(network: Network, phone: &str) -> Order {
    order(Kind::Payout, network, phone)
}

fn requests(rig: &Rig, call: Call) -> u64 {
    rig.emulator.requests().of_call(PAWAPAY, call)
}
