//! `/pay/find?key=<token>` and `/l/<code>/find`: a payer types the transaction ID of the network's
//! SMS. The page shows whether the merchant has this payment, and nothing but its state: a visitor
//! with somebody else's receipt learns only whether it was paid. If it is a charge of the session
//! itself, the response redirects to the session's page.

mod page;
mod search_scope;

use super::{
    form::{read_form, refuse_other_site},
    links,
    page_address::PageAddress,
    page_error::PageError,
    session_page::render_session_page,
    state::HostedState,
    token_session::TokenSession,
};
use axum::{
    Extension, Router,
    extract::{Path, Request, State, rejection::PathRejection},
    response::Response,
    routing::get,
};
use search_scope::{FIELD, SearchScope};
use tua_domain::operator_transaction_id::OperatorTransactionId;
use tua_net::Client;
use tua_use_cases::FoundPayment;
use url::form_urlencoded;

/// The routes of the pages.
pub(super) fn router() -> Router<HostedState> {
    Router::new()
        .route("/pay/find", get(show_for_session).post(find_for_session))
        .route("/l/{code}/find", get(show_for_link).post(find_for_link))
}

async fn show_for_session(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
) -> Response {
    match TokenSession::find_and_count(&state, client, address.token.as_ref()).await {
        Ok(Some(found)) => {
            page::form(address.language, &SearchScope::of_session(&address, &found), None)
        }
        Ok(None) => render_session_page(address, None, state.clock.now()).await,
        Err(error) => error.page(&address),
    }
}

async fn find_for_session(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
    request: Request,
) -> Response {
    let session = match TokenSession::find_and_count(&state, client, address.token.as_ref()).await {
        Ok(Some(session)) => session,
        Ok(None) => return render_session_page(address, None, state.clock.now()).await,
        Err(error) => return error.page(&address),
    };
    let search = SearchScope::of_session(&address, &session);
    find(&state, client, &address, search, request)
        .await
        .unwrap_or_else(|error| error.page(&address))
}

async fn show_for_link(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
    code: Result<Path<String>, PathRejection>,
) -> Response {
    match links::find(&state, client, &code_or_empty(code)).await {
        Ok(Some(link)) => {
            page::form(address.language, &SearchScope::of_link(&address, &link, client), None)
        }
        Ok(None) => links::unknown(&address),
        Err(error) => error.page(&address),
    }
}

async fn find_for_link(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
    code: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let link = match links::find(&state, client, &code_or_empty(code)).await {
        Ok(Some(link)) => link,
        Ok(None) => return links::unknown(&address),
        Err(error) => return error.page(&address),
    };
    let search = SearchScope::of_link(&address, &link, client);
    find(&state, client, &address, search, request)
        .await
        .unwrap_or_else(|error| error.page(&address))
}

fn code_or_empty(code: Result<Path<String>, PathRejection>) -> String {
    code.map(|Path(code)| code).unwrap_or_default()
}

async fn find(
    state: &HostedState,
    client: Client,
    address: &PageAddress,
    search: SearchScope,
    request: Request,
) -> Result<Response, PageError> {
    if let Err(refused) = refuse_other_site(state, request.headers()) {
        return Err(PageError::from(refused).with_merchant(search.merchant));
    }
    let form = read_form(request, state).await?;
    let entered_id = form_urlencoded::parse(&form)
        .find(|(name, _)| name == FIELD)
        .map(|(_, value)| value.into_owned());
    let entered_id = entered_id.unwrap_or_default();
    let Ok(id) = OperatorTransactionId::parse(&entered_id) else {
        return Ok(page::form(address.language, &search, Some(&entered_id)));
    };
    state.limiter.count_payment_search(client.limited_address(), &search.limiter_key)?;
    let latest_charge = search.session.as_ref().and_then(|(_, latest)| latest.as_ref());
    let found = state.payment_search.find(&search.scope, &id, latest_charge).await?;
    if let (FoundPayment::Charge(charge), Some((session, _))) = (&found, &search.session)
        && charge.order.checkout.as_ref() == Some(session)
    {
        return Ok(links::see_other(&search.back));
    }
    Ok(page::result(address.language, &search, &found, latest_charge))
}
