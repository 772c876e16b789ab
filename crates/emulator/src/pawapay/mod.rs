//! pawaPay Merchant API, version 2: deposits, payouts and refunds in Ghana.

mod config;
mod control;
mod initiate;
mod outcomes;
mod refund;
mod signatures;
mod statements;
mod status;

pub(crate) use config::PawapayState;
pub(crate) use config::set_provider_status;
pub use config::{Operation, ProviderStatus};
pub(crate) use signatures::sign_callback;
pub(crate) use statements::{complete_statement, statement_of_all};
pub(crate) use status::callback;

use crate::{
    guard::guard,
    operator::{Call, Operator},
    phase::Kind,
    state::Shared,
    wire::{Refusal, bearer, refuse},
};
use axum::{
    Router,
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
    routing::{get, post},
};
use serde_json::json;

/// The first segment of the paths.
const PLATFORM: &str = Operator::Pawapay.as_str();

/// The routes of pawaPay.
pub(crate) fn routes(shared: &Shared) -> Router<Shared> {
    let guard = |call, routes| guard(shared, Operator::Pawapay, call, routes);
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
        .route("/v2/public-key/http", get(signatures::public_keys))
        .route("/v2/statements", post(statements::create))
        .route("/v2/statements/{id}", get(statements::read))
        .route("/downloads/{file}", get(statements::download));
    let routes = Router::new()
        .merge(guard(Call::Send, Router::new().route("/v2/deposits", post(initiate::deposit))))
        .merge(guard(Call::Status, status))
        .merge(guard(Call::Payout, payout))
        .merge(guard(Call::Refund, Router::new().route("/v2/refunds", post(refund::create))))
        .merge(guard(Call::Other, other))
        .fallback(unknown_path);
    Router::new().nest(&format!("/{PLATFORM}"), routes)
}

async fn unknown_path() -> Refusal {
    failure(StatusCode::NOT_FOUND, "NOT_FOUND", "There is no such endpoint.")
}

/// An error in pawaPay's format.
fn failure(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"failureReason": {"failureCode": code, "failureMessage": message}}))
}

/// A request with the right API token.
#[derive(Clone, Copy, Debug)]
struct Authorized;

impl FromRequestParts<Shared> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            let message = "Authorization header is missing from the request.";
            return Err(failure(StatusCode::UNAUTHORIZED, "NO_AUTHENTICATION", message));
        }
        let token =
            shared.credentials(Operator::Pawapay).map(|credentials| credentials.pawapay_api_token);
        if token.is_some() && token.as_deref() == bearer(&parts.headers) {
            Ok(Self)
        } else {
            let message = "The API token in the request is invalid.";
            Err(failure(StatusCode::FORBIDDEN, "AUTHENTICATION_ERROR", message))
        }
    }
}

/// The name of an order's id in JSON.
const fn id_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Charge => "depositId",
        Kind::Payout => "payoutId",
        Kind::Refund => "refundId",
    }
}
