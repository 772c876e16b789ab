//! `POST /v1/submit-otp` (docs/reference/endpoints.md).

use super::{
    access, auth::Authenticated, body::JsonBody, idempotent, problem::ApiError, state::BodyTimeout,
};
use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::Deserialize;
use std::{borrow::Cow, sync::Arc};
use tua_api::{
    resources::{Outcome, TransactionView},
    values::{Otp, reject_control_characters},
};
use tua_contract::State as PaymentState;
use tua_domain::{Transaction, TransactionId, verdict::CodeVerdict};
use tua_net::{Client, limits::Limiter};
use tua_use_cases::{CodeChecked, Codes};
use utoipa::ToSchema;

/// A passcode or voucher for a transaction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CodeRequest {
    /// The id of the transaction that waits for it.
    #[schema(pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$")]
    pub(super) transaction_id: String,
    pub(super) otp: Otp,
}

/// Passes a passcode or voucher on to the operator.
pub(super) async fn submit_otp(
    State(codes): State<Arc<Codes>>,
    State(timeout): State<BodyTimeout>,
    State(limiter): State<Arc<Limiter>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(access::SUBMIT_OTP)?;
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
    let view =
        Outcome { message: &message, transaction: TransactionView::new(transaction, &caller) };
    idempotent::response(StatusCode::OK, &view, checked.is_replay)
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
