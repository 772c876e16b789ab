//! Sign-in and fresh proofs: address, password and code in one form.

use super::{
    cookies, device,
    error::{DashboardError, redirect, safe_return},
    fields::Fields,
    language::{LANGUAGES, Language},
    same_origin,
    state::DashboardState,
    templates,
    visitor::SignedIn,
};
use crate::{
    domain::use_cases::{Proof, SignInError},
    net::Client,
};
use axum::{
    Extension,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;

/// Where to return to.
#[derive(Debug, Deserialize)]
pub(super) struct Return {
    /// A path of the dashboard.
    #[serde(rename = "return", default)]
    path: String,
}

impl Return {
    /// The path, or the dashboard's own.
    pub(super) fn path(&self) -> &str {
        safe_return(&self.path).unwrap_or("/dashboard")
    }
}

/// `GET /dashboard/sign-in`.
pub(super) async fn show(Extension(language): Extension<Language>, Query(back): Query<Return>) -> Response {
    sign_in_page(language, StatusCode::OK, back.path(), "", None)
}

fn sign_in_page(language: Language, status: StatusCode, back: &str, email: &str, fault: Option<&str>) -> Response {
    let languages = LANGUAGES.map(|one| context! { code => one.code(), name => one.name() });
    templates::render(language, status, "sign_in.html", context! { back, email, fault, languages })
}

/// `POST /dashboard/sign-in`.
pub(super) async fn sign_in(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let back = safe_return(fields.get("return")).unwrap_or("/dashboard");
    let email = fields.get("email");
    match state.sessions.sign_in(email, proof(&fields), client.address, device::name(&headers)).await {
        Ok((_, token)) => {
            let mut response = redirect(back);
            cookies::begin_session(response.headers_mut(), &token, state.is_https());
            Ok(response)
        }
        Err(error) => {
            let (status, fault, retry_after) = refusal(error)?;
            let page = sign_in_page(language, status, back, email, Some(fault));
            Ok(with_retry_after(page, retry_after))
        }
    }
}

/// `GET /dashboard/proof`: asks for password and code again.
pub(super) async fn show_proof(person: SignedIn, Query(back): Query<Return>) -> Response {
    person.page(StatusCode::OK, "proof.html", proof_values(back.path(), None))
}

fn proof_values(back: &str, fault: Option<&str>) -> Value {
    context! { back, fault }
}

/// `POST /dashboard/proof`.
pub(super) async fn prove(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let back = safe_return(fields.get("return")).unwrap_or("/dashboard");
    match state.sessions.prove(&person.session, proof(&fields), client.address).await {
        Ok(token) => {
            let mut response = redirect(back);
            cookies::begin_session(response.headers_mut(), &token, state.is_https());
            Ok(response)
        }
        Err(error) => {
            let (status, fault, retry_after) = refusal(error)?;
            let page = person.page(status, "proof.html", proof_values(back, Some(fault)));
            Ok(with_retry_after(page, retry_after))
        }
    }
}

fn proof(fields: &Fields) -> Proof {
    Proof { password: fields.get("password").to_owned(), code: fields.get("code").to_owned() }
}

/// The status, the key of the text, and after how many seconds the next attempt is possible.
fn refusal(error: SignInError) -> Result<(StatusCode, &'static str, Option<u64>), DashboardError> {
    match error {
        SignInError::Wrong => Ok((StatusCode::UNPROCESSABLE_ENTITY, "sign-in-wrong", None)),
        SignInError::Limited(exceeded) => {
            Ok((StatusCode::TOO_MANY_REQUESTS, "sign-in-limited", Some(exceeded.0.reset)))
        }
        SignInError::Store(error) => Err(error.into()),
    }
}

fn with_retry_after(mut response: Response, seconds: Option<u64>) -> Response {
    if let Some(seconds) = seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
