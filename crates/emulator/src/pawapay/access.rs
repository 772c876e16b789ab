//! Checks the API token of requests to the emulated pawaPay.

use super::{responses::failure, settings::PawapayCredentials, state::Pawapay};
use crate::{
    operator::Operator,
    protocol::Context,
    wire::{Refusal, bearer},
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
};

/// A request with the right API token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authorized;

impl FromRequestParts<Context<Pawapay>> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut Parts,
        context: &Context<Pawapay>,
    ) -> Result<Self, Refusal> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            let message = "Authorization header is missing from the request.";
            return Err(failure(StatusCode::UNAUTHORIZED, "NO_AUTHENTICATION", message));
        }
        let token = context
            .shared
            .accepted_credentials::<PawapayCredentials>(Operator::PAWAPAY)
            .map(|credentials| credentials.api_token);
        if token.is_some() && token.as_deref() == bearer(&parts.headers) {
            Ok(Self)
        } else {
            let message = "The API token in the request is invalid.";
            Err(failure(StatusCode::FORBIDDEN, "AUTHENTICATION_ERROR", message))
        }
    }
}
