//! `POST /pay?key=<token>`: what the page's forms do. The same calls as the API's, then back to the
//! page.

use super::language::Language;
use super::{
    Address, Found, HostedState, facts,
    form::{Posted, is_foreign},
    hand_over,
    page::{Merchant, Page, back},
    page_error::PageError,
    server_flow::{Sent, ServerFlow, Wanted},
    show,
};
use crate::http::{ApiError, internal};
use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use tua_checkout::flow::{Answer, Problem};
use tua_contract::{Amount, Code, ErrorCode};
use tua_domain::{
    Caller, TransactionId,
    checkout::EndedCheckout,
    instruction::Instruction,
    language::LanguageTag,
    ports::{BeginError, CountError},
    rate_limit::Exceeded,
    routing::RouteError,
    use_cases::CodeChecked,
    verdict::CodeVerdict,
};
use tua_net::Client;

/// What a form came to.
#[derive(Debug)]
enum Outcome {
    /// The session has moved on; its page says where to.
    News,
    /// The session has expired or was closed while the form arrived.
    Ended(EndedCheckout),
    /// It is shown again, with what is to be said about it.
    Refused(StatusCode, Option<Box<Answer>>, Option<Exceeded>),
}

/// Does what a payer's form asks for, and goes back to the page; or shows the form again with its
/// faults.
pub(super) async fn take_form(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
    request: Request,
) -> Response {
    if address.is_bare {
        return hand_over::take_over(&state, client, address, request).await;
    }
    let taken = take(&state, client, address.clone(), request).await;
    taken.unwrap_or_else(|error| error.page(&address))
}

async fn take(
    state: &HostedState,
    client: Client,
    address: Address,
    request: Request,
) -> Result<Response, PageError> {
    let now = state.clock.now();
    let found = match Found::counted(state, client, address.token.as_ref()).await? {
        Some(found) if found.ended.is_none() => found,
        gone => return Ok(show(address, gone, now).await),
    };
    let merchant = Merchant::from(&found.checkout);
    act_on(state, client, address, found, request).await.map_err(|error| error.of(merchant))
}

/// Takes a form of a session that has not ended.
async fn act_on(
    state: &HostedState,
    client: Client,
    mut address: Address,
    found: Found,
    request: Request,
) -> Result<Response, PageError> {
    let now = state.clock.now();
    if is_foreign(request.headers()) {
        return Err(ApiError::new(
            ErrorCode::CredentialNotAllowed,
            "A page of another site sent this form. The form had no effect.",
        )
        .into());
    }
    let posted = Posted::from_request(request, state).await?;
    address.change = matches!(posted, Posted::Change);
    let latest = found.standing.latest.as_ref();
    // A payer who was shown no sum has read the amount.
    let shown = posted.shown(latest).unwrap_or(found.checkout.terms.amount);
    let Some(sent) = posted.sent(latest) else { return Ok(back(&address)) };
    let wanted = ServerFlow::sending(found.known(), sent.clone(), now).1;
    match act(state, client, &found, address.language, wanted, shown)
        .await
        .map_err(PageError::in_doubt)?
    {
        Outcome::News => Ok(back(&address)),
        Outcome::Ended(ended) => {
            Ok(show(address, Some(Found { ended: Some(ended), ..found }), now).await)
        }
        Outcome::Refused(status, answer, exceeded) => {
            let merchant = Some((&found.checkout).into());
            let mut response = Page::of(address, status, merchant)
                .draw(move || refused(&found, sent, answer, now))
                .await;
            if let Some(Exceeded(standing)) = exceeded {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from(standing.reset));
            }
            Ok(response)
        }
    }
}

/// The screen of a form that was refused.
fn refused(
    found: &Found,
    sent: Sent,
    answer: Option<Box<Answer>>,
    now: jiff::Timestamp,
) -> ServerFlow {
    let is_again = matches!(sent, Sent::Again(..));
    let (flow, _) = ServerFlow::sending(found.known(), sent, now);
    let flow = match answer {
        Some(answer) => flow.answered(answer),
        None => flow,
    };
    if is_again { flow.without_number() } else { flow }
}

