//! The connector to Paystack over the emulator.

mod callbacks;
pub mod codes;
mod faults;
mod outcomes;

use super::rig::{Rig, order, sent};
use std::sync::Arc;
use tua_contract::Network;
use tua_domain::{
    Kind,
    ports::{Operator, Order, SentOrder},
};
use tua_emulator::{Call, Operator as Emulated, PaystackCredentials};
use tua_operators::{
    Environment,
    paystack::{Paystack, settings::Settings},
};

pub(super) const PAYSTACK: Emulated = Emulated::PAYSTACK;

pub(super) fn settings() -> Settings {
    Settings {
        secret_key: PaystackCredentials::default().secret_key.into(),
        email_fallback: "payments@shop.example".to_owned(),
    }
}

pub(super) fn connect(rig: &Rig) -> Arc<dyn Operator> {
    connect_with(rig, settings())
}

pub(super) fn connect_with(rig: &Rig, settings: Settings) -> Arc<dyn Operator> {
    let connection = rig.connection(&rig.emulator.base_url(PAYSTACK));
    let callback_url = "https://pay.example/callbacks/paystack/hunter2".to_owned();
    Arc::new(Paystack::new(settings, Environment::Production, connection, callback_url))
}

pub(super) fn charge(network: Network, phone: &str) -> Order {
    order(Kind::Charge, network, phone)
}

pub(super) fn payout(phone: &str) -> Order {
    order(Kind::Payout, Network::Mtn, phone)
}

fn requests(rig: &Rig, call: Call) -> u64 {
    rig.emulator.requests().of_call(PAYSTACK, call)
}

/// A charge that is paid, with the id that Paystack gave it.
async fn paid(rig: &Rig, operator: &Arc<dyn Operator>, phone: &str) -> SentOrder {
    let order = charge(Network::Mtn, phone);
    operator.send(&order, &rig.permit()).await;
    rig.advance(std::time::Duration::from_secs(3));
    let tua_domain::ports::StatusResponse::Known(report) =
        operator.query_status(&sent(&order)).await
    else {
        panic!("no answer")
    };
    SentOrder { operator_transaction_id: report.details.transaction_id, ..sent(&order) }
}
