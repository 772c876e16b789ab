//! A service whose live keys are served by the real connectors, with the emulator as operators.

use crate::{ApiClient, Response, TestApp, binary};
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::HashMap, num::NonZeroU32, path::Path, sync::Arc};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tua_config::{Config, RawSettings};
use tua_domain::{Generation, Mode, exchange::Exchange, ports::ExchangeRecorder, rate_limit::Rate};
use tua_emulator::{ClockMode, Emulator, MtnCredentials, Operator, OrderRow, Settings, Speed};
use tua_net::limits::{Limits, Rates};
use tua_operators::{
    Environment,
    connection::{CALL_TIMEOUT, Connection, ConnectionParts, ConnectionSettings},
    mtn_momo::{self, MtnMomo},
};
use tua_system::clock::OffsetClock;

/// How much faster than real time the emulator is.
const SPEED: &str = "20";

/// A service, an emulator, and a merchant with a live key.
#[derive(Debug)]
pub struct LiveOperators {
    /// The service under test.
    pub app: TestApp,
    /// The emulator of the operators.
    pub emulator: tua_emulator::Running,
    /// A merchant with a live key.
    pub shop: ApiClient,
    /// The settings file, and its folder.
    settings: (String, TempDir),
}

impl LiveOperators {
    /// Live payments of every network go to this operator of the emulated ones.
    pub async fn routed_to(name: &str) -> Self {
        Self::with(&format!(
            "MTN = [\"{name}\"]\nTELECEL = [\"{name}\"]\nAIRTELTIGO = [\"{name}\"]\n"
        ))
        .await
    }

    /// Live payments take these routes.
    pub async fn with(routes: &str) -> Self {
        Self::with_emulator(routes, Settings::default()).await
    }

    /// As [`Self::with`], and the emulator's clock moves only when the test moves it.
    pub async fn with_stopped_emulator(routes: &str) -> Self {
        Self::start(routes, Settings { clock: ClockMode::Manual, ..Settings::default() }).await
    }

    /// As [`Self::with`], and the emulator has these settings, but its own clock.
    pub async fn with_emulator(routes: &str, settings: Settings) -> Self {
        let clock = ClockMode::Running(Speed::parse(SPEED).unwrap());
        Self::start(routes, Settings { clock, ..settings }).await
    }

    async fn start(routes: &str, settings: Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let emulator = Emulator::start(listener, settings).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let settings = settings_of(folder.path(), &address.to_string(), routes);
        let printed = resolve(folder.path(), &settings);
        let app = TestApp::with_clock(
            OffsetClock::default(),
            |config| {
                config.operators = printed.operators.clone();
                config.metrics_listen = Some("127.0.0.1:0".to_owned());
                // A live key lifts `--limits off`.
                let many = Rate::new(1_000, 1).unwrap();
                config.limits = Limits::On(Rates {
                    prompt_live: many,
                    prompt_daily: many,
                    secret_key: many,
                    ..Rates::default()
                });
            },
            |operators| operators,
        )
        .await;
        for (name, operator) in [("paystack", Operator::PAYSTACK), ("pawapay", Operator::PAWAPAY)] {
            emulator.set_callback_url(operator, callback_url(&app, name));
        }
        emulator.set_callback_url(Operator::MTN_MOMO, &app.origin);
        let shop = app.merchant(Mode::Live, Generation::V2).await;
        Self { app, emulator, shop, settings: (settings, folder) }
    }

    /// Restarts the service with other settings of its operators. What is changed begins from the
    /// first settings each time.
    pub async fn reconfigure(&mut self, change: impl FnOnce(&str) -> String) {
        let (settings, folder) = &self.settings;
        self.app.config.operators = resolve(folder.path(), &change(settings)).operators;
        self.app.restart().await;
    }

    /// Begins a charge of the shop.
    pub async fn charge(&self, phone: &str, network: &str) -> Response {
        let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": network });
        self.shop.post("/v1/charge", &body).await
    }

