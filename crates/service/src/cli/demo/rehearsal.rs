//! The operators of `tua demo --live-rehearsal`: the real connectors call an emulator in this
//! process.

use crate::{Running, cli::emulator_settings};
use std::net::SocketAddr;
use tokio::net::TcpListener;
use toml::Table;
use tua_config::RawSettings;
use tua_domain::routing::OperatorName;
use tua_emulator::{Emulator, Operator, Settings};
use tua_use_cases::callbacks::callback_path;

/// The emulator of a rehearsal.
pub(super) struct Rehearsal {
    emulator: tua_emulator::Running,
}

impl Rehearsal {
    /// Starts the emulator on this address.
    pub(super) async fn start(address: SocketAddr) -> Result<Self, String> {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            format!("operators-listen {address}: {error}; choose another with --operators-listen")
        })?;
        let emulator =
            Emulator::start(listener, Settings::default()).map_err(|error| error.to_string())?;
        Ok(Self { emulator })
    }

    /// The page on which a person approves, declines and delays orders.
    pub(super) fn page(&self) -> String {
        format!("http://{}", self.emulator.address())
    }

    /// The settings with the emulator's operators and routes for live keys.
    pub(super) fn settings(&self, settings: RawSettings) -> Result<RawSettings, String> {
        let printed: Table =
            emulator_settings::toml(&self.page()).parse().map_err(|error| format!("{error}"))?;
        let table = |key: &str| printed.get(key).and_then(toml::Value::as_table).cloned();
        Ok(RawSettings { operators: table("operators"), routes: table("routes"), ..settings })
    }

    /// Tells the emulated operators where their callbacks go, as a merchant does in their
    /// dashboards.
    pub(super) fn connect(&self, running: &Running) {
        for entry in running.gateway.operators.entries() {
            if let Some(emulated) = emulated(&entry.pin.name) {
                let path = callback_path(entry.unique_name(), &running.idempotency.keys);
                self.emulator.set_callback_url(emulated, format!("{}{path}", running.public_url()));
            }
        }
    }

    /// Stops the emulator, whose orders are lost.
    pub(super) async fn stop(self) {
        self.emulator.stop().await;
    }
}

/// The emulated operator with this name in the printed settings.
fn emulated(name: &OperatorName) -> Option<Operator> {
    match name.as_str() {
        "mtn" => Some(Operator::MTN_MOMO),
        name => Operator::parse(name),
    }
}
