//! Balance, networks as banks, names of wallets.

use super::{
    access::Authorized,
    responses::{error, success},
    values::{PLATFORM, bank_code, network},
};
use crate::{
    extract::Query,
    phase::{Failure, Kind},
    protocol::Shared,
    script::{Outcome, Script},
    wire::{FAMILY_NAME, GIVEN_NAME, Refusal, international},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::json;
use tua_contract::Network;

/// `GET /balance`, in pesewas.
pub(super) async fn balance(State(shared): State<Shared>, _: Authorized) -> Response {
    let pesewas = shared.orders().float_pesewas(PLATFORM);
    success("Balances retrieved", json!([{"currency": "GHS", "balance": pesewas}]))
}

const fn bank_id(network: Network) -> u32 {
    match network {
        Network::Mtn => 28,
        Network::Telecel => 66,
        Network::AirtelTigo => 29,
    }
}

/// `GET /bank`: the three networks, whatever the filters.
pub(super) async fn list(_: Authorized) -> Response {
    let banks = Network::ALL.map(|network| {
        let name = match network {
            Network::Mtn => "MTN",
            Network::Telecel => "Telecel",
            Network::AirtelTigo => "ATMoney & Airtel Money",
        };
        json!({
            "id": bank_id(network),
            "name": name,
            "slug": format!("{}-mobile-money", bank_code(network).to_lowercase()),
            "code": bank_code(network),
            "longcode": "",
            "gateway": null,
            "pay_with_bank": false,
            "active": true,
            "country": "Ghana",
            "currency": "GHS",
            "type": "mobile_money",
            "is_deleted": false,
        })
    });
    success("Banks retrieved", json!(banks))
}

/// The account whose holder is asked for.
#[derive(Debug, Deserialize)]
pub(super) struct ResolveQuery {
    account_number: String,
    bank_code: String,
}

/// `GET /bank/resolve`: the name of a wallet's holder.
pub(super) async fn resolve(
    _: Authorized,
    Query(query): Query<ResolveQuery>,
) -> Result<Response, Refusal> {
    let phone = international(&query.account_number);
    let script = Script::by_last_four(&phone, Kind::Charge);
    let is_known = phone.len() == 12 && script.outcome != Outcome::Failure(Failure::NotFound);
    let Some(network) = network(&query.bank_code).filter(|_| is_known) else {
        let message = "Could not resolve account name. Check parameters or try again.";
        return Err(error(StatusCode::UNPROCESSABLE_ENTITY, "invalid_bank_code", message));
    };
    let name = format!("{GIVEN_NAME} {FAMILY_NAME}").to_uppercase();
    let data = json!({
        "account_number": query.account_number,
        "account_name": name,
        "bank_id": bank_id(network),
    });
    Ok(success("Account number resolved", data))
}

/// `GET` and `PUT /integration/payment_session_timeout`: no limit.
pub(super) async fn session_timeout(_: Authorized) -> Response {
    success("Payment session timeout retrieved", json!({"payment_session_timeout": 0}))
}
