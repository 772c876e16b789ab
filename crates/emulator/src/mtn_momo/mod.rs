//! MTN MoMo Open API: collections and disbursements, on two platforms that do not share their
//! transactions.

mod access;
mod accounts;
mod outcomes;
mod payments;
mod provisioning;
mod status;

pub(crate) use access::MtnState;
pub(crate) use status::callback;

use crate::{
    guard::guard,
    operator::{Call, Operator},
    state::Shared,
    wire::{Refusal, refuse, respond},
};
use axum::{
    Extension, Router,
    extract::Request,
    http::{StatusCode, header},
    middleware::{Next, from_fn},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;

/// The first segment of the first platform's paths.
pub(crate) const FIRST_PLATFORM: &str = "mtn-momo";
/// The first segment of the new platform's paths.
pub(crate) const NEW_PLATFORM: &str = "mtn-momo-new";

/// The platform that a request reached, by its first segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Platform(pub(crate) &'static str);

/// A product, with a subscription key and tokens of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Product {
    Collection,
    Disbursement,
}

/// The routes of both platforms.
pub(crate) fn routes(shared: &Shared) -> Router<Shared> {
    let new_platform = platform(shared, NEW_PLATFORM).layer(from_fn(refuse_user_agent));
    Router::new()
        .nest(&format!("/{FIRST_PLATFORM}"), platform(shared, FIRST_PLATFORM))
        .nest(&format!("/{NEW_PLATFORM}"), new_platform)
}

fn platform(shared: &Shared, name: &'static str) -> Router<Shared> {
    let guard = |call, routes| guard(shared, Operator::MtnMomo, call, routes);
    let collection = Router::new()
        .merge(guard(
            Call::Send,
            Router::new().route("/v1_0/requesttopay", post(payments::request_to_pay)),
        ))
        .merge(guard(
            Call::Status,
            Router::new().route("/v1_0/requesttopay/{reference}", get(status::charge)),
        ))
        .merge(product(shared))
        .layer(Extension(Product::Collection));
    let disbursement = Router::new()
        .merge(guard(Call::Payout, Router::new().route("/v1_0/transfer", post(payments::transfer))))
        .merge(guard(
            Call::Status,
            Router::new().route("/v1_0/transfer/{reference}", get(status::payout)),
        ))
        .merge(guard(Call::Refund, Router::new().route("/v1_0/refund", post(payments::refund))))
        .merge(guard(
            Call::Status,
            Router::new().route("/v1_0/refund/{reference}", get(status::refund)),
        ))
        .merge(product(shared))
        .layer(Extension(Product::Disbursement));
    let provisioning = Router::new()
        .route("/v1_0/apiuser", post(provisioning::create_user))
        .route("/v1_0/apiuser/{user}", get(provisioning::read_user))
        .route("/v1_0/apiuser/{user}/apikey", post(provisioning::create_key));
    Router::new()
        .nest("/collection", collection)
        .nest("/disbursement", disbursement)
        .merge(guard(Call::Other, provisioning))
        .fallback(unknown_path)
        .layer(Extension(Platform(name)))
}

/// The routes that both products have.
fn product(shared: &Shared) -> Router<Shared> {
    let guard = |call, routes| guard(shared, Operator::MtnMomo, call, routes);
    let token = Router::new()
        .route("/token/", post(access::issue_token))
        .route("/token", post(access::issue_token));
    let accounts = Router::new()
        .route("/v1_0/account/balance", get(accounts::balance))
        .route("/v1_0/account/balance/{currency}", get(accounts::balance_in))
        .route("/v1_0/accountholder/msisdn/{number}/basicuserinfo", get(accounts::basic_user_info))
        .route("/v1_0/accountholder/{id_type}/{id}/active", get(accounts::active));
    guard(Call::Token, token).merge(guard(Call::Other, accounts))
}

/// The gateway of the new platform refuses this client with a page of HTML.
async fn refuse_user_agent(request: Request, next: Next) -> Response {
    let user_agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if !user_agent.contains("python-requests") {
        return next.run(request).await;
    }
    let title = "Microsoft-Azure-Application-Gateway/v2";
    let page = format!(
        "<html><head><title>403 Forbidden</title></head><body><center><h1>403 \
         Forbidden</h1></center><hr>\
         <center>{title}</center></body></html>"
    );
    (StatusCode::FORBIDDEN, Html(page)).into_response()
}

async fn unknown_path() -> Response {
    respond(StatusCode::NOT_FOUND, json!({"statusCode": 404, "message": "Resource not found"}))
}

/// An error of the API itself.
pub(super) fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"code": code, "message": message}))
}
