//! Sign-in, enrolment, fresh proofs and links with the sign-in provider. Each begins with a form,
//! whose response leads the browser to the provider, and ends when the browser comes back.

use super::{
    cookies, device,
    error::{DashboardError, ProviderFault, redirect},
    fields::Fields,
    language::Language,
    same_origin,
    sealed_cookie::SealedCookie,
    security,
    sign_in::{self, SignInRefusal},
    state::{DashboardState, SignInProvider},
    templates,
    visitor::SignedIn,
};
use axum::{
    Extension,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use jiff::{SignedDuration, Timestamp};
use minijinja::context;
use serde::{Deserialize, Serialize};
use tua_domain::{
    IdentityId,
    people::{IdentityClaims, Session, SessionToken},
    secret::SecretDigest,
};
use tua_net::Client;
use tua_oidc::{AuthorizationRequest, CallbackQuery, Prompt};
use tua_use_cases::{Attempt, Browser, FoundSession, RequestedBy, SignInError};

/// Where browsers come back to. It is registered at the provider.
pub const CALLBACK: &str = "/dashboard/oidc/callback";

/// How long a person may take at the provider.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(10);

/// What a browser keeps while the person is at the provider. So only the browser that began can end
/// a sign-in.
const COOKIE: SealedCookie = SealedCookie {
    names: cookies::CookieNames { secure: "__Host-tua-oidc", loopback: "tua-oidc" },
    purpose: b"tua: sign-ins with the provider that have begun, XChaCha20-Poly1305",
    max_age: MAX_AGE,
};

/// A request to the provider that has no response yet. It is in a sealed cookie.
#[derive(Serialize, Deserialize)]
struct PendingAuthorization {
    request: AuthorizationRequest,
    purpose: AuthorizationPurpose,
    /// The path that the person returns to.
    back: String,
    begun_at: Timestamp,
}

/// What the person went to the provider for.
#[derive(Serialize, Deserialize)]
enum AuthorizationPurpose {
    SignIn,
    /// Enrol with a link, which has this token.
    Enrol(String),
    /// A fresh proof of the session with this id.
    Prove(String),
    /// Link the identity to the person of the session with this id.
    Link(String),
}

/// `POST /dashboard/sign-in/oidc`: leads to the provider, or back to the sign-in with a fault if
/// the provider is unreachable.
pub(super) async fn begin_sign_in(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let back = fields.return_path();
    let prompt = prompt_of_sign_in(&state, &headers).await?;
    match begin(&state, language, AuthorizationPurpose::SignIn, prompt, back).await {
        Err(DashboardError::Provider(ProviderFault::Unreachable)) => {
            Ok(sign_in::sign_in_page(&state, language, back, "", Some(UNREACHABLE)))
        }
        begun => begun,
    }
}

/// The provider asks for credentials again where a till is locked or was locked out: its own
/// session may still be in this browser, and would be a way around the PIN.
async fn prompt_of_sign_in(
    state: &DashboardState,
    headers: &HeaderMap,
) -> Result<Prompt, DashboardError> {
    let token = cookies::session_token(headers, state.is_https());
    let is_locked = match &token {
        Some(token) => {
            let found = state.sessions.find(token, RequestedBy::Page).await?;
            matches!(found, FoundSession::Locked(_))
        }
        None => false,
    };
    let must_ask = is_locked || cookies::is_locked_out(headers, state.is_https());
    Ok(if must_ask { Prompt::Login } else { Prompt::Provider })
}

/// `POST /dashboard/enrol/{token}/oidc`: begins the enrolment of a person whom the link names.
pub(super) async fn begin_enrolment(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let link = state.enrolments.open(&token).await?;
    // The first person signs in here, and can do so if the provider is away.
    link.filter(|link| link.user.is_some()).ok_or(DashboardError::LinkEnded)?;
    begin(&state, language, AuthorizationPurpose::Enrol(token), Prompt::Provider, "/dashboard")
        .await
}

/// `POST /dashboard/proof/oidc`: begins a fresh proof; the provider asks for credentials again.
pub(super) async fn begin_proof(
    State(state): State<DashboardState>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let back = fields.return_path();
    let purpose = AuthorizationPurpose::Prove(person.session.id.as_str().to_owned());
    match begin(&state, person.language, purpose, Prompt::Login, back).await {
        Err(DashboardError::Provider(ProviderFault::Unreachable)) => {
            Ok(sign_in::proof_page(&state, &person, back, Some(UNREACHABLE)))
        }
        begun => begun,
    }
}

/// `POST /dashboard/security/identities`: begins to link an identity. It needs a fresh proof.
pub(super) async fn begin_link(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    security::require_fresh(&state, &person)?;
    let purpose = AuthorizationPurpose::Link(person.session.id.as_str().to_owned());
    begin(&state, person.language, purpose, Prompt::Provider, security::PAGE).await
}

/// `POST /dashboard/security/identities/{identity}/remove`: removes a linked identity of the
/// person. It needs a fresh proof.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, DashboardError> {
    security::require_fresh(&state, &person)?;
    let by = person.audit(&state, client);
    if state
        .person_security
        .remove_identity(&person.session.user, &IdentityId::new(id), &by)
        .await?
    {
        Ok(redirect(security::PAGE))
    } else {
        Err(DashboardError::NotFound)
    }
}

