//! The connector to Hubtel over the emulator.

mod callbacks;
pub mod codes;
mod faults;
mod outcomes;

use super::rig::{Rig, order};
use std::sync::Arc;
use tua_contract::Network;
use tua_domain::{
    Kind,
    ports::{Operator, Order},
};
use tua_emulator::{HubtelCredentials, Operator as Emulated};
use tua_operators::{
    Environment,
    connection::{ConnectionParts, ConnectionSettings},
    connector::{ConnectorSettings, Target},
    hubtel::settings::Settings,
};

pub(super) const HUBTEL: Emulated = Emulated::HUBTEL;

pub(super) fn settings() -> Settings {
    let accepted = HubtelCredentials::default();
    Settings {
        api_id: accepted.api_id,
        api_key: accepted.api_key.into(),
        pos_sales_id: accepted.pos_sales_id,
        prepaid_deposit_id: Some(accepted.prepaid_deposit_id),
    }
}

pub(super) fn connect(rig: &Rig) -> Arc<dyn Operator> {
    connect_with(rig, settings(), "https://pay.example/callbacks/hubtel/hunter2")
}

pub(super) fn connect_with(rig: &Rig, settings: Settings, callback_url: &str) -> Arc<dyn Operator> {
    let connection = ConnectionSettings {
        operator: "tested".to_owned(),
        base_url: rig.emulator.base_url(HUBTEL).parse().unwrap(),
        outbound_proxy: None,
        reads_per_second: None,
        call_timeout: rig.call_timeout,
    };
    let parts =
        ConnectionParts { clock: Arc::new(rig.clock.clone()), recorder: rig.exchanges.clone() };
    let target = Target {
        environment: Environment::Production,
        connection,
        has_own_base_url: true,
        parts,
        callback_url: callback_url.to_owned(),
    };
    settings.connect(target).unwrap()
}

pub(super) fn charge(network: Network, phone: &str) -> Order {
    order(Kind::Charge, network, phone)
}

pub(super) fn payout(phone: &str) -> Order {
    order(Kind::Payout, Network::Mtn, phone)
}

/// Our reference as Hubtel accepts it, without hyphens.
fn as_sent(order: &Order) -> String {
    order.reference.replace('-', "")
}