    /// Begins a charge of the shop, and waits until it is final.
    pub async fn charge_to_the_end(&self, phone: &str, network: &str) -> Value {
        let id = self.charge(phone, network).await.is(202).id();
        self.end_of(&id).await
    }

    /// The final status of a transaction. A live key keeps its rate limit, so this waits instead of
    /// polling. Operators that report nothing by themselves are asked after ten seconds: the clock
    /// moves on where nothing is reported at once.
    pub async fn end_of(&self, transaction: &str) -> Value {
        let path = format!("/v1/status/{transaction}");
        for _ in 0..10 {
            let status = self
                .shop
                .send(Method::GET, &path, &[("prefer", "wait=2")], None)
                .await
                .is(200)
                .json();
            if status["status"] != "PENDING" {
                return status;
            }
            self.app.advance(8);
        }
        panic!("still pending: {}", self.shop.status(transaction).await)
    }

    /// Begins a payout of the shop, and waits until it is final.
    pub async fn pay_out_to_the_end(&self, phone: &str, network: &str) -> Value {
        let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": network });
        let id = self.shop.post("/v1/payout", &body).await.is(202).id();
        self.end_of(&id).await
    }

    /// The emulator's orders by the transaction that they belong to. Each transaction has one at
    /// most.
    pub fn orders(&self) -> HashMap<String, OrderRow> {
        let mut orders = HashMap::new();
        for order in self.emulator.orders() {
            let id = tua_domain::TransactionId::of_written_reference(&order.reference).unwrap();
            let earlier = orders.insert(id.as_str().to_owned(), order);
            assert!(earlier.is_none(), "{id} was handed over twice: {earlier:?}");
        }
        orders
    }
}

/// The address of an operator's callbacks.
pub fn callback_url(app: &TestApp, name: &str) -> String {
    let keys = &app.running().idempotency.keys;
    let path = tua_use_cases::callbacks::callback_path(name, keys);
    format!("{}{path}", app.origin)
}

/// The settings that `tua emulate --print-config` prints, with other routes.
fn settings_of(folder: &Path, address: &str, routes: &str) -> String {
    let output = binary::run(folder, &["emulate", "--listen", address, "--print-config"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let (operators, _) = printed.split_once("[routes.live]").unwrap();
    format!("{operators}[routes.live]\n{routes}")
}

fn resolve(folder: &Path, settings: &str) -> Config {
    let path = folder.join("tua.toml");
    std::fs::write(&path, settings).unwrap();
    Config::resolve(RawSettings::default(), None, Some(&path)).unwrap()
}

/// MTN's connector to an emulator, with the credentials that it accepts.
pub fn emulated_mtn(
    emulator: &tua_emulator::Running,
    clock: OffsetClock,
    reads_per_second: NonZeroU32,
) -> MtnMomo {
    let settings = ConnectionSettings {
        operator: "mtn".to_owned(),
        base_url: emulator.base_url(Operator::MTN_MOMO).parse().unwrap(),
        outbound_proxy: None,
        reads_per_second: Some(reads_per_second),
        call_timeout: CALL_TIMEOUT,
    };
    let parts = ConnectionParts { clock: Arc::new(clock), recorder: Arc::new(Unrecorded) };
    let connection = Connection::new(settings, parts).unwrap();
    let collection = MtnCredentials::default().collection;
    let collection = mtn_momo::settings::Credentials {
        user: collection.user,
        key: collection.key.into(),
        subscription_key: collection.subscription_key.into(),
    };
    let settings = mtn_momo::settings::Settings {
        platform: mtn_momo::settings::Platform::Legacy,
        target_environment: "mtnghana".to_owned(),
        collection: Some(collection),
        disbursement: None,
    };
    let callback_url = "http://127.0.0.1:9/callbacks/mtn/secret".to_owned();
    MtnMomo::new(settings, Environment::Production, connection, callback_url)
}

#[derive(Debug)]
struct Unrecorded;

impl ExchangeRecorder for Unrecorded {
    fn record(&self, _: Exchange) {}
}
