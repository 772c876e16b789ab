//! `POST /v1/submit-otp` (docs/reference/endpoints.md).

use super::{
    auth::{Authenticated, visible_transaction},
    body::JsonBody,
    fields::Fields,
    idempotent::{self, Made},
    openapi::schemas,
    problem::{ApiError, internal},
    values,
    view::{Outcome, TransactionView},
};
use crate::{
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
use std::{borrow::Cow, sync::Arc};
use tua_contract::{Code, State as Standing};
use utoipa::ToSchema;

/// What a passcode or voucher is submitted with (docs/reference/endpoints.md).
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described by it: `parse` takes these fields one by one")]
pub(super) struct CodeRequest {
    /// The transaction that waits for it.
    transaction_id: String,
    otp: schemas::Otp,
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
    let (id, code) = parse(&mut Fields::new(body.members()?))?;
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

/// Which transaction, and the code.
pub(super) fn parse(fields: &mut Fields<'_>) -> Result<(String, Code), ApiError> {
    let id = fields.required("transactionId", values::id);
    let code = fields.required("otp", values::otp);
    fields.finish()?;
    id.zip(code).ok_or_else(internal)
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
