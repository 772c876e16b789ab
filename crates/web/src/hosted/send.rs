//! `POST /pay?key=<token>`: what the page's forms do. The same calls as the API's, then back to the
//! page.

use super::{
    facts,
    form::{PostedAction, refuse_other_site},
    hand_over,
    language::Language,
    page::{Merchant, Page, redirect_to},
    page_address::PageAddress,
    page_error::PageError,
    server_flow::{RequestedAction, ServerFlow, SubmittedForm},
    session_page::render_session_page,
    state::HostedState,
    token_session::TokenSession,
};
use crate::http::{ApiError, internal};
use axum::{
    Extension,
    extract::{FromRequest, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use tua_checkout::flow::{ApiResponse, Problem};
use tua_contract::{Amount, Code, ErrorCode};
use tua_domain::{
    Caller, TransactionId,
    checkout::EndedCheckout,
    instruction::Instruction,
    language::LanguageTag,
    ports::{BeginError, CodeAttemptError},
    rate_limit::Exceeded,
    routing::RouteError,
    verdict::CodeVerdict,
};
use tua_net::Client;
use tua_use_cases::CodeChecked;

/// The outcome of a submitted form.
#[derive(Debug)]
enum FormOutcome {
    /// The browser is redirected to the session's page, which shows its current screen.
    ShowSession,
    /// The session has expired or was closed while the form arrived.
    Ended(EndedCheckout),
    /// The form is shown again, with this status and the response that explains the refusal.
    Refused(StatusCode, Option<Box<ApiResponse>>, Option<Exceeded>),
}

/// `POST /pay`: performs a payer's form, and redirects to the page; or shows the form again with
/// its faults.
pub(super) async fn handle_form(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
    request: Request,
) -> Response {
    if address.is_bare {
        return hand_over::handle_handed_over_form(&state, client, address, request).await;
    }
    let taken = process_form(&state, client, address.clone(), request).await;
    taken.unwrap_or_else(|error| error.page(&address))
}

async fn process_form(
    state: &HostedState,
    client: Client,
    address: PageAddress,
    request: Request,
) -> Result<Response, PageError> {
    let now = state.clock.now();
    let found = match TokenSession::find_and_count(state, client, address.token.as_ref()).await? {
        Some(found) if found.ended.is_none() => found,
        gone => return Ok(render_session_page(address, gone, now).await),
    };
    let merchant = Merchant::from(&found.checkout);
    process_open_session_form(state, client, address, found, request)
        .await
        .map_err(|error| error.with_merchant(merchant))
}

/// Processes a form of a session that has not ended.
async fn process_open_session_form(
    state: &HostedState,
    client: Client,
    mut address: PageAddress,
    found: TokenSession,
    request: Request,
) -> Result<Response, PageError> {
    let now = state.clock.now();
    refuse_other_site(state, request.headers())?;
    let posted = PostedAction::from_request(request, state).await?;
    address.wants_form = matches!(posted, PostedAction::ChangeNumber);
    let latest = found.summary.latest.as_ref();
    // A payer who was shown no sum has read the amount.
    let seen_amount = posted.seen_amount(latest).unwrap_or(found.checkout.terms.amount);
    let Some(form) = posted.into_submitted(latest) else { return Ok(redirect_to(&address)) };
    let action = ServerFlow::sending(found.token_state(), form.clone(), now).1;
    match perform(state, client, &found, address.language, action, seen_amount)
        .await
        .map_err(PageError::in_doubt)?
    {
        FormOutcome::ShowSession => Ok(redirect_to(&address)),
        FormOutcome::Ended(ended) => Ok(render_session_page(
            address,
            Some(TokenSession { ended: Some(ended), ..found }),
            now,
        )
        .await),
        FormOutcome::Refused(status, answer, exceeded) => {
            let merchant = Some((&found.checkout).into());
            let mut response = Page::of(address, status, merchant)
                .draw(move || refused(&found, form, answer, now))
                .await;
            if let Some(Exceeded(limit)) = exceeded {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(limit.reset));
            }
            Ok(response)
        }
    }
}

/// The screen of a form that was refused.
fn refused(
    found: &TokenSession,
    form: SubmittedForm,
    answer: Option<Box<ApiResponse>>,
    now: jiff::Timestamp,
) -> ServerFlow {
    let is_again = matches!(form, SubmittedForm::Again(..));
    let (flow, _) = ServerFlow::sending(found.token_state(), form, now);
    let flow = match answer {
        Some(answer) => flow.answered(answer),
        None => flow,
    };
    if is_again { flow.without_number() } else { flow }
}

/// `seen_amount` is the sum that the payer has seen.
async fn perform(
    state: &HostedState,
    client: Client,
    found: &TokenSession,
    language: Language,
    action: RequestedAction,
    seen_amount: Amount,
) -> Result<FormOutcome, ApiError> {
    match action {
        RequestedAction::ShowSession => Ok(FormOutcome::ShowSession),
        RequestedAction::ShowFaults => {
            Ok(FormOutcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, None, None))
        }
        RequestedAction::Charge(phone, network) => {
            let instruction =
                Instruction::for_checkout(found.checkout.terms.amount, phone, network)
                    .with_payer_pays(Some(seen_amount))
                    .with_language(LanguageTag::parse(language.code()));
            charge(state, found.caller(), instruction).await
        }
        RequestedAction::CheckCode(transaction, code) => {
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
) -> Result<FormOutcome, ApiError> {
    match state.payments.begin(caller, instruction, None).await {
        Err(BeginError::Expired(ended)) => Ok(FormOutcome::Ended(ended)),
        Ok(_)
        | Err(
            BeginError::ChargeInProgress
            | BeginError::AlreadyPaid
            | BeginError::AttemptsExhausted
            | BeginError::Repeat(_),
        ) => Ok(FormOutcome::ShowSession),
        Err(BeginError::Exceeded(exceeded)) => Ok(too_many(exceeded)),
        Err(BeginError::Unroutable(RouteError::AmountOutOfRange(_))) => {
            let code = Some(ErrorCode::AmountOutOfRange);
            Ok(refusal(
                StatusCode::UNPROCESSABLE_ENTITY,
                Problem { code, ..Problem::default() },
                None,
            ))
        }
        Err(BeginError::Unroutable(
            RouteError::NetworkUnavailable
            | RouteError::NoOperator(_)
            | RouteError::NetworkEnded(_),
        )) => {
            let code = Some(ErrorCode::NetworkUnavailable);
            Ok(refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                Problem { code, ..Problem::default() },
                None,
            ))
        }
        Err(BeginError::QuoteChanged { .. }) => {
            let code = Some(ErrorCode::QuoteChanged);
            Ok(refusal(
                StatusCode::UNPROCESSABLE_ENTITY,
                Problem { code, ..Problem::default() },
                None,
            ))
        }
        Err(BeginError::LinkInUse) => {
            let code = Some(ErrorCode::LinkInUse);
            Ok(refusal(StatusCode::CONFLICT, Problem { code, ..Problem::default() }, None))
        }
        Err(BeginError::AccountSuspended) => {
            let code = Some(ErrorCode::AccountSuspended);
            Ok(refusal(StatusCode::FORBIDDEN, Problem { code, ..Problem::default() }, None))
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

/// As `POST /v1/submit-otp`. A form that is sent twice uses up one attempt, and both responses are
/// the same.
async fn check_code(
    state: &HostedState,
    client: Client,
    caller: Caller,
    id: TransactionId,
    code: Code,
) -> Result<FormOutcome, ApiError> {
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
            let answer = ApiResponse::Transaction { transaction, etag: None, was_held: false };
            Ok(FormOutcome::Refused(StatusCode::UNPROCESSABLE_ENTITY, Some(Box::new(answer)), None))
        }
        Ok(_)
        | Err(
            CodeAttemptError::NotExpected
            | CodeAttemptError::NotFound
            | CodeAttemptError::Repeat(_),
        ) => Ok(FormOutcome::ShowSession),
        Err(CodeAttemptError::Exceeded(exceeded)) => Ok(too_many(exceeded)),
        Err(CodeAttemptError::Store(error)) => Err(error.into()),
    }
}

fn too_many(exceeded: Exceeded) -> FormOutcome {
    refusal(StatusCode::TOO_MANY_REQUESTS, Problem::default(), Some(exceeded))
}

fn refusal(status: StatusCode, problem: Problem, exceeded: Option<Exceeded>) -> FormOutcome {
    let problem = Problem { status: status.as_u16(), ..problem };
    FormOutcome::Refused(status, Some(Box::new(ApiResponse::Refused(problem))), exceeded)
}
