//! `POST /v1/quote`: what a payment would cost now (docs/reference/quotes.md).

use super::create_charge::is_due;
use crate::http::{
    auth::{Authenticated, require_scope},
    body::JsonBody,
    json_response::no_store,
    openapi::{
        errors::BODY,
        examples::Examples,
        messages::{RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
    },
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tua_api::{
    resources::QuoteView,
    values::{Amount, Currency, Network, PaymentType},
};
use tua_contract::ErrorCode::{self, *};
use tua_domain::{
    Caller, Checkout, KeyScope, Kind, ports::BeginError, quote::Quote, sandbox_times::SandboxTimes,
    transfer::TransferTerms,
};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Networks;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs `collect` for a charge, and `payout` for a payout.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Payout];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_quote),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/quote",
        id: "createQuote",
        tag: "Payments",
        summary: "Show what a payment would cost",
        description: "Shows the operator's fee, who bears it, and what the payer would pay, if the \
            payment began now. Begins nothing and stores nothing. A key needs the scope `collect` \
            for a CHARGE, and `payout` for a PAYOUT. With a checkout token, the session defines \
            the amount.",
        open_to: OpenTo::V2KeyOrToken(SCOPES),
        parameters: &[],
        body: Some(RequestBodySpec::by_credential::<QuoteRequest, CheckoutQuoteRequest>(
            "The body with a secret key. With a checkout token, the session defines the \
                amount, which may be left out.",
            request_examples,
        )),
        responses: &[ResponseSpec::json::<QuoteView<'static>>(
            "200",
            "The quote, valid for 5 minutes.",
            response_examples,
        )],
        errors: &[
            BODY,
            &[
                FieldNotAllowed,
                InvalidAmount,
                AmountMismatch,
                InvalidParameter,
                UnsupportedNetwork,
                UnsupportedCurrency,
            ],
            &[AmountOutOfRange, NetworkUnavailable],
        ],
    },
};

/// A payment whose price is asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct QuoteRequest {
    r#type: PaymentType,
    amount: Amount,
    network: Network,
    currency: Option<Currency>,
}

/// A charge of the token's checkout whose price is asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(examples(json!({ "network": "MTN" })))]
struct CheckoutQuoteRequest {
    network: Network,
    r#type: Option<PaymentType>,
    /// The amount of the session. Any other amount is refused.
    amount: Option<Amount>,
    currency: Option<Currency>,
}

/// Shows what a payment would cost. Begins nothing and stores nothing.
async fn create_quote(
    State(networks): State<Networks>,
    State(timeout): State<BodyTimeout>,
    State(sandbox_times): State<SandboxTimes>,
    caller: Authenticated,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(SCOPES)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let object = body.object()?;
    let terms = match &caller {
        Caller::Key(key) => {
            let terms = object.read::<QuoteRequest>()?.terms();
            let scope =
                if terms.kind == Kind::Charge { KeyScope::Collect } else { KeyScope::Payout };
            require_scope(key, &[scope])?;
            terms
        }
        Caller::Token(checkout) => CheckoutQuoteRequest::read(object, checkout)?.terms(checkout),
    };
    let is_phone_typed_by_payer = matches!(caller, Caller::Token(_));
    let quote = networks
        .quote(caller.scope(), terms, is_phone_typed_by_payer)
        .map_err(BeginError::Unroutable)?;
    let expires_at = sandbox_times
        .of(caller.scope(), caller.sandbox_ahead())
        .map_or(quote.expires_at, |time| time.at(quote.expires_at));
    let quote = Quote { expires_at, ..quote };
    Ok(no_store(&QuoteView::new(&quote, &caller)))
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
        let is_due = is_due(checkout.terms.amount);
        Ok(object.require("amount", is_due).require("type", is_charge).read()?)
    }

    fn terms(self, checkout: &Checkout) -> TransferTerms {
        let Currency::Ghs = self.currency.unwrap_or_default();
        let kind = self.r#type.map_or(Kind::Charge, |asked| asked.0);
        let amount = self.amount.map_or(checkout.terms.amount, |amount| amount.0);
        TransferTerms { kind, network: self.network.0, amount }
    }
}

fn request_examples() -> Examples {
    vec![("charge", json!({ "type": "CHARGE", "amount": 120, "network": "MTN" }))]
}

/// Quotes with each bearer of the fee, and without a tariff.
fn response_examples() -> Examples {
    let quote = |fee: Value, payer_pays: Value, merchant_receives: Value| {
        json!({
            "type": "CHARGE",
            "network": "MTN",
            "amount": 120,
            "currency": "GHS",
            "fee": fee,
            "payerPays": payer_pays,
            "merchantReceives": merchant_receives,
            "min": 0.5,
            "max": 5000,
            "operator": "mtn",
            "expiresAt": "2026-11-21T10:05:00.000Z",
        })
    };
    vec![
        ("payerBearsTheFee", quote(json!(1.2), json!(121.2), json!(120))),
        ("merchantBearsTheFee", quote(json!(1.2), json!(120), json!(118.8))),
        ("noTariff", quote(Value::Null, json!(120), Value::Null)),
    ]
}
