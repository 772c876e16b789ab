//! `POST /v1/payout` (docs/reference/endpoints.md).

use super::{
    access, auth::Authenticated, body::JsonBody, idempotent, payment_response, problem::ApiError,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::Response,
};
use serde::Deserialize;
use std::sync::Arc;
use tua_api::values::{Amount, Currency, Email, Metadata, Network, Note, PhoneNumber, Reference};
use tua_domain::{Caller, Details, Kind, Transfer, instruction::Instruction};
use tua_use_cases::Payments;
use utoipa::ToSchema;

/// A payout to the wallet with this number.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PayoutRequest {
    amount: Amount,
    phone_number: PhoneNumber,
    network: Network,
    currency: Option<Currency>,
    reference: Option<Reference>,
    /// A private note of the merchant.
    payer_message: Option<Note>,
    /// A text in the recipient's transaction history.
    payee_note: Option<Note>,
    /// The recipient's e-mail address.
    email: Option<Email>,
    metadata: Option<Metadata>,
}

/// Begins a payment to a recipient's wallet.
pub(super) async fn create_payout(
    State(payments): State<Arc<Payments>>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.any_key(access::CREATE_PAYOUT)?);
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let instruction = body.object()?.read::<PayoutRequest>()?.into();
    let begun = payments.begin(caller.clone(), instruction, key).await?;
    payment_response::accepted(&begun, &caller)
}

impl From<PayoutRequest> for Instruction {
    fn from(request: PayoutRequest) -> Self {
        let Currency::Ghs = request.currency.unwrap_or_default();
        Self {
            transfer: Transfer {
                kind: Kind::Payout,
                amount: request.amount.0,
                network: request.network.0,
                phone: request.phone_number.0,
            },
            reference: request.reference.map(|Reference(text)| text),
            details: Details {
                email: request.email.map(Email::into_string),
                metadata: request.metadata.map(|Metadata(text)| text),
                payer_message: request.payer_message.map(|Note(text)| text),
                payee_note: request.payee_note.map(|Note(text)| text),
                language: None,
            },
            payer_pays: None,
        }
    }
}