const UNREACHABLE: SignInRefusal = SignInRefusal {
    status: StatusCode::SERVICE_UNAVAILABLE,
    text: "oidc-unreachable-text",
    retry_after: None,
};

/// The page that leads to the provider. It is not a redirect, because the policy of the page with
/// the form permits forms of this origin only, and browsers apply that to redirects too.
async fn begin(
    state: &DashboardState,
    language: Language,
    purpose: AuthorizationPurpose,
    prompt: Prompt,
    back: &str,
) -> Result<Response, DashboardError> {
    let oidc = state.oidc.as_ref().ok_or(DashboardError::NotFound)?;
    let (request, url) = oidc.provider.begin(prompt).await.map_err(ProviderFault::from)?;
    let pending = PendingAuthorization {
        request,
        purpose,
        back: back.to_owned(),
        begun_at: state.clock.now(),
    };
    let values = context! { url => url.as_str(), provider => oidc.name() };
    let mut page = templates::render(language, StatusCode::OK, "oidc_go.html", values);
    if COOKIE.keep(state, page.headers_mut(), &pending) {
        Ok(page)
    } else {
        Err(DashboardError::NotFound)
    }
}

/// `GET /dashboard/oidc/callback`: the browser comes back from the provider.
pub(super) async fn finish(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    query: Result<Query<CallbackQuery>, QueryRejection>,
) -> Result<Response, DashboardError> {
    let oidc = state.oidc.as_ref().ok_or(DashboardError::NotFound)?;
    let Query(query) = query.map_err(|_| ProviderFault::Ended)?;
    let pending: PendingAuthorization =
        COOKIE.open(&state, &headers).ok_or(ProviderFault::Ended)?;
    // Digests are compared, so that the time of the comparison reveals nothing.
    let is_same = SecretDigest::of(&pending.request.state) == SecretDigest::of(&query.state);
    if !is_same || state.clock.now() >= pending.begun_at + MAX_AGE {
        return Err(ProviderFault::Ended.into());
    }
    let finished = complete(&state, oidc, language, client, &headers, pending, query).await;
    let mut response = finished.unwrap_or_else(IntoResponse::into_response);
    COOKIE.end(&state, response.headers_mut());
    Ok(response)
}

