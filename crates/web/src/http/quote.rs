//! `POST /v1/quote`: what a payment would cost now (docs/reference/quotes.md).

use super::{
    access, auth, auth::Authenticated, body::JsonBody, charge, problem::ApiError,
    state::BodyTimeout,
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tua_api::{
    resources::QuoteView,
    values::{Amount, Currency, Network, PaymentType},
};
use tua_contract::ErrorCode;
use tua_domain::{Caller, Checkout, KeyScope, Kind, ports::BeginError, transfer::TransferTerms};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Networks;
use utoipa::ToSchema;

/// A payment whose price is asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QuoteRequest {
    r#type: PaymentType,
    amount: Amount,
    network: Network,
    currency: Option<Currency>,
}

/// A charge of the token's checkout whose price is asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CheckoutQuoteRequest {
    network: Network,
    r#type: Option<PaymentType>,
    /// The amount of the session. Any other amount is refused.
    amount: Option<Amount>,
    currency: Option<Currency>,
}

/// Shows what a payment would cost. Begins nothing and stores nothing.
pub(super) async fn create_quote(
    State(networks): State<Networks>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(access::CREATE_QUOTE)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let object = body.object()?;
    let terms = match &caller {
        Caller::Key(key) => {
            let terms = object.read::<QuoteRequest>()?.terms();
            let scope =
                if terms.kind == Kind::Charge { KeyScope::Collect } else { KeyScope::Payout };
            auth::require_scope(key, &[scope])?;
            terms
        }
        Caller::Token(checkout) => CheckoutQuoteRequest::read(object, checkout)?.terms(checkout),
    };
    let is_by_payer = matches!(caller, Caller::Token(_));
    let quote =
        networks.quote(caller.scope(), terms, is_by_payer).map_err(BeginError::Unroutable)?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(QuoteView::new(&quote, &caller)))
        .into_response())
}

impl QuoteRequest {
    fn terms(self) -> TransferTerms {
        let Currency::Ghs = self.currency.unwrap_or_default();
        TransferTerms { kind: self.r#type.0, network: self.network.0, amount: self.amount.0 }
    }
}

impl CheckoutQuoteRequest {
    fn read(object: JsonObject<'_>, checkout: &Checkout) -> Result<Self, ApiError> {
        let is_charge = |asked: &PaymentType| match asked.0 {
            Kind::Charge => Ok(()),
            Kind::Payout => Err(Refusal::new(
                ErrorCode::FieldNotAllowed,
                "A checkout token may ask about a CHARGE only.",
            )),
        };
        let is_due = charge::is_due(checkout.terms.amount);
        Ok(object.require("amount", is_due).require("type", is_charge).read()?)
    }

    fn terms(self, checkout: &Checkout) -> TransferTerms {
        let Currency::Ghs = self.currency.unwrap_or_default();
        let kind = self.r#type.map_or(Kind::Charge, |asked| asked.0);
        let amount = self.amount.map_or(checkout.terms.amount, |amount| amount.0);
        TransferTerms { kind, network: self.network.0, amount }
    }
}
