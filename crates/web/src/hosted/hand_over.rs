//! `POST /pay`, with the token in the form and no key in the address: the tag in a merchant's page
//! posts its form here where the component cannot start. The answer is the hosted page's own form
//! with what was typed. Nothing is charged: the payer sees the amount and presses Pay on the page
//! itself.

use super::{
    Address, Found, HostedState,
    form::HandedOver,
    page::{Page, back},
    page_error::PageError,
    server_flow::ServerFlow,
    show,
};
use axum::{
    extract::{FromRequest, Request},
    http::StatusCode,
    response::Response,
};
use tua_net::Client;

pub(super) async fn take_over(
    state: &HostedState,
    client: Client,
    mut address: Address,
    request: Request,
) -> Response {
    let form = HandedOver::from_request(request, state).await;
    if let Ok(form) = &form {
        address.token.clone_from(&form.token);
        address.asked = form.language.or(address.asked);
        address.language = address.asked.unwrap_or(address.language);
    }
    // The address is counted also where the form could not be read.
    match Found::counted(state, client, address.token.as_ref()).await {
        Err(error) => error.page(&address),
        Ok(found) => match form {
            Err(error) => PageError::from(error).page(&address),
            Ok(form) => show_filled(state, address, found, form).await,
        },
    }
}

async fn show_filled(
    state: &HostedState,
    mut address: Address,
    found: Option<Found>,
    form: HandedOver,
) -> Response {
    let now = state.clock.now();
    let found = match found {
        Some(found) if found.ended.is_none() => found,
        gone => return show(address, gone, now).await,
    };
    let HandedOver { phone, network, .. } = form;
    let known = found.known();
    let filled = move || ServerFlow::filled(known, phone, network, now);
    // A payment that is under way or over has a page of its own.
    if !filled.clone()().is_form() {
        return back(&address);
    }
    // The component would begin with the failure of the charge before.
    address.change = found.standing.latest.is_some();
    Page::of(address, StatusCode::OK, Some((&found.checkout).into())).draw(filled).await
}