async fn complete(
    state: &DashboardState,
    oidc: &SignInProvider,
    language: Language,
    client: Client,
    headers: &HeaderMap,
    pending: PendingAuthorization,
    query: CallbackQuery,
) -> Result<Response, DashboardError> {
    let browser = device::Browser::of(headers, client, state.is_https());
    let back = pending.back.clone();
    let own_session = match &pending.purpose {
        AuthorizationPurpose::Prove(id) | AuthorizationPurpose::Link(id) => {
            Some(find_session(state, headers, id).await?)
        }
        AuthorizationPurpose::SignIn | AuthorizationPurpose::Enrol(_) => None,
    };
    let attempt = own_session.as_ref().map_or(Attempt::Browser(&browser.device), Attempt::Session);
    if let Err(error) = state.sessions.count_attempt(attempt, client.limited_address()).await {
        return Ok(sign_in::sign_in_page(
            state,
            language,
            &back,
            "",
            Some(SignInRefusal::of(error)?),
        ));
    }
    let callback = ProviderCallback {
        pending,
        session: own_session.as_ref(),
        browser: &browser,
        language,
        client,
        query,
    };
    let token = match finish_purpose(state, oidc, callback).await {
        Ok(Some(token)) => token,
        Ok(None) => return Ok(redirect(&back)),
        Err(error) => {
            if !matches!(error, DashboardError::Provider(ProviderFault::Unreachable)) {
                state.sessions.refuse(SignInError::Wrong, attempt, client.limited_address(), &[]);
            }
            return Err(error);
        }
    };
    Ok(browser.remember(sign_in::redirect_with_session(state, &back, &token), state.is_https()))
}

/// A browser that came back from the provider.
struct ProviderCallback<'a> {
    pending: PendingAuthorization,
    /// The session that a proof or a new link is for; `None` for a sign-in or an enrolment.
    session: Option<&'a Session>,
    browser: &'a device::Browser,
    language: Language,
    client: Client,
    /// The parameters that the provider added to the address.
    query: CallbackQuery,
}

/// Does what the person went to the provider for, and returns the token of a new or renewed
/// session; `None` after an identity was linked.
async fn finish_purpose(
    state: &DashboardState,
    oidc: &SignInProvider,
    ProviderCallback { pending, session, browser, language, client, query }: ProviderCallback<'_>,
) -> Result<Option<SessionToken>, DashboardError> {
    let claims = oidc.provider.finish(pending.request, query).await.map_err(ProviderFault::from)?;
    let by = state.audit(actor(&claims), &browser.device.name, client);
    let recognised = Browser { device: browser.device.clone(), language: language.tag() };
    let token = match (pending.purpose, session) {
        (AuthorizationPurpose::SignIn, _) => oidc.people.sign_in(&claims, recognised, &by).await?,
        (AuthorizationPurpose::Enrol(link), _) => {
            oidc.people.enrol(&link, &claims, recognised, &by).await?
        }
        (AuthorizationPurpose::Prove(_), Some(session)) => {
            oidc.people.prove(session, &claims, pending.begun_at).await?
        }
        (AuthorizationPurpose::Link(_), Some(session)) => {
            let by = state.audit(session.user.email.as_str(), &session.device, client);
            oidc.people.link(session, &claims, &by).await?;
            return Ok(None);
        }
        (AuthorizationPurpose::Prove(_) | AuthorizationPurpose::Link(_), None) => {
            return Err(ProviderFault::Ended.into());
        }
    };
    Ok(Some(token))
}

/// Who makes the change, for the audit log: by address, as everybody else, where the provider has
/// verified one.
fn actor(claims: &IdentityClaims) -> &str {
    claims.email.as_ref().map_or(claims.identity.subject.as_str(), |email| email.as_str())
}

/// The session with this id, if it is that of this browser, open, and has not ended.
async fn find_session(
    state: &DashboardState,
    headers: &HeaderMap,
    id: &str,
) -> Result<Session, DashboardError> {
    let token = cookies::session_token(headers, state.is_https()).ok_or(ProviderFault::Ended)?;
    match state.sessions.find(&token, RequestedBy::Person).await? {
        FoundSession::Open(open) if open.session.id.as_str() == id => Ok(open.session),
        _ => Err(ProviderFault::Ended.into()),
    }
}
