//! `POST /v1/charge` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        messages::{FOLLOW, LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    payment_response,
    problem::ApiError,
    quality_values::by_preference,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, header},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use tua_api::{
    resources::{TransactionForPayerWithMessage, TransactionWithMessage},
    values::{Amount, Currency, Email, Metadata, Network, Note, PhoneNumber, Reference},
};
use tua_contract::{
    ErrorCode::{self, *},
    FailureCode, State as PaymentState, Step,
};
use tua_domain::{
    Caller, Details, KeyScope, Kind, Transfer, instruction::Instruction, language::LanguageTag,
};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Payments;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

/// The link from a charge that waits for a code to the route that takes it.
const SUBMIT_CODE: LinkSpec = LinkSpec {
    name: "submitCode",
    to: "submitOtp",
    description: "Submit the code, if nextAction is ENTER_OTP or ENTER_VOUCHER.",
    parameters: &[],
    body: Some(r#"{"transactionId":"{$response.body#/transactionId}"}"#),
};

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_charge),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/charge",
        id: "createCharge",
        tag: "Payments",
        summary: "Collect from a payer's wallet",
        description: "Collects money from a wallet. The transaction is on disk before the 202 is \
            sent. The 202 waits at most 2 seconds for the operator's first response. With a \
            checkout token, the session defines amount, reference, e-mail and metadata. A session \
            has at most one charge at a time that is not FAILED, and at most five charges.",
        open_to: OpenTo::AnyKeyOrToken(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::by_credential::<ChargeRequest, CheckoutChargeRequest>(
            "The body with a secret key. With a checkout token, the session defines the \
                amount, which may be left out.",
            request_examples,
        )),
        responses: &[ResponseSpec::json_by_credential::<
            TransactionWithMessage<'static>,
            TransactionForPayerWithMessage<'static>,
        >(
            "202",
            "Accepted, and on disk. `nextAction` says what the transaction waits for. \
                If the operator has refused already, `status` is FAILED.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[FOLLOW, SUBMIT_CODE])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[
                FieldNotAllowed,
                InvalidAmount,
                AmountMismatch,
                QuoteChanged,
                InvalidPhoneNumber,
                UnsupportedNetwork,
            ],
            &[UnsupportedCurrency, TooLong, InvalidText, InvalidEmail, InvalidMetadata],
            &[
                ChargeInProgress,
                LinkInUse,
                CheckoutAlreadyPaid,
                AttemptsExhausted,
                AccountSuspended,
                AmountOutOfRange,
                NetworkUnavailable,
            ],
        ],
    },
};

/// A charge with a secret key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChargeRequest {
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
    /// The payer's e-mail address.
    email: Option<Email>,
    metadata: Option<Metadata>,
}

/// A charge with a checkout token. The session defines everything else.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(examples(json!({ "phoneNumber": "0241234567", "network": "MTN", "payerPays": 10.71 })))]
pub(crate) struct CheckoutChargeRequest {
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
async fn create_charge(
    State(payments): State<Arc<Payments>>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.any_key_or_token(SCOPES)?;
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
                email: request.email.map(Email::into_string),
                metadata: request.metadata.map(|Metadata(text)| text),
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
    pub(crate) fn read(
        object: JsonObject<'_>,
        due: tua_contract::Amount,
    ) -> Result<Self, ApiError> {
        let detail = "A checkout token may not set this field. The checkout defines it.";
        Ok(object.require("amount", is_due(due)).forbid(&SET_BY_CHECKOUT, detail).read()?)
    }

    /// The charge, where the session costs `due`.
    pub(crate) fn instruction(self, due: tua_contract::Amount) -> Instruction {
        let Currency::Ghs = self.currency.unwrap_or_default();
        let amount = self.amount.map_or(due, |amount| amount.0);
        let payer_pays = self.payer_pays.map(|amount| amount.0);
        Instruction::for_checkout(amount, self.phone_number.0, self.network.0)
            .with_payer_pays(payer_pays)
    }
}

fn request_examples() -> Examples {
    let merchants = json!({
        "amount": 10.5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "currency": "GHS",
        "reference": "order-17",
        "payerMessage": "Adom Stores, order 17",
        "payeeNote": "Saturday",
        "email": "ama@example.com",
        "metadata": { "order": 17 },
    });
    vec![("charge", merchants)]
}

fn response_examples() -> Examples {
    let approve = examples::transaction(
        Kind::Charge,
        tua_contract::Network::Mtn,
        PaymentState::Pending(Step::ApproveOnPhone),
    );
    let voucher = examples::transaction(
        Kind::Charge,
        tua_contract::Network::Telecel,
        PaymentState::Pending(Step::EnterVoucher),
    );
    let refused = examples::transaction(
        Kind::Charge,
        tua_contract::Network::Mtn,
        PaymentState::Failed(FailureCode::InsufficientFunds),
    );
    vec![
        (
            "approveOnPhone",
            examples::body_with_message(
                "Started. The payer must approve it on the phone.",
                &approve,
            ),
        ),
        (
            "enterVoucher",
            examples::body_with_message(
                "Started. The payer must create a voucher on the phone and enter it.",
                &voucher,
            ),
        ),
        (
            "failedAtOnce",
            examples::body_with_message(
                "Failed. No money moved. The member failure shows the reason.",
                &refused,
            ),
        ),
    ]
}
