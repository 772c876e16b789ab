//! `POST /pay?key=<token>`: what the page's forms do. The same calls as the API's, then back to the page.

use super::{
    Address, Found, facts,
    form::{Posted, is_foreign},
    hand_over,
    page::Page,
    show,
    trouble::Trouble,
    walk::{Sent, Walk, Wanted},
};
use crate::{
    app::App,
    domain::{
        Caller, TransactionId,
        idempotency::{Attempt, Fingerprint, Route},
        payment::{self, Instruction},
        ports::{BeginError, CountError},
        rate_limit::Exceeded,
        verification::{self, Verdict},
    },
    http::{ApiError, internal},
    net::Client,
};
use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::sync::Arc;
use tracing::Instrument;
use tua_checkout::flow::{Answer, Problem};
use tua_contract::{Code, ErrorCode};

/// What a form came to.
#[derive(Debug)]
enum Outcome {
    /// The session has moved on; its page says where to.
    News,
    /// It is shown again, with what is to be said about it.
    Refused(StatusCode, Option<Box<Answer>>, Option<Exceeded>),
}

/// Does what a payer's form asks for, and goes back to the page; or shows the form again with its faults.
pub async fn take_form(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    address: Address,
    request: Request,
) -> Response {
    if address.is_bare {
        return hand_over::take_over(&app, client, address, request).await;
    }
    let taken = take(&app, client, address.clone(), request).await;
    taken.unwrap_or_else(|trouble| trouble.page(&address))
}

async fn take(app: &Arc<App>, client: Client, mut address: Address, request: Request) -> Result<Response, Trouble> {
    let now = app.clock.now();
    let found = match Found::counted(app, client, address.token.as_ref(), now).await? {
        Some(found) if !found.is_expired => found,
        gone => return Ok(show(address, gone, now).await),
    };
    if is_foreign(request.headers()) {
        return Err(ApiError::new(
            ErrorCode::CredentialNotAllowed,
            "A page of another site sent this form. The form had no effect.",
        )
        .into());
    }
    let posted = Posted::from_request(request, app).await?;
    address.change = matches!(posted, Posted::Change);
    let Some(sent) = posted.sent(found.standing.latest.as_ref()) else { return Ok(back(&address)) };
    let wanted = Walk::sending(found.known(), sent.clone(), now).1;
    match act(app, &found, wanted).await.map_err(Trouble::in_doubt)? {
        Outcome::News => Ok(back(&address)),
        Outcome::Refused(status, answer, exceeded) => {
            let merchant = Some(found.checkout.merchant.clone());
            let mut response =
                Page::of(address, status, merchant).draw(move || refused(&found, sent, answer, now)).await;
            if let Some(Exceeded(standing)) = exceeded {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(standing.reset));
            }
            Ok(response)
        }
    }
}

/// The screen of a form that was refused.
fn refused(found: &Found, sent: Sent, answer: Option<Box<Answer>>, now: jiff::Timestamp) -> Walk {
    let is_again = matches!(sent, Sent::Again(..));
    let (walk, _) = Walk::sending(found.known(), sent, now);
    let walk = match answer {
        Some(answer) => walk.answered(answer),
        None => walk,
    };
    if is_again { walk.without_number() } else { walk }
}

/// To the page of the session as it then stands (RFC 9110, section 15.4.4).
pub(super) fn back(address: &Address) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, address.to_string()), (header::CACHE_CONTROL, "no-store".to_owned())])
        .into_response()
}

async fn act(app: &Arc<App>, found: &Found, wanted: Wanted) -> Result<Outcome, ApiError> {
    match wanted {
        Wanted::News => Ok(Outcome::News),
        Wanted::Faults => Ok(Outcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, None, None)),
        Wanted::Charge(phone, network) => {
            let instruction = Instruction::for_checkout(found.checkout.amount, phone, network);
            charge(app, found.caller(), instruction).await
        }
        Wanted::Code(transaction, code) => {
            let code = Code::parse(&code.0).map_err(|_| internal())?;
            check_code(app, found.caller(), TransactionId::new(transaction), code).await
        }
    }
}

/// As `POST /v1/charge`. A form that is sent twice meets the session's rule of one charge at a time.
async fn charge(app: &Arc<App>, caller: Caller, instruction: Instruction) -> Result<Outcome, ApiError> {
    let work = {
        let app = app.clone();
        async move { payment::begin(&app, &caller, instruction, None).await }
    };
    // In a task of its own, so that it comes to its end even where the connection breaks.
    match app.tasks.spawn(work.in_current_span()).await.map_err(|_| internal())? {
        Ok(_)
        | Err(
            BeginError::ChargeInProgress
            | BeginError::AlreadyPaid
            | BeginError::AttemptsExhausted
            | BeginError::Repeated,
        ) => Ok(Outcome::News),
        Err(BeginError::Exceeded(exceeded)) => Ok(too_many(exceeded)),
        Err(BeginError::NetworkUnavailable) => {
            let code = Some(ErrorCode::NetworkUnavailable);
            Ok(told(StatusCode::SERVICE_UNAVAILABLE, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::Overloaded(error)) => Err(error.into()),
        Err(BeginError::Store(error)) => Err(error.into()),
    }
}

/// As `POST /v1/submit-otp`. The same code for the same transaction is looked at once: a form that is sent
/// twice must not use up two tries.
async fn check_code(app: &Arc<App>, caller: Caller, id: TransactionId, code: Code) -> Result<Outcome, ApiError> {
    let fingerprint = Fingerprint::of(&app.server_key, &[Some("page"), Some(id.as_str()), Some(code.expose())]);
    let key = URL_SAFE_NO_PAD.encode(fingerprint.0);
    let attempt = Attempt::new(&caller, Route::SubmitOtp, key, fingerprint, &app.instance);
    let work = {
        let app = app.clone();
        async move { verification::submit(&app, &caller, &id, code, Some(attempt)).await }
    };
    match app.tasks.spawn(work.in_current_span()).await.map_err(|_| internal())? {
        Ok((transaction, Verdict::Wrong)) => {
            let transaction = facts::transaction(&transaction);
            let answer = Answer::Transaction { transaction, etag: None, held: false };
            Ok(Outcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, Some(Box::new(answer)), None))
        }
        Ok(_) | Err(CountError::NotExpected | CountError::Repeated) => Ok(Outcome::News),
        Err(CountError::Exceeded(exceeded)) => Ok(too_many(exceeded)),
        Err(CountError::Store(error)) => Err(error.into()),
    }
}

fn too_many(exceeded: Exceeded) -> Outcome {
    told(StatusCode::TOO_MANY_REQUESTS, Problem::default(), Some(exceeded))
}

fn told(status: StatusCode, problem: Problem, exceeded: Option<Exceeded>) -> Outcome {
    let problem = Problem { status: status.as_u16(), ..problem };
    Outcome::Refused(status, Some(Box::new(Answer::Refused(problem))), exceeded)
}
