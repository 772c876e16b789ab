//! The credentials of Hubtel, and the merchant's accounts in the path.

use super::{responses::error, settings::HubtelCredentials, state::Hubtel};
use crate::{
    operator::Operator,
    protocol::Context,
    wire::{Refusal, basic},
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};

/// A request with the right credentials, for the merchant's own account.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authorized;

impl FromRequestParts<Context<Hubtel>> for Authorized {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut Parts,
        context: &Context<Hubtel>,
    ) -> Result<Self, Refusal> {
        let unauthorized = || error(StatusCode::UNAUTHORIZED, "4101", "Unauthorized");
        let credentials = context
            .shared
            .accepted_credentials::<HubtelCredentials>(Operator::HUBTEL)
            .ok_or_else(unauthorized)?;
        let (id, key) = basic(&parts.headers).ok_or_else(unauthorized)?;
        if id != credentials.api_id || key != credentials.api_key {
            return Err(unauthorized());
        }
        // Both account numbers appear in the path as a segment of their own.
        let accounts = [credentials.pos_sales_id, credentials.prepaid_deposit_id];
        if parts
            .uri
            .path()
            .split('/')
            .any(|segment| accounts.iter().any(|account| account == segment))
        {
            Ok(Self)
        } else {
            let message = "The Business is not fully set up to transact, or the keys are not of \
                this business.";
            Err(error(StatusCode::FORBIDDEN, "4101", message))
        }
    }
}
