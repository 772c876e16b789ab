//! Pages of a person that are not about one account.

use super::{
    cookies,
    error::{DashboardError, redirect},
    language::Language,
    navigation,
    sign_in::Return,
    state::DashboardState,
    visitor::SignedIn,
};
use crate::domain::Mode;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;

/// `GET /dashboard`: leads to the first account, in live mode where it has a live key.
pub(super) async fn open(State(state): State<DashboardState>, person: SignedIn) -> Result<Response, DashboardError> {
    let Some((account, role)) = person.accounts.first() else {
        return Ok(person.page(StatusCode::OK, "message.html", context! { key => "no-account" }));
    };
    let keys = state.store.keys(Some(&account.id)).await?;
    let is_live = keys.iter().any(|key| key.scope.mode == Mode::Live && key.is_valid(state.clock.now()));
    let mode = if is_live { Mode::Live } else { Mode::Test };
    let page = navigation::first_page(*role).ok_or(DashboardError::NotPermitted)?;
    Ok(redirect(&format!("/dashboard/accounts/{}/{}{page}", account.id, mode.as_str())))
}

/// `POST /dashboard/sign-out`: ends the session.
pub(super) async fn sign_out(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    state.sessions.end(&person.session, &person.session.id).await?;
    let mut response = redirect("/dashboard/sign-in");
    cookies::end_session(response.headers_mut(), state.is_https());
    Ok(response)
}

/// `GET /dashboard/language/{code}`: keeps the choice in a cookie. It changes nothing else, so a link is enough.
pub(super) async fn choose_language(
    State(state): State<DashboardState>,
    Path(code): Path<String>,
    Query(back): Query<Return>,
) -> Result<Response, DashboardError> {
    let language = Language::parse(&code).ok_or(DashboardError::NotFound)?;
    let mut response = redirect(back.path());
    cookies::keep_language(response.headers_mut(), language.code(), state.is_https());
    Ok(response)
}
