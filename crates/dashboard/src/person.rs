//! Pages of a person that are not about one account.

use super::{
    cookies,
    error::{DashboardError, redirect},
    language::Language,
    navigation,
    sign_in::ReturnQuery,
    state::DashboardState,
    templates,
    visitor::SignedIn,
};
use axum::{
    Extension,
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;
use tua_domain::{Mode, people::ProviderUse};
use tua_net::Client;
use url::Url;

/// `GET /dashboard`: leads to the first account, in live mode where it has a live key.
pub(super) async fn open(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    let Some((account, role)) = person.accounts.first() else {
        return Ok(person.page(StatusCode::OK, "message.html", context! { key => "no-account" }));
    };
    let is_live = state.api_keys.has_live(&account.id, state.clock.now()).await?;
    let mode = if is_live { Mode::Live } else { Mode::Test };
    let page = navigation::first_page(*role).ok_or(DashboardError::NotPermitted)?;
    Ok(redirect(&format!("/dashboard/accounts/{}/{}{page}", account.id, mode.as_str())))
}

/// `POST /dashboard/sign-out`: ends the session.
pub(super) async fn sign_out(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    let by = person.audit(&state, client);
    state.sessions.end(&person.session, &person.session.id, &by).await?;
    let mut response = match sign_out_url(&state, &person) {
        Some(url) => {
            let values = context! { url => url.as_str(), provider => state.provider_name() };
            templates::render(person.language, StatusCode::OK, "signed_out.html", values)
        }
        None => redirect("/dashboard/sign-in"),
    };
    cookies::end_session(response.headers_mut(), state.is_https());
    Ok(response)
}

/// Where a person who signs in with the provider signs out of it too.
fn sign_out_url(state: &DashboardState, person: &SignedIn) -> Option<Url> {
    let oidc = state.oidc.as_ref().filter(|_| person.session.user.provider != ProviderUse::None)?;
    oidc.provider.sign_out_url(&format!("{}/dashboard/sign-in", state.public_url))
}

/// `GET /dashboard/language/{code}`: keeps the choice in a cookie. It changes nothing else, so a
/// link is enough.
pub(super) async fn choose_language(
    State(state): State<DashboardState>,
    Path(code): Path<String>,
    Query(back): Query<ReturnQuery>,
) -> Result<Response, DashboardError> {
    let language = Language::parse(&code).ok_or(DashboardError::NotFound)?;
    let mut response = redirect(back.path());
    cookies::keep_language(response.headers_mut(), language.code(), state.is_https());
    Ok(response)
}
