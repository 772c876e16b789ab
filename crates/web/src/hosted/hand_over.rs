//! `POST /pay`, with the token in the form and no key in the address: the tag in a merchant's page
//! posts its form here where the component cannot start. The answer is the hosted page's own form
//! with what was typed. Nothing is charged: the payer sees the amount and presses Pay on the page
//! itself.

use super::{
    form::HandedOverForm,
    page::{Page, redirect_to},
    page_address::PageAddress,
    page_error::PageError,
    server_flow::ServerFlow,
    session_page::render_session_page,
    state::HostedState,
    token_session::TokenSession,
};
use axum::{
    extract::{FromRequest, Request},
    http::StatusCode,
    response::Response,
};
use tua_net::Client;

pub(super) async fn handle_handed_over_form(
    state: &HostedState,
    client: Client,
    mut address: PageAddress,
    request: Request,
) -> Response {
    let form = HandedOverForm::from_request(request, state).await;
    if let Ok(form) = &form {
        address.token.clone_from(&form.token);
        address.requested_language = form.language.or(address.requested_language);
        address.language = address.requested_language.unwrap_or(address.language);
    }
    // The address is counted also where the form could not be read.
    match TokenSession::find_and_count(state, client, address.token.as_ref()).await {
        Err(error) => error.page(&address),
        Ok(found) => match form {
            Err(error) => PageError::from(error).page(&address),
            Ok(form) => show_filled(state, address, found, form).await,
        },
    }
}

async fn show_filled(
    state: &HostedState,
    mut address: PageAddress,
    found: Option<TokenSession>,
    form: HandedOverForm,
) -> Response {
    let now = state.clock.now();
    let found = match found {
        Some(found) if found.ended.is_none() => found,
        gone => return render_session_page(address, gone, now).await,
    };
    let HandedOverForm { phone, network, .. } = form;
    let token = found.token_state();
    let filled = move || ServerFlow::filled(token, phone, network, now);
    // A payment that is under way or over has a page of its own.
    if !filled.clone()().is_form() {
        return redirect_to(&address);
    }
    // The component would begin with the failure of the charge before.
    address.wants_form = found.summary.latest.is_some();
    Page::of(address, StatusCode::OK, Some((&found.checkout).into())).draw(filled).await
}
