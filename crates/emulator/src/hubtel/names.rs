//! The names under which wallets are registered at Hubtel.

use super::{access::Authorized, responses::camel_error, values::network};
use crate::{
    extract::Query,
    phase::{Failure, Kind},
    script::{Outcome, Script},
    wire::{FAMILY_NAME, GIVEN_NAME, Refusal, respond},
};
use axum::{http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};

/// The wallet whose holder is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerifyQuery {
    channel: String,
    customer_msisdn: String,
}

/// `GET /v2/…/mobilemoney/verify`: the name of a wallet's holder, and its profile.
pub(super) async fn verify(
    _: Authorized,
    Query(query): Query<VerifyQuery>,
) -> Result<Response, Refusal> {
    let mut data = holder(&query)?;
    data["profile"] = "Subscriber".into();
    Ok(respond(StatusCode::OK, json!({"message": "Success", "responseCode": "0000", "data": data})))
}

/// `GET /v1/…/mobilemoney/verify`, which lacks the profile.
pub(super) async fn verify_v1(
    _: Authorized,
    Query(query): Query<VerifyQuery>,
) -> Result<Response, Refusal> {
    let data = holder(&query)?;
    Ok(respond(StatusCode::OK, json!({"message": "Success", "responseCode": "0000", "data": data})))
}

fn holder(query: &VerifyQuery) -> Result<Value, Refusal> {
    let invalid = || camel_error(StatusCode::BAD_REQUEST, "4000", "The channel is invalid");
    network(&query.channel).ok_or_else(invalid)?;
    match Script::by_last_four(&query.customer_msisdn, Kind::Charge).outcome {
        Outcome::Failure(Failure::NotFound) => {
            Err(camel_error(StatusCode::NOT_FOUND, "3000", "The number is not registered"))
        }
        // Network trouble while the holder is looked up.
        Outcome::Failure(Failure::LimitReached) => {
            Err(camel_error(StatusCode::FAILED_DEPENDENCY, "2001", "The network did not answer"))
        }
        _ => {
            let name = format!("{GIVEN_NAME} {FAMILY_NAME}").to_uppercase();
            Ok(json!({"isRegistered": true, "name": name, "status": "active"}))
        }
    }
}
