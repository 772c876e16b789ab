//! Balances, and the holders of wallets.

use super::{access::Authorized, platform::Product, responses::error};
use crate::{
    phase::{Failure, Kind},
    protocol::Shared,
    script::{Outcome, Script},
    wire::{FAMILY_NAME, GIVEN_NAME, Refusal, pesewas_text, respond},
};
use axum::{
    Extension,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde_json::json;

/// `GET /{product}/v1_0/account/balance`: the merchant's balance on the platform.
pub(super) async fn balance(State(shared): State<Shared>, authorized: Authorized) -> Response {
    let pesewas = shared.orders().float_pesewas(authorized.platform.0);
    let body = json!({
        "availableBalance": pesewas_text(pesewas),
        "currency": authorized.environment.currency(),
    });
    respond(StatusCode::OK, body)
}

/// `GET /{product}/v1_0/account/balance/{currency}`: the same in the currency of the environment.
pub(super) async fn balance_in(
    shared: State<Shared>,
    authorized: Authorized,
    Path(currency): Path<String>,
) -> Result<Response, Refusal> {
    if currency == authorized.environment.currency() {
        Ok(balance(shared, authorized).await)
    } else {
        Err(error(StatusCode::INTERNAL_SERVER_ERROR, "INVALID_CURRENCY", "Currency not supported."))
    }
}

fn has_wallet(number: &str) -> bool {
    Script::by_last_four(number, Kind::Charge).outcome != Outcome::Failure(Failure::NotFound)
}

/// `GET /{product}/v1_0/accountholder/msisdn/{number}/basicuserinfo`: the holder of a wallet.
pub(super) async fn basic_user_info(
    _: Authorized,
    Path(number): Path<String>,
) -> Result<Response, Refusal> {
    if !has_wallet(&number) {
        return Err(error(
            StatusCode::NOT_FOUND,
            "RESOURCE_NOT_FOUND",
            "Requested resource was not found.",
        ));
    }
    let body = json!({
        "given_name": GIVEN_NAME,
        "family_name": FAMILY_NAME,
        "birthdate": "1990-01-01",
        "locale": "en_GH",
        "gender": "F",
    });
    Ok(respond(StatusCode::OK, body))
}

/// `GET /{product}/v1_0/accountholder/{id_type}/{id}/active`. Clients disagree whether the answer
/// is an object or a bare boolean, so each product answers in one of the two ways.
pub(super) async fn active(
    _: Authorized,
    Extension(product): Extension<Product>,
    Path((_, id)): Path<(String, String)>,
) -> Response {
    let is_active = has_wallet(&id);
    let body = if product == Product::Collection {
        json!({"result": is_active})
    } else {
        json!(is_active)
    };
    respond(StatusCode::OK, body)
}
