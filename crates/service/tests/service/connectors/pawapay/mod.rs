//! pawaPay.

mod account;
mod callbacks;
mod faults;
mod outcomes;
mod statements;

use super::rig::{Rig, order};
use std::sync::Arc;
use tua_contract::Network;
use tua_emulator::{Call, Credentials, Operator as Emulated};
use tua_service::{
    domain::{Kind, ports::Order},
    operators::pawapay::{PawaPay, settings::Settings, signatures::SigningKey},
};

const CALLBACK_URL: &str = "https://pay.example/callbacks/pawapay/secret";

fn settings() -> Settings {
    let accepted = Credentials::default();
    let key = SigningKey::new(&accepted.pawapay_signing_key, &accepted.pawapay_signing_key_id).unwrap();
    Settings { api_token: accepted.pawapay_api_token.into(), signing_key: Some(Arc::new(key)), signed_callbacks: true }
}

fn connect(rig: &Rig) -> PawaPay {
    connect_with(rig, settings(), CALLBACK_URL)
}

fn connect_with(rig: &Rig, settings: Settings, callback_url: &str) -> PawaPay {
    let connection = rig.connection(&rig.emulator.base_url(Emulated::Pawapay));
    PawaPay::new(settings, connection, callback_url.to_owned())
}

fn charge(network: Network, phone: &str) -> Order {
    order(Kind::Charge, network, phone)
}

fn payout(network: Network, phone: &str) -> Order {
    order(Kind::Payout, network, phone)
}

fn requests(rig: &Rig, call: Call) -> u64 {
    rig.emulator.requests().of_call(Emulated::Pawapay, call)
}
