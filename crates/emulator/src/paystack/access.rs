//! The secret key of Paystack.

use super::{settings::PaystackCredentials, state::Paystack};
use crate::{
    operator::Operator,
    protocol::{Context, Shared},
    wire::{Refusal, bearer, refuse},
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use serde_json::json;

/// A request with the right secret key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authorized;

impl FromRequestParts<Context<Paystack>> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut Parts,
        context: &Context<Paystack>,
    ) -> Result<Self, Refusal> {
        let key = context
            .shared
            .accepted_credentials::<PaystackCredentials>(Operator::PAYSTACK)
            .map(|credentials| credentials.secret_key);
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

/// `live` or `test`, by the kind of the secret key.
pub(super) fn domain(shared: &Shared) -> &'static str {
    let key = shared
        .accepted_credentials::<PaystackCredentials>(Operator::PAYSTACK)
        .map(|credentials| credentials.secret_key);
    if key.is_some_and(|key| key.starts_with("sk_test_")) { "test" } else { "live" }
}
