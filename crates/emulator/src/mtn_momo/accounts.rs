//! Balances, and the holders of wallets.

use super::{access::Authorized, responses::error};
use crate::{
    extract::Path,
    phase::{Failure, Kind},
    protocol::Shared,
    script::{Outcome, Script},
    wire::{FAMILY_NAME, GIVEN_NAME, Refusal, pesewas_text, respond},
};
use axum::{extract::State, http::StatusCode, response::Response};
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

/// `GET /{product}/v1_0/accountholder/{id_type}/{id}/active`. Published clients of disbursements
/// read an object alone, those of collections also a bare boolean: both products answer an object.
pub(super) async fn active(_: Authorized, Path((_, id)): Path<(String, String)>) -> Response {
    respond(StatusCode::OK, json!({"result": has_wallet(&id)}))
}