/// `shown`: the sum that the payer has seen.
async fn act(
    state: &HostedState,
    client: Client,
    found: &Found,
    language: Language,
    wanted: Wanted,
    shown: Amount,
) -> Result<Outcome, ApiError> {
    match wanted {
        Wanted::News => Ok(Outcome::News),
        Wanted::Faults => Ok(Outcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, None, None)),
        Wanted::Charge(phone, network) => {
            let instruction =
                Instruction::for_checkout(found.checkout.terms.amount, phone, network)
                    .with_payer_pays(Some(shown))
                    .with_language(LanguageTag::parse(language.code()));
            charge(state, found.caller(), instruction).await
        }
        Wanted::Code(transaction, code) => {
            let code = Code::parse(&code.0).map_err(|_| internal())?;
            check_code(state, client, found.caller(), TransactionId::new(transaction), code).await
        }
    }
}

/// As `POST /v1/charge`. A form that is sent twice meets the session's rule of one charge at a
/// time.
async fn charge(
    state: &HostedState,
    caller: Caller,
    instruction: Instruction,
) -> Result<Outcome, ApiError> {
    match state.payments.begin(caller, instruction, None).await {
        Err(BeginError::Expired(ended)) => Ok(Outcome::Ended(ended)),
        Ok(_)
        | Err(
            BeginError::ChargeInProgress
            | BeginError::AlreadyPaid
            | BeginError::AttemptsExhausted
            | BeginError::Repeat(_),
        ) => Ok(Outcome::News),
        Err(BeginError::Exceeded(exceeded)) => Ok(too_many(exceeded)),
        Err(BeginError::Unroutable(RouteError::AmountOutOfRange(_))) => {
            let code = Some(ErrorCode::AmountOutOfRange);
            Ok(told(StatusCode::UNPROCESSABLE_ENTITY, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::Unroutable(
            RouteError::NetworkUnavailable | RouteError::NetworkEnded(_),
        )) => {
            let code = Some(ErrorCode::NetworkUnavailable);
            Ok(told(StatusCode::SERVICE_UNAVAILABLE, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::QuoteChanged { .. }) => {
            let code = Some(ErrorCode::QuoteChanged);
            Ok(told(StatusCode::UNPROCESSABLE_ENTITY, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::LinkInUse) => {
            let code = Some(ErrorCode::LinkInUse);
            Ok(told(StatusCode::CONFLICT, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::AccountSuspended) => {
            let code = Some(ErrorCode::AccountSuspended);
            Ok(told(StatusCode::FORBIDDEN, Problem { code, ..Problem::default() }, None))
        }
        // Only refunds and payouts meet the first five.
        Err(
            error @ (BeginError::KeyRevoked
            | BeginError::ChargeNotFound
            | BeginError::Refund(_)
            | BeginError::LimitExceeded(_)
            | BeginError::LinesExceeded(_)
            | BeginError::LinesUnroutable(_)
            | BeginError::Overloaded(_)
            | BeginError::Store(_)),
        ) => Err(error.into()),
    }
}

/// As `POST /v1/submit-otp`. A form that is sent twice uses up one try, and is told the same.
async fn check_code(
    state: &HostedState,
    client: Client,
    caller: Caller,
    id: TransactionId,
    code: Code,
) -> Result<Outcome, ApiError> {
    if let Err(exceeded) = state.limiter.check_wrong_codes(&caller, client.limited_address()) {
        return Ok(too_many(exceeded));
    }
    let submitted = state.codes.submit_form(caller.clone(), id, code).await;
    if submitted.as_ref().is_ok_and(|checked| checked.verdict.is_wrong()) {
        state.limiter.count_wrong_code(&caller, client.limited_address());
    }
    match submitted {
        Ok(CodeChecked { transaction, verdict: CodeVerdict::Wrong }) => {
            let transaction = facts::transaction(&transaction);
            let answer = Answer::Transaction { transaction, etag: None, was_held: false };
            Ok(Outcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, Some(Box::new(answer)), None))
        }
        Ok(_) | Err(CountError::NotExpected | CountError::NotFound | CountError::Repeat(_)) => {
            Ok(Outcome::News)
        }
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
