//! The connector to MTN MoMo over the emulator.

mod access;
pub mod codes;
mod faults;
mod outcomes;

use super::rig::{Rig, order};
use tua_contract::Network;
use tua_domain::{Kind, ports::Order};
use tua_emulator::{Call, MtnCredentials, MtnProductCredentials, Operator as Emulated};
use tua_operators::{
    Environment,
    mtn_momo::{MtnMomo, settings},
};

pub(super) const MTN: Emulated = Emulated::MTN_MOMO;

pub(super) const CALLBACK_URL: &str = "http://127.0.0.1:9/callbacks/mtn/secret";

fn credentials(of: MtnProductCredentials) -> settings::Credentials {
    settings::Credentials {
        user: of.user,
        key: of.key.into(),
        subscription_key: of.subscription_key.into(),
    }
}

pub(super) fn settings(target_environment: &str) -> settings::Settings {
    let accepted = MtnCredentials::default();
    settings::Settings {
        platform: settings::Platform::Legacy,
        target_environment: target_environment.to_owned(),
        collection: Some(credentials(accepted.collection)),
        disbursement: Some(credentials(accepted.disbursement)),
    }
}

pub(super) fn connect(rig: &Rig) -> MtnMomo {
    connect_with(rig, settings("mtnghana"), CALLBACK_URL)
}

pub(super) fn connect_with(rig: &Rig, settings: settings::Settings, callback_url: &str) -> MtnMomo {
    let connection = rig.connection(&rig.emulator.base_url(MTN));
    MtnMomo::new(settings, Environment::Production, connection, callback_url.to_owned())
}

pub(super) fn charge(phone: &str) -> Order {
    order(Kind::Charge, Network::Mtn, phone)
}

pub(super) fn payout(phone: &str) -> Order {
    order(Kind::Payout, Network::Mtn, phone)
}

fn requests(rig: &Rig, call: Call) -> u64 {
    rig.emulator.requests().of_call(MTN, call)
}
