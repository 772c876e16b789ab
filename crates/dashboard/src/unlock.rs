//! The page that a locked session shows in place of every other one, until a person enters its PIN.
//! Nothing of the person, of an account or of a payment is on it.

use super::{
    cookies,
    error::{DashboardError, ReturnTo, redirect, safe_return},
    fields::Fields,
    language::{LANGUAGES, Language},
    same_origin,
    sign_in::{ReturnQuery, SignInRefusal, sign_in_page},
    state::DashboardState,
    templates, unsent_form,
};
use axum::{
    Extension,
    extract::{FromRequest, Query, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use minijinja::context;
use tua_domain::people::{MAX_PIN_TRIES, Session, SessionToken, TillLock};
use tua_net::Client;
use tua_use_cases::{FoundSession, RequestedBy, UnlockOutcome};

/// The page's own path.
pub(super) const PAGE: &str = "/dashboard/unlock";

/// The first page of a person.
const FIRST_PAGE: &str = "/dashboard";

const ENDED: SignInRefusal =
    SignInRefusal { status: StatusCode::FORBIDDEN, text: "unlock-ended", retry_after: None };

/// Where a person goes on after the PIN: the till, with the link whose code it shows, a form that
/// was kept, or else the first page. Other addresses may have the number of a payer, which the page
/// must not show.
pub(super) fn return_path_after_unlock(path: &str) -> &str {
    let (page, query) = path.split_once('?').unwrap_or((path, ""));
    let is_allowed = till_of(page).is_some() || page == unsent_form::PAGE;
    let is_link = query.strip_prefix("link=").is_some_and(|id| !id.contains('&'));
    safe_return(if is_link { path } else { page }).filter(|_| is_allowed).unwrap_or(FIRST_PAGE)
}

/// Where a person goes on after the PIN, if a form of this path was refused and not kept.
pub(super) fn return_path_after_form(path: &str) -> &str {
    till_of(path).and_then(safe_return).unwrap_or(FIRST_PAGE)
}

/// The till of a path that is it or below it.
fn till_of(path: &str) -> Option<&str> {
    let segments: Vec<&str> = path.split('/').collect();
    let ["", "dashboard", "accounts", account, mode, "till", ..] = segments[..] else {
        return None;
    };
    path.get(.."/dashboard/accounts///till".len() + account.len() + mode.len())
}

/// `GET /dashboard/unlock`: asks for the PIN.
pub(super) async fn show(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    headers: HeaderMap,
    Query(back): Query<ReturnQuery>,
) -> Result<Response, DashboardError> {
    let token = session_token(&state, &headers)?;
    let page = UnlockPage { language, token: &token, back: return_path_after_unlock(back.path()) };
    Ok(match locked_session(&state, &token).await? {
        Some((_, lock)) => page.render(lock.tries_left(), None),
        None => redirect(page.back),
    })
}

/// `POST /dashboard/unlock`: unlocks the session, shows the form again, or ends the session after
/// too many wrong PINs.
pub(super) async fn unlock(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let token = session_token(&state, &headers)?;
    let request = same_origin::check_form(&state, request, &token).await?;
    let fields = Fields::from_request(request, &state).await?;
    let page = UnlockPage {
        language,
        token: &token,
        back: return_path_after_unlock(fields.return_path()),
    };
    let Some((session, lock)) = locked_session(&state, &token).await? else {
        return Ok(redirect(page.back));
    };
    let by = state.audit(session.user.email.as_str(), &session.device, client);
    let address = client.limited_address();
    Ok(match state.sessions.unlock(&session, &lock, fields.get("pin"), address, &by).await? {
        UnlockOutcome::Decided => redirect(page.back),
        UnlockOutcome::NotDigits => page.render(lock.tries_left(), Some("till-pin-not-digits")),
        UnlockOutcome::Wrong { tries_left } => page.render(tries_left, Some("unlock-wrong")),
        UnlockOutcome::Ended => {
            let mut response = sign_in_page(&state, language, page.back, "", Some(ENDED));
            let is_https = state.is_https();
            cookies::end_session(response.headers_mut(), is_https);
            cookies::keep_locked_out(response.headers_mut(), is_https);
            response
        }
    })
}

/// The page of one request.
struct UnlockPage<'a> {
    language: Language,
    /// The token of the session, from which the one of the form is derived.
    token: &'a SessionToken,
    /// Where the person goes on, by [`return_path_after_unlock`].
    back: &'a str,
}

impl UnlockPage<'_> {
    /// The form, with the key of the text of a fault. Once a PIN was wrong, it has the number of
    /// tries that are left.
    fn render(&self, tries_left: u32, fault: Option<&str>) -> Response {
        let status = fault.map_or(StatusCode::OK, |_| StatusCode::UNPROCESSABLE_ENTITY);
        let values = context! {
            back => self.back,
            form_token => self.token.form_token(),
            fault,
            tries_left => (1..MAX_PIN_TRIES).contains(&tries_left).then_some(tries_left),
            languages => LANGUAGES.map(|one| context! { code => one.code(), name => one.name() }),
        };
        templates::render(self.language, status, "unlock.html", values)
    }
}

/// The token of the browser's session.
fn session_token(
    state: &DashboardState,
    headers: &HeaderMap,
) -> Result<SessionToken, DashboardError> {
    cookies::session_token(headers, state.is_https()).ok_or_else(sign_in_required)
}

/// The session with this token and its lock; `None` if it is open.
async fn locked_session(
    state: &DashboardState,
    token: &SessionToken,
) -> Result<Option<(Session, TillLock)>, DashboardError> {
    match state.sessions.find(token, RequestedBy::Page).await? {
        FoundSession::Open(_) => Ok(None),
        FoundSession::Ended => Err(sign_in_required()),
        FoundSession::Locked(session) => {
            let lock = session.till_lock.clone();
            Ok(lock.map(|lock| (session, lock)))
        }
    }
}

fn sign_in_required() -> DashboardError {
    DashboardError::SignInRequired(ReturnTo::path(FIRST_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_name_nobody_are_returned_to() {
        let account = "/dashboard/accounts/acc_1/live";
        for (path, after) in [
            ("/till", "/till"),
            ("/till?again=txn_1", "/till"),
            ("/till/txn_1", "/till/txn_1"),
            ("/payments/customers/0241234567", ""),
            ("/payments?q=Ama", ""),
            ("/tills", ""),
        ] {
            let expected =
                if after.is_empty() { FIRST_PAGE.to_owned() } else { format!("{account}{after}") };
            assert_eq!(return_path_after_unlock(&format!("{account}{path}")), expected, "{path}");
        }
        assert_eq!(return_path_after_unlock(unsent_form::PAGE), unsent_form::PAGE);
        for path in ["//evil.example/accounts/a/live/till", "/dashboard/security", ""] {
            assert_eq!(return_path_after_unlock(path), FIRST_PAGE, "{path}");
        }
    }
}
