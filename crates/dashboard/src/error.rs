//! Requests that are answered with another page: a sign-in, a fresh proof, or a page that explains
//! a refusal.

use super::{language::Language, live, templates};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use minijinja::context;
use tua_domain::{
    people::IdentityRefusal,
    ports::{IdentityError, StoreError},
};
use tua_net::Client;
use tua_oidc::OidcError;
use tua_use_cases::AccountReadError;
use tua_web::http::ApiError;
use url::form_urlencoded::byte_serialize;

/// Why a request is not answered with its own page.
#[derive(Debug)]
pub(super) enum DashboardError {
    /// There is no session.
    SignInRequired(ReturnTo),
    /// The session is locked: only its PIN opens it.
    Locked(ReturnTo),
    /// The last proof is too old.
    ProofRequired(ReturnTo),
    /// The person's role does not permit it.
    NotPermitted,
    /// The page or what it names does not exist, or is another account's.
    NotFound,
    /// The link to enrol with was used, has expired, or never existed.
    LinkEnded,
    /// The form was not sent by a page of this session.
    ForeignForm,
    /// The request came over plain HTTP from another machine.
    Unencrypted,
    /// The form is too large, too slow or not a form.
    UnreadableForm(StatusCode),
    /// The store failed, or a page could not be drawn.
    Failed(StatusCode),
    /// The sign-in provider has signed nobody in.
    Provider(ProviderFault),
}

/// Why the sign-in provider has signed nobody in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProviderFault {
    /// The sign-in took too long, or another browser or another session began it.
    Ended,
    /// The provider did not respond.
    Unreachable,
    /// The provider or the person refused.
    Refused,
    /// The provider's response does not count.
    Invalid,
    /// A rule of the dashboard.
    Rule(IdentityRefusal),
}

impl ProviderFault {
    /// The status of the page, and the key of its texts.
    const fn page(self) -> (StatusCode, &'static str) {
        match self {
            Self::Ended => (StatusCode::BAD_REQUEST, "oidc-ended"),
            Self::Unreachable => (StatusCode::SERVICE_UNAVAILABLE, "oidc-unreachable"),
            Self::Refused => (StatusCode::FORBIDDEN, "oidc-refused"),
            Self::Invalid => (StatusCode::BAD_GATEWAY, "oidc-invalid"),
            Self::Rule(IdentityRefusal::NoRole) => (StatusCode::FORBIDDEN, "oidc-no-role"),
            Self::Rule(IdentityRefusal::NoEmail) => (StatusCode::FORBIDDEN, "oidc-no-email"),
            Self::Rule(IdentityRefusal::EmailTaken) => (StatusCode::FORBIDDEN, "oidc-email-taken"),
            Self::Rule(IdentityRefusal::NotLinked) => (StatusCode::FORBIDDEN, "oidc-not-linked"),
            Self::Rule(IdentityRefusal::NotFresh) => (StatusCode::FORBIDDEN, "oidc-not-fresh"),
            Self::Rule(IdentityRefusal::LinkEnded) => (StatusCode::NOT_FOUND, "link-ended"),
        }
    }
}

impl From<OidcError> for ProviderFault {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Unreachable => Self::Unreachable,
            OidcError::Refused => Self::Refused,
            OidcError::Invalid => Self::Invalid,
        }
    }
}

impl From<ProviderFault> for DashboardError {
    fn from(fault: ProviderFault) -> Self {
        Self::Provider(fault)
    }
}

impl From<IdentityError> for DashboardError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Refused(refusal) => Self::Provider(ProviderFault::Rule(refusal)),
            IdentityError::Store(error) => error.into(),
        }
    }
}

/// Where a person goes after a sign-in, a proof, or the PIN of a locked session.
#[derive(Debug, Default)]
pub(super) struct ReturnTo {
    /// The path, with its query, on the dashboard's origin.
    pub(super) path: String,
    /// The cookie with the form that was not sent, if there is one.
    pub(super) cookies: HeaderMap,
}

impl ReturnTo {
    /// A path, without a form.
    pub(super) fn path(path: impl Into<String>) -> Self {
        Self { path: path.into(), cookies: HeaderMap::new() }
    }

    /// The response that leads to the page of a sign-in or a proof.
    fn redirect(self, page: &str) -> Response {
        let mut response = redirect(&with_return(page, &self.path));
        response.headers_mut().extend(self.cookies);
        response
    }
}

