//! `/pay/find?key=<token>` and `/l/<code>/find`: a payer types the transaction ID of the network's
//! SMS, and reads whether the shop has that payment. Nothing but its state is shown: who has a
//! receipt of somebody else learns no more.

mod page;

use super::{
    Address, HostedState, TokenSession,
    form::{is_foreign, read_form},
    links,
    page::Merchant,
    page_error::PageError,
    show,
};
use crate::http::ApiError;
use axum::{
    Extension, Router,
    extract::{Path, Request, State, rejection::PathRejection},
    response::Response,
    routing::get,
};
use tua_contract::ErrorCode;
use tua_domain::{
    CheckoutId, Scope, Transaction, link::PublicLink,
    operator_transaction_id::OperatorTransactionId,
};
use tua_net::Client;
use tua_use_cases::FoundPayment;
use url::form_urlencoded;

/// The field with the ID.
const FIELD: &str = "operatorTransactionId";

/// The routes of the pages.
pub(super) fn router() -> Router<HostedState> {
    Router::new()
        .route("/pay/find", get(show_for_session).post(find_for_session))
        .route("/l/{code}/find", get(show_for_link).post(find_for_link))
}

/// The scope of a search, and what its pages show.
struct SearchScope {
    merchant: Merchant,
    scope: Scope,
    /// The key of the rate limit: a session, or the visitors of a link from one address, so
    /// that one of them cannot use up the searches of all.
    limiter_key: String,
    /// The session, and its latest charge.
    session: Option<(CheckoutId, Option<Transaction>)>,
    /// The path and query of this search page.
    address: String,
    /// The page of the session or link.
    back: String,
    /// The part of the address that names the session.
    key: String,
}

impl SearchScope {
    fn of_session(address: &Address, found: &TokenSession) -> Self {
        Self {
            merchant: (&found.checkout).into(),
            scope: found.checkout.scope.clone(),
            limiter_key: found.checkout.id.as_str().to_owned(),
            session: Some((found.checkout.id.clone(), found.summary.latest.clone())),
            address: address.of_search(),
            back: address.to_string(),
            key: format!("key={}&", address.token.as_deref().unwrap_or_default()),
        }
    }

    fn of_link(address: &Address, public: &PublicLink, client: Client) -> Self {
        let language = address
            .requested_language
            .map_or_else(String::new, |language| format!("?lang={}", language.code()));
        let code = &public.link.code;
        Self {
            merchant: public.into(),
            scope: public.link.scope.clone(),
            limiter_key: format!("{} {}", public.link.id, client.address),
            session: None,
            address: format!("/l/{code}/find{language}"),
            back: format!("/l/{code}{language}"),
            key: String::new(),
        }
    }
}

async fn show_for_session(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
) -> Response {
    match TokenSession::counted(&state, client, address.token.as_ref()).await {
        Ok(Some(found)) => {
            page::form(address.language, &SearchScope::of_session(&address, &found), None)
        }
        Ok(None) => show(address, None, state.clock.now()).await,
        Err(error) => error.page(&address),
    }
}

async fn find_for_session(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
    request: Request,
) -> Response {
    let found = match TokenSession::counted(&state, client, address.token.as_ref()).await {
        Ok(Some(found)) => found,
        Ok(None) => return show(address, None, state.clock.now()).await,
        Err(error) => return error.page(&address),
    };
    let search = SearchScope::of_session(&address, &found);
    find(&state, client, &address, search, request)
        .await
        .unwrap_or_else(|error| error.page(&address))
}

async fn show_for_link(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
    code: Result<Path<String>, PathRejection>,
) -> Response {
    match links::find(&state, client, &typed(code)).await {
        Ok(Some(public)) => {
            page::form(address.language, &SearchScope::of_link(&address, &public, client), None)
        }
        Ok(None) => links::unknown(&address),
        Err(error) => error.page(&address),
    }
}

async fn find_for_link(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
    code: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let public = match links::find(&state, client, &typed(code)).await {
        Ok(Some(public)) => public,
        Ok(None) => return links::unknown(&address),
        Err(error) => return error.page(&address),
    };
    let search = SearchScope::of_link(&address, &public, client);
    find(&state, client, &address, search, request)
        .await
        .unwrap_or_else(|error| error.page(&address))
}

fn typed(code: Result<Path<String>, PathRejection>) -> String {
    code.map(|Path(code)| code).unwrap_or_default()
}

async fn find(
    state: &HostedState,
    client: Client,
    address: &Address,
    search: SearchScope,
    request: Request,
) -> Result<Response, PageError> {
    if is_foreign(request.headers()) {
        let detail = "A page of another site sent this form. The form had no effect.";
        let refused: PageError = ApiError::new(ErrorCode::CredentialNotAllowed, detail).into();
        return Err(refused.of(search.merchant));
    }
    let form = read_form(request, state).await?;
    let typed = form_urlencoded::parse(&form)
        .find(|(name, _)| name == FIELD)
        .map(|(_, value)| value.into_owned());
    let typed = typed.unwrap_or_default();
    let Ok(id) = OperatorTransactionId::parse(&typed) else {
        return Ok(page::form(address.language, &search, Some(&typed)));
    };
    state.limiter.count_payment_search(client.limited_address(), &search.limiter_key)?;
    let own = search.session.as_ref().and_then(|(_, latest)| latest.as_ref());
    let found = state.payment_search.find(&search.scope, &id, own).await?;
    if let (FoundPayment::Charge(charge), Some((session, _))) = (&found, &search.session)
        && charge.order.checkout.as_ref() == Some(session)
    {
        return Ok(links::see_other(&search.back));
    }
    Ok(page::result(address.language, &search, &found, own))
}
