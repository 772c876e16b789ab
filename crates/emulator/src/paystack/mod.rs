//! Paystack Ghana: charges on three networks, transfers, refunds.

mod banks;
mod charges;
mod outcomes;
mod recipients;
mod refunds;
mod transaction;
mod transfers;
mod webhooks;

pub(crate) use recipients::PaystackState;
pub(crate) use webhooks::{dispute, sign, webhook};

use crate::{
    guard::guard,
    operator::{Call, Operator},
    state::Shared,
    wire::{Refusal, bearer, refuse, respond},
};
use axum::{
    Router,
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
    routing::{get, post, put},
};
use serde_json::{Value, json};
use tua_contract::{Amount, Network};

/// The first segment of the paths.
const PLATFORM: &str = Operator::Paystack.as_str();
/// The code, or voucher, that is always right.
const RIGHT_CODE: &str = "123456";

/// The routes of Paystack.
pub(crate) fn routes(shared: &Shared) -> Router<Shared> {
    let guard = |call, routes| guard(shared, Operator::Paystack, call, routes);
    let status = Router::new()
        .route("/charge/{reference}", get(charges::check))
        .route("/transaction/verify/{reference}", get(charges::verify))
        .route("/transfer/verify/{reference}", get(transfers::verify))
        .route("/refund/{id}", get(refunds::read));
    let refund = Router::new()
        .route("/refund", post(refunds::create))
        .route("/refund/retry_with_customer_details/{id}", post(refunds::retry));
    let payout = Router::new()
        .route("/transfer", post(transfers::create))
        .route("/transfer/finalize_transfer", post(transfers::finalize));
    let other = Router::new()
        .route("/refund", get(refunds::list))
        .route("/transaction", get(charges::list))
        .route("/transferrecipient", post(recipients::create))
        .route("/transferrecipient/{id_or_code}", get(recipients::read))
        .route("/transfer/enable_otp", post(recipients::enable_otp))
        .route("/transfer/disable_otp", post(recipients::request_disable_otp))
        .route("/transfer/disable_otp_finalize", post(recipients::disable_otp))
        .route("/balance", get(banks::balance))
        .route("/bank", get(banks::list))
        .route("/bank/resolve", get(banks::resolve))
        .route("/integration/payment_session_timeout", get(banks::session_timeout))
        .route("/integration/payment_session_timeout", put(banks::session_timeout));
    let routes = Router::new()
        .merge(guard(Call::Send, Router::new().route("/charge", post(charges::create))))
        .merge(guard(
            Call::Code,
            Router::new().route("/charge/submit_otp", post(charges::submit_otp)),
        ))
        .merge(guard(Call::Status, status))
        .merge(guard(Call::Payout, payout))
        .merge(guard(Call::Refund, refund))
        .merge(guard(Call::Other, other))
        .fallback(unknown_path);
    Router::new().nest(&format!("/{PLATFORM}"), routes)
}

async fn unknown_path() -> Refusal {
    refuse(StatusCode::NOT_FOUND, json!({"status": false, "message": "Not found"}))
}

/// A request with the right secret key.
#[derive(Clone, Copy, Debug)]
struct Authorized;

impl FromRequestParts<Shared> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let key = shared
            .credentials(Operator::Paystack)
            .map(|credentials| credentials.paystack_secret_key);
        if key.is_some() && key.as_deref() == bearer(&parts.headers) {
            Ok(Self)
        } else {
            Err(refuse(
                StatusCode::UNAUTHORIZED,
                json!({
                    "status": false,
                    "message": "Invalid key",
                    "type": "validation_error",
                    "code": "invalid_Key",
                    "meta": {
                        "nextStep": "Ensure that you provide the correct authorization key \
                        for the request",
                    },
                }),
            ))
        }
    }
}

/// A successful response.
fn success(message: &str, data: Value) -> Response {
    respond(StatusCode::OK, json!({"status": true, "message": message, "data": data}))
}

/// A refusal in Paystack's format.
fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    let meta = json!({"nextStep": "Correct the request, then try again"});
    let body = json!({
        "status": false,
        "message": message,
        "meta": meta,
        "type": "validation_error",
        "code": code,
    });
    refuse(status, body)
}

fn invalid(message: &str) -> Refusal {
    error(StatusCode::BAD_REQUEST, "invalid_params", message)
}

/// An amount in pesewas, as a number or as text.
fn pesewas(value: Option<&Value>) -> Result<Amount, Refusal> {
    let number = value.and_then(|value| value.as_i64().or_else(|| value.as_str()?.parse().ok()));
    number
        .and_then(|pesewas| Amount::from_pesewas(pesewas).ok())
        .ok_or_else(|| invalid("Invalid Amount Sent"))
}

/// The network of a provider of charges (`mtn`, `vod`, `atl`) or of a recipient (`MTN`, `VOD`,
/// `ATL`).
fn network(code: &str) -> Option<Network> {
    match code.to_ascii_lowercase().as_str() {
        "mtn" => Some(Network::Mtn),
        "vod" => Some(Network::Telecel),
        "atl" | "tgo" => Some(Network::AirtelTigo),
        _ => None,
    }
}

/// The code of a network as a bank.
const fn bank_code(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN",
        Network::Telecel => "VOD",
        Network::AirtelTigo => "ATL",
    }
}

/// `live` or `test`, by the kind of the secret key.
fn domain(shared: &Shared) -> &'static str {
    let key =
        shared.credentials(Operator::Paystack).map(|credentials| credentials.paystack_secret_key);
    if key.is_some_and(|key| key.starts_with("sk_test_")) { "test" } else { "live" }
}
