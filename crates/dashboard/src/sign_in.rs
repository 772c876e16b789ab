//! Sign-in and fresh proofs by password: address, password and code in one form.

use super::{
    cookies,
    device::Browser,
    error::{DashboardError, redirect, safe_return},
    fields::Fields,
    language::{LANGUAGES, Language},
    same_origin,
    state::DashboardState,
    templates,
    visitor::SignedIn,
};
use axum::{
    Extension,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_domain::people::{ProviderUse, SessionToken};
use tua_net::Client;
use tua_use_cases::{Proof, SignInError};

/// The query of a sign-in or proof: the page that the person returns to.
#[derive(Debug, Deserialize)]
pub(super) struct ReturnQuery {
    /// A path of the dashboard.
    #[serde(rename = "return", default)]
    path: String,
}

impl ReturnQuery {
    /// The path, or the dashboard's own.
    pub(super) fn path(&self) -> &str {
        safe_return(&self.path).unwrap_or("/dashboard")
    }
}

/// `Retry-After`, in seconds, while too many others sign in.
const BUSY_RETRY_SECONDS: u64 = 2;

/// Why nobody was signed in, as a page shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignInRefusal {
    /// The status of the page.
    pub(super) status: StatusCode,
    /// The key of the text.
    pub(super) text: &'static str,
    /// After how many seconds the next attempt is possible.
    pub(super) retry_after: Option<u64>,
}

impl SignInRefusal {
    /// The refusal that a page explains. A fault of the store has a page of its own.
    pub(super) fn of(error: SignInError) -> Result<Self, DashboardError> {
        match error {
            SignInError::Wrong => Ok(Self {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                text: "sign-in-wrong",
                retry_after: None,
            }),
            SignInError::Limited(exceeded) => Ok(Self {
                status: StatusCode::TOO_MANY_REQUESTS,
                text: "sign-in-limited",
                retry_after: Some(exceeded.0.reset),
            }),
            SignInError::Busy => Ok(Self {
                status: StatusCode::SERVICE_UNAVAILABLE,
                text: "sign-in-busy",
                retry_after: Some(BUSY_RETRY_SECONDS),
            }),
            SignInError::Store(error) => Err(error.into()),
        }
    }

    /// The page with this refusal, or without one.
    fn on(
        refusal: Option<Self>,
        page: impl FnOnce(StatusCode, Option<&'static str>) -> Response,
    ) -> Response {
        let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
        let mut response = page(status, refusal.map(|refusal| refusal.text));
        if let Some(seconds) = refusal.and_then(|refusal| refusal.retry_after) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// `GET /dashboard/sign-in`: the form, with a passkey and the provider where there are any.
pub(super) async fn show(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Query(back): Query<ReturnQuery>,
) -> Response {
    sign_in_page(&state, language, back.path(), "", None)
}

/// The form of the sign-in.
pub(super) fn sign_in_page(
    state: &DashboardState,
    language: Language,
    back: &str,
    email: &str,
    refusal: Option<SignInRefusal>,
) -> Response {
    let languages = LANGUAGES.map(|one| context! { code => one.code(), name => one.name() });
    let has_passkeys = state.passkeys.is_some();
    let provider = state.provider_name();
    SignInRefusal::on(refusal, |status, fault| {
        let values = context! { back, email, fault, languages, has_passkeys, provider };
        templates::render(language, status, "sign_in.html", values)
    })
}

/// `POST /dashboard/sign-in`: begins a session, or shows the form again with the refusal.
pub(super) async fn sign_in(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let back = fields.return_path();
    let email = &*fields.visible("email");
    let browser = Browser::of(&headers, client, state.is_https());
    match state
        .sessions
        .sign_in(email, proof(&fields), browser.device.clone(), language.tag())
        .await
    {
        Ok((_, token)) => {
            Ok(browser.remember(redirect_with_session(&state, back, &token), state.is_https()))
        }
        Err(error) => {
            Ok(sign_in_page(&state, language, back, email, Some(SignInRefusal::of(error)?)))
        }
    }
}

/// `GET /dashboard/proof`: asks for password and code again, or for a passkey.
pub(super) async fn show_proof(
    State(state): State<DashboardState>,
    person: SignedIn,
    Query(back): Query<ReturnQuery>,
) -> Response {
    proof_page(&state, &person, back.path(), None)
}

/// The form of a fresh proof.
pub(super) fn proof_page(
    state: &DashboardState,
    person: &SignedIn,
    back: &str,
    refusal: Option<SignInRefusal>,
) -> Response {
    let user = &person.session.user;
    let has_passkeys = state.passkeys.is_some() && !user.is_managed();
    let provider = state.provider_name().filter(|_| user.provider != ProviderUse::None);
    let has_password = !user.needs_provider() && !user.has_only_passkeys();
    let has_only_passkeys = user.has_only_passkeys();
    let values = |fault: Option<&str>| {
        context! {
            back,
            fault,
            has_passkeys,
            has_only_passkeys,
            has_password,
            provider,
        }
    };
    SignInRefusal::on(refusal, |status, fault| person.page(status, "proof.html", values(fault)))
}

/// `POST /dashboard/proof`: makes the session's proof fresh, and gives the session a new token.
pub(super) async fn prove(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let back = fields.return_path();
    match state.sessions.prove(&person.session, proof(&fields), client.limited_address()).await {
        Ok(token) => Ok(redirect_with_session(&state, back, &token)),
        Err(error) => Ok(proof_page(&state, &person, back, Some(SignInRefusal::of(error)?))),
    }
}

/// Redirects to a page, with the cookie of the session.
pub(super) fn redirect_with_session(
    state: &DashboardState,
    back: &str,
    token: &SessionToken,
) -> Response {
    let mut response = redirect(back);
    cookies::begin_session(response.headers_mut(), token, state.is_https());
    response
}

fn proof(fields: &Fields) -> Proof {
    Proof { password: fields.get("password").to_owned(), code: fields.get("code").to_owned() }
}
