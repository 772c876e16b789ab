//! pawaPay Merchant API, version 2: deposits, payouts and refunds in Ghana.

mod access;
mod config;
mod control;
mod initiate;
mod key;
mod outcomes;
mod provider;
mod providers;
mod refund;
mod request;
mod responses;
mod settings;
mod sign;
mod signatures;
mod state;
mod statement_file;
mod statements;
mod status;
mod verify;

pub use provider::{Operation, ProviderStatus};
pub use settings::{PawapayCredentials, PawapaySettings, SignatureEncoding};
pub(crate) use state::Pawapay;

use provider::PLATFORM;
use responses::FORMAT;

use crate::{
    callback::Callback,
    chaos::WireFormat,
    control::{Chosen, Control},
    extract::{nest, with_fallbacks},
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    protocol::{Context, Protocol, Shared},
    settings::Settings,
    wire::json_header,
};
use axum::{
    Router,
    routing::{get, post},
};
use std::{sync::Arc, time::Duration};

impl Protocol for Pawapay {
    fn operator(&self) -> Operator {
        Operator::PAWAPAY
    }

    fn format(&self) -> &'static WireFormat {
        &FORMAT
    }

    fn routes(self: Arc<Self>, shared: &Shared) -> Router {
        let guard = |call, routes| guard(shared, &*self, call, routes);
        let status = Router::new()
            .route("/v2/deposits/{id}", get(status::deposit))
            .route("/v2/payouts/{id}", get(status::payout))
            .route("/v2/refunds/{id}", get(status::refund));
        let payout = Router::new()
            .route("/v2/payouts", post(initiate::payout))
            .route("/v2/payouts/bulk", post(initiate::bulk_payouts));
        let other = Router::new()
            .route("/v2/deposits/resend-callback/{id}", post(control::resend_deposit))
            .route("/v2/payouts/resend-callback/{id}", post(control::resend_payout))
            .route("/v2/refunds/resend-callback/{id}", post(control::resend_refund))
            .route("/v2/payouts/fail-enqueued/{id}", post(control::cancel_payout))
            .route("/v2/refunds/fail-enqueued/{id}", post(control::cancel_refund))
            .route("/v2/active-conf", get(config::active_conf))
            .route("/v2/availability", get(config::availability))
            .route("/v2/predict-provider", post(config::predict_provider))
            .route("/v2/wallet-balances", get(config::wallet_balances))
            .route("/v2/public-key/http", get(sign::public_keys))
            .route("/v2/statements", post(statements::create))
            .route("/v2/statements/{id}", get(statements::read))
            .route("/downloads/{file}", get(statements::download));
        let routes = Router::new()
            .merge(guard(Call::Send, Router::new().route("/v2/deposits", post(initiate::deposit))))
            .merge(guard(Call::Status, status))
            .merge(guard(Call::Payout, payout))
            .merge(guard(Call::Refund, Router::new().route("/v2/refunds", post(refund::create))))
            .merge(guard(Call::Other, other));
        nest(PLATFORM, with_fallbacks(routes))
            .with_state(Context { shared: shared.clone(), protocol: self })
    }

    fn callback(&self, shared: &Shared, order: &Order) -> Option<Callback> {
        status::callback(shared, order)
    }

    fn sign(
        &self,
        shared: &Shared,
        callback: &Callback,
        body: &[u8],
    ) -> Vec<(&'static str, String)> {
        sign::sign_callback(shared, callback, body).unwrap_or_else(|| vec![json_header()])
    }

    fn is_received(&self, status: u16) -> bool {
        status == 200
    }

    /// For 15 minutes in all. The gaps are not documented.
    fn retry_delay(&self, _: &Settings, attempt: u32) -> Option<Duration> {
        (1..=15).contains(&attempt).then_some(Duration::from_secs(60))
    }

    /// The same lines as those of its API.
    fn statement(&self, shared: &Shared) -> Option<Vec<u8>> {
        statement_file::statement_of_all(shared)
    }

    /// How its providers work.
    fn control(&self) -> Option<Control> {
        Some(providers::control(self))
    }

    fn apply(&self, shared: &Shared, chosen: &Chosen) -> Result<(), &'static str> {
        providers::apply(shared, self, chosen)
    }

    /// Completes the statement with this id.
    fn run_task(&self, shared: &Shared, task: &str) {
        statements::complete(shared, self, task);
    }
}
