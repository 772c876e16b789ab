//! `POST /v1/charge` (docs/reference/endpoints.md).

use super::quality_values::by_preference;
use super::{
    access, auth::Authenticated, body::JsonBody, idempotent, payment_response, problem::ApiError,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, header},
    response::Response,
};
use serde::Deserialize;
use std::sync::Arc;
use tua_api::values::{Amount, Currency, Network, Note, PhoneNumber, Reference};
use tua_contract::ErrorCode;
use tua_domain::{
    Caller, Details, Kind, Transfer, instruction::Instruction, language::LanguageTag,
};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Payments;
use utoipa::ToSchema;

/// A charge with a secret key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChargeRequest {
    amount: Amount,
    phone_number: PhoneNumber,
    network: Network,
    currency: Option<Currency>,
    /// What the payer was told to pay, with the fee if the payer bears it. Any other sum is
    /// refused.
    payer_pays: Option<Amount>,
    reference: Option<Reference>,
    /// A text that the payer sees on the phone.
    payer_message: Option<Note>,
    /// A private note of the merchant.
    payee_note: Option<Note>,
}

/// A charge with a checkout token. The session defines everything else.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CheckoutChargeRequest {
    phone_number: PhoneNumber,
    network: Network,
    currency: Option<Currency>,
    /// The amount of the session. Any other amount is refused.
    amount: Option<Amount>,
    /// What the payer was shown, with the fee if the payer bears it. Any other sum is refused.
    payer_pays: Option<Amount>,
}

/// Members of a charge that a checkout token may not set.
const SET_BY_CHECKOUT: [&str; 6] =
    ["reference", "payerMessage", "payeeNote", "email", "metadata", "returnUrl"];

/// The rule that an amount is that of the checkout.
pub(super) fn is_due(due: tua_contract::Amount) -> impl FnOnce(&Amount) -> Result<(), Refusal> {
    move |amount| {
        if amount.0 == due {
            Ok(())
        } else {
            Err(Refusal::new(
                ErrorCode::AmountMismatch,
                format!("The amount of this checkout is {due}."),
            ))
        }
    }
}

/// Begins a collection from a payer's wallet.
pub(super) async fn create_charge(
    State(payments): State<Arc<Payments>>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.any_key_or_token(access::CREATE_CHARGE)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let object = body.object()?;
    let instruction = match &caller {
        Caller::Key(_) => object.read::<ChargeRequest>()?.into(),
        Caller::Token(checkout) => CheckoutChargeRequest::read(object, checkout.terms.amount)?
            .instruction(checkout.terms.amount),
    };
    let instruction = instruction.with_language(preferred_language(&headers));
    let begun = payments.begin(caller.clone(), instruction, key).await?;
    payment_response::accepted(&begun, &caller)
}

/// The language that the payer's browser asks for first: that of receipts.
fn preferred_language(headers: &HeaderMap) -> Option<LanguageTag> {
    by_preference(headers, header::ACCEPT_LANGUAGE).next().and_then(LanguageTag::parse)
}

impl From<ChargeRequest> for Instruction {
    fn from(request: ChargeRequest) -> Self {
        let Currency::Ghs = request.currency.unwrap_or_default();
        Self {
            transfer: Transfer {
                kind: Kind::Charge,
                amount: request.amount.0,
                network: request.network.0,
                phone: request.phone_number.0,
            },
            reference: request.reference.map(|Reference(text)| text),
            details: Details {
                payer_message: request.payer_message.map(|Note(text)| text),
                payee_note: request.payee_note.map(|Note(text)| text),
                ..Details::default()
            },
            payer_pays: request.payer_pays.map(|amount| amount.0),
        }
    }
}

impl CheckoutChargeRequest {
    /// Reads the charge of a session that costs `due`.
    pub(super) fn read(
        object: JsonObject<'_>,
        due: tua_contract::Amount,
    ) -> Result<Self, ApiError> {
        let detail = "A checkout token may not set this field. The checkout defines it.";
        Ok(object.require("amount", is_due(due)).forbid(&SET_BY_CHECKOUT, detail).read()?)
    }

    /// The charge, where the session costs `due`.
    pub(super) fn instruction(self, due: tua_contract::Amount) -> Instruction {
        let Currency::Ghs = self.currency.unwrap_or_default();
        let amount = self.amount.map_or(due, |amount| amount.0);
        let payer_pays = self.payer_pays.map(|amount| amount.0);
        Instruction::for_checkout(amount, self.phone_number.0, self.network.0)
            .with_payer_pays(payer_pays)
    }
}
