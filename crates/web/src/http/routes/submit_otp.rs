//! `POST /v1/submit-otp` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    logged_resource::with_resource,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        messages::{FOLLOW, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use std::{borrow::Cow, sync::Arc};
use tua_api::{
    resources::{
        TransactionForCallerWithMessage, TransactionForPayerWithMessage, TransactionWithMessage,
    },
    values::{Otp, reject_control_characters},
};
use tua_contract::{ErrorCode::*, State as PaymentState, Step};
use tua_domain::{KeyScope, Kind, Transaction, TransactionId, verdict::CodeVerdict};
use tua_net::{Client, limits::Limiter};
use tua_use_cases::{CodeChecked, Codes};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, submit_otp),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/submit-otp",
        id: "submitOtp",
        tag: "Payments",
        summary: "Submit a passcode or voucher",
        description: "Passes a code on to the operator. A wrong code is not an HTTP error: the \
            response is 200, and its message says how many attempts are left. The fifth wrong code \
            ends the transaction.",
        open_to: OpenTo::V2KeyOrToken(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::of::<CodeRequest>(
            "The code, and the transaction that waits for it.",
            request_examples,
        )),
        responses: &[ResponseSpec::json_by_credential::<
            TransactionWithMessage<'static>,
            TransactionForPayerWithMessage<'static>,
        >(
            "200",
            "The operator has received the code. `message` and `status` show the \
                result.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[FOLLOW])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[InvalidOtp, InvalidText, TransactionNotFound, VerificationNotExpected],
        ],
    },
};

/// A passcode or voucher for a transaction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CodeRequest {
    /// The id of the transaction that waits for it.
    #[schema(pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$")]
    transaction_id: String,
    otp: Otp,
}

/// Passes a passcode or voucher on to the operator.
async fn submit_otp(
    State(codes): State<Arc<Codes>>,
    State(timeout): State<BodyTimeout>,
    State(limiter): State<Arc<Limiter>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(SCOPES)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let body = body.object()?.require("transactionId", |id: &String| reject_control_characters(id));
    let CodeRequest { transaction_id, otp } = body.read()?;
    limiter.check_wrong_codes(&caller, client.limited_address())?;
    let checked =
        codes.submit(caller.clone(), TransactionId::new(transaction_id), otp.0, key).await?;
    let CodeChecked { transaction, verdict } = &checked.value;
    if !checked.is_replay && verdict.is_wrong() {
        limiter.count_wrong_code(&caller, client.limited_address());
    }
    let message = describe(transaction, *verdict);
    let view = TransactionForCallerWithMessage::new(&message, transaction, &caller);
    let response = idempotent::response(StatusCode::OK, &view, checked.is_replay)?;
    Ok(with_resource(response, transaction.order.id.as_str()))
}

fn describe(transaction: &Transaction, verdict: CodeVerdict) -> Cow<'static, str> {
    match (verdict, transaction.state) {
        (_, PaymentState::Successful) => "The code was right. The money has moved.".into(),
        (CodeVerdict::Exhausted, _) => {
            "The code was wrong. It was the last attempt. No money moved.".into()
        }
        (CodeVerdict::Accepted, PaymentState::Failed(_)) => {
            "The code was right, but the payment failed. The member failure shows the reason."
                .into()
        }
        (CodeVerdict::Accepted, PaymentState::Pending(_)) => {
            "The code was right. The outcome is not known yet.".into()
        }
        (CodeVerdict::Wrong, _) => match transaction.code_attempts_left().unwrap_or(0) {
            1 => "The code was wrong. 1 attempt is left.".into(),
            left => format!("The code was wrong. {left} attempts are left.").into(),
        },
        (CodeVerdict::Unknown, _) => {
            "It is not known yet whether the code was right. Follow the status.".into()
        }
    }
}

fn request_examples() -> Examples {
    vec![("voucher", json!({ "transactionId": examples::TRANSACTION_ID, "otp": "123456" }))]
}

fn response_examples() -> Examples {
    let mut wrong = examples::transaction(
        Kind::Charge,
        tua_contract::Network::Telecel,
        PaymentState::Pending(Step::EnterVoucher),
    );
    wrong.code_attempts = 1;
    let right = examples::transaction(
        Kind::Charge,
        tua_contract::Network::Telecel,
        PaymentState::Successful,
    );
    vec![
        ("right", examples::body_with_message("The code was right. The money has moved.", &right)),
        ("wrong", examples::body_with_message("The code was wrong. 4 attempts are left.", &wrong)),
    ]
}