/// The key of the texts of an error page. [`draw`] draws the page, because it has the language.
#[derive(Clone, Copy, Debug)]
struct ErrorTextKey(&'static str);

impl IntoResponse for DashboardError {
    fn into_response(self) -> Response {
        let (status, key) = match self {
            Self::SignInRequired(back) => return back.redirect("/dashboard/sign-in"),
            Self::Locked(back) => return back.redirect("/dashboard/unlock"),
            Self::ProofRequired(back) => return back.redirect("/dashboard/proof"),
            Self::NotPermitted => (StatusCode::FORBIDDEN, "not-permitted"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found"),
            Self::LinkEnded => (StatusCode::NOT_FOUND, "link-ended"),
            Self::ForeignForm => (StatusCode::FORBIDDEN, "foreign-form"),
            Self::Unencrypted => (StatusCode::FORBIDDEN, "unencrypted"),
            Self::UnreadableForm(StatusCode::PAYLOAD_TOO_LARGE) => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too-large")
            }
            Self::UnreadableForm(status) => (status, "unreadable-form"),
            Self::Failed(status) => (status, "failed"),
            Self::Provider(fault) => fault.page(),
        };
        let mut response = status.into_response();
        response.extensions_mut().insert(ErrorTextKey(key));
        response
    }
}

impl From<StoreError> for DashboardError {
    fn from(error: StoreError) -> Self {
        Self::Failed(ApiError::from(error).status())
    }
}

impl From<AccountReadError> for DashboardError {
    fn from(error: AccountReadError) -> Self {
        match error {
            AccountReadError::NoAccount(_) => Self::NotFound,
            AccountReadError::Store(error) => error.into(),
        }
    }
}

/// `303 See Other`: the browser gets this path.
pub(super) fn redirect(path: &str) -> Response {
    let Ok(path) = HeaderValue::try_from(path) else {
        return DashboardError::NotFound.into_response();
    };
    (StatusCode::SEE_OTHER, HeaderMap::from_iter([(header::LOCATION, path)])).into_response()
}

fn with_return(page: &str, path: &str) -> String {
    format!("{page}?return={}", byte_serialize(path.as_bytes()).collect::<String>())
}

/// The path to return to, if it is one of the dashboard. Any other could lead to another site.
pub(super) fn safe_return(path: &str) -> Option<&str> {
    let is_ours =
        path == "/dashboard" || path.starts_with("/dashboard/") || path.starts_with("/dashboard?");
    (is_ours && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')).then_some(path)
}

/// Refuses every request that others on the network could have read, as the API does with live
/// keys: passwords and the cookie of a session would be theirs. Requests from this machine pass.
pub(super) async fn require_encryption(request: Request, next: Next) -> Response {
    match request.extensions().get::<Client>() {
        Some(client) if client.https || client.local => next.run(request).await,
        _ => DashboardError::Unencrypted.into_response(),
    }
}

/// Adds the language to the request, and draws the page of a refusal. A page that refreshes itself
/// is loaded again where it would be led elsewhere.
pub(super) async fn draw(mut request: Request, next: Next) -> Response {
    let language = Language::of(request.headers());
    request.extensions_mut().insert(language);
    let is_refresh = live::is_refresh(request.headers());
    let mut response = next.run(request).await;
    if is_refresh && response.status() == StatusCode::SEE_OTHER {
        return live::reload();
    }
    match response.extensions_mut().remove::<ErrorTextKey>() {
        Some(ErrorTextKey(key)) => {
            let mut page =
                templates::render(language, response.status(), "message.html", context! { key });
            page.headers_mut().extend(
                std::mem::take(response.headers_mut()).into_iter().filter_map(|(name, value)| {
                    name.filter(|name| *name == header::SET_COOKIE || *name == header::RETRY_AFTER)
                        .map(|name| (name, value))
                }),
            );
            page
        }
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_dashboard_are_returned_to() {
        for path in ["/dashboard", "/dashboard?lang=fr", "/dashboard/accounts/acc_1/test/people"] {
            assert_eq!(safe_return(path), Some(path));
        }
        for path in [
            "",
            "/",
            "//evil.example",
            "https://evil.example",
            "/dashboards",
            "/dashboard/\r\nx",
            "/dashboard/\\x",
        ] {
            assert_eq!(safe_return(path), None, "{path:?}");
        }
    }
}
