//! `GET /pay`: the page of a checkout session.

use super::{
    facts,
    page::Page,
    page_address::PageAddress,
    refunds,
    server_flow::{ServerFlow, TokenState},
    state::HostedState,
    token_session::TokenSession,
};
use axum::{Extension, extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;
use tua_net::Client;

/// `GET /pay`: the page of a session, or the page of an error.
pub(super) async fn show_checkout(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: PageAddress,
) -> Response {
    let now = state.clock.now();
    match TokenSession::find_and_count(&state, client, address.token.as_ref()).await {
        Ok(found) => render_session_page(address, found, now).await,
        Err(error) => error.page(&address),
    }
}

/// The page of a session as it stands. `None`: the page of an unknown or missing token, with 404.
pub(super) async fn render_session_page(
    address: PageAddress,
    found: Option<TokenSession>,
    now: Timestamp,
) -> Response {
    let (status, token) = match &found {
        None => (StatusCode::NOT_FOUND, TokenState::Unknown),
        Some(found) if found.ended.is_some() => (StatusCode::UNAUTHORIZED, found.token_state()),
        Some(found) => (StatusCode::OK, found.token_state()),
    };
    let wants_form = address.wants_form;
    let language = address.language;
    // Its link has the token, and a page never shows an expired one: such a page is kept longer
    // than its session.
    let is_searchable =
        found.as_ref().is_some_and(|found| !found.summary.paid && found.ended.is_none());
    let search = is_searchable.then(|| address.of_search());
    let page = Page::of(address, status, found.as_ref().map(|found| (&found.checkout).into()));
    let page = page.with_search(search);
    // The screen of a session that has ended knows nothing of the session, so it has no link of its
    // own.
    let ended = found.as_ref().filter(|found| found.ended.is_some());
    let page = page.with_return_url(ended.and_then(|found| facts::return_url(&found.checkout)));
    let page = page.with_refunds(found.and_then(|found| {
        refunds::template_values(language, &found.refunds, found.ended.is_none())
    }));
    page.draw(
        move || {
            if wants_form { ServerFlow::to_form(token, now) } else { ServerFlow::to(token, now) }
        },
    )
    .await
}
