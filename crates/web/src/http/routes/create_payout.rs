//! `POST /v1/payout` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        messages::{FOLLOW, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    payment_response,
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use tua_api::{
    resources::TransactionWithMessage,
    values::{Amount, Currency, Email, Metadata, Network, Note, PhoneNumber, Reference},
};
use tua_contract::{ErrorCode::*, State as PaymentState, Step};
use tua_domain::{Caller, Details, KeyScope, Kind, Transfer, instruction::Instruction};
use tua_use_cases::Payments;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Payout];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_payout),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/payout",
        id: "createPayout",
        tag: "Payments",
        summary: "Send money to a wallet",
        description: "Sends money to a wallet. The transaction is on disk before the 202 is sent. \
            A payout never asks for a code.",
        open_to: OpenTo::AnyKey(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::of::<PayoutRequest>(
            "The recipient and the amount.",
            request_examples,
        )),
        responses: &[ResponseSpec::json::<TransactionWithMessage<'static>>(
            "202",
            "Accepted, and on disk. If `nextAction` is APPROVE_IN_DASHBOARD, the \
                payout is not sent before a person approves it.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[FOLLOW])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[InvalidAmount, InvalidPhoneNumber, UnsupportedNetwork, UnsupportedCurrency],
            &[
                TooLong,
                InvalidText,
                InvalidEmail,
                InvalidMetadata,
                AccountSuspended,
                AmountOutOfRange,
                NetworkUnavailable,
            ],
            &[PayoutLimitExceeded],
        ],
    },
};

/// A payout to the wallet with this number.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PayoutRequest {
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
async fn create_payout(
    State(payments): State<Arc<Payments>>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.any_key(SCOPES)?);
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
                ..Details::default()
            },
            payer_pays: None,
        }
    }
}

fn request_examples() -> Examples {
    let body = json!({
        "amount": 5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "payeeNote": "Refund of order 17",
        "email": "ama@example.com",
        "metadata": { "order": 17 },
    });
    vec![("refund", body)]
}

fn response_examples() -> Examples {
    let waits = examples::transaction(
        Kind::Payout,
        tua_contract::Network::Mtn,
        PaymentState::Pending(Step::Wait),
    );
    let unapproved =
        examples::transaction(Kind::Payout, tua_contract::Network::Mtn, PaymentState::UNAPPROVED);
    vec![
        (
            "accepted",
            examples::body_with_message("Accepted. The outcome is not known yet.", &waits),
        ),
        (
            "needsApproval",
            examples::body_with_message(
                "Accepted, not sent. A person must approve this payout. Until then no money moves.",
                &unapproved,
            ),
        ),
    ]
}
