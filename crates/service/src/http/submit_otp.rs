//! `POST /v1/submit-otp` (docs/reference/endpoints.md).

use super::{
    auth::{Authenticated, visible_transaction},
    body::JsonBody,
    idempotent::{self, Made},
    problem::ApiError,
    view::{Outcome, TransactionView},
};
use crate::{
    api::values::Otp,
    app::App,
    domain::{
        Caller, Transaction,
        idempotency::{Answer, Fingerprint, Route},
        verification::{self, Verdict},
    },
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::{borrow::Cow, sync::Arc};
use tua_contract::State as Standing;
use utoipa::ToSchema;

/// A passcode or voucher for a transaction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CodeRequest {
    /// The id of the transaction that waits for it.
    pub(super) transaction_id: String,
    pub(super) otp: Otp,
}

/// Passes a passcode or voucher on to the operator.
pub(super) async fn submit_otp(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token()?;
    idempotent::check_key(&headers)?;
    let body = JsonBody::from_request(request, &app).await?;
    let CodeRequest { transaction_id: id, otp: Otp(code) } = body.object()?.read()?;
    let fingerprint = Fingerprint::of(&app.server_key, &[Some(&id), Some(code.expose())]);
    let attempt = idempotent::attempt(&app, &headers, &caller, Route::SubmitOtp, fingerprint);
    let work = {
        let (app, caller, attempt) = (app.clone(), caller.clone(), attempt.clone());
        async move {
            let transaction = visible_transaction(&app, &caller, &id).await?;
            let (transaction, verdict) =
                verification::submit(&app, &caller, &transaction.begun.id, code, attempt).await?;
            answer(&transaction, &verdict, &caller).map(Made::New)
        }
    };
    let revive = async |id: String| answer(&visible_transaction(&app, &caller, &id).await?, &Verdict::Unknown, &caller);
    Ok(idempotent::run(&app, attempt, work, revive).await?.into_response())
}

fn answer(transaction: &Transaction, verdict: &Verdict, caller: &Caller) -> Result<Answer, ApiError> {
    let message = describe(transaction, verdict);
    let view = Outcome { message: &message, transaction: TransactionView::new(transaction, caller) };
    idempotent::answer(StatusCode::OK, &view)
}

fn describe(transaction: &Transaction, verdict: &Verdict) -> Cow<'static, str> {
    match (verdict, transaction.state) {
        (_, Standing::Successful) => "The code was right. The money has moved.".into(),
        (Verdict::Exhausted, _) => "The code was wrong. It was the last attempt. No money moved.".into(),
        (Verdict::Accepted, Standing::Failed(_)) => {
            "The code was right, but the payment failed. The member failure shows the reason.".into()
        }
        (Verdict::Accepted, Standing::Pending(_)) => "The code was right. The outcome is not known yet.".into(),
        (Verdict::Wrong, _) => match transaction.code_attempts_left().unwrap_or(0) {
            1 => "The code was wrong. 1 attempt is left.".into(),
            left => format!("The code was wrong. {left} attempts are left.").into(),
        },
        (Verdict::Unknown, _) => "It is not known yet whether the code was right. Follow the status.".into(),
    }
}
