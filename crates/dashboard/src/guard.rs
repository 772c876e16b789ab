//! Decides whether a request may reach its page: session, account, permission, fresh proof, and who
//! sent the form.

use super::{
    cookies,
    error::{DashboardError, ReturnTo},
    language::Language,
    live,
    navigation::WaitingCounts,
    same_origin,
    state::DashboardState,
    unlock,
    unsent_form::{self, UnsentForm},
    uploads,
    visitor::{SignedIn, Visitor},
};
use axum::{
    RequestExt,
    extract::{RawPathParams, Request, State},
    http::{HeaderMap, Method},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tua_domain::{
    Mode, Scope, UserId,
    people::{Permission, Role, Session, SessionToken, User},
    reporting::{Attention, ReportFilter},
};
use tua_use_cases::{FoundSession, OpenSession, RequestedBy};
use tua_web::http::read_body;

/// Whether password and code must have been given within the last five minutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// A session is enough.
    Session,
    /// They must have been given just now.
    Fresh,
}

/// What a page of an account needs.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub(super) state: DashboardState,
    pub(super) permission: Permission,
    pub(super) proof: Proof,
    /// How many segments after account and mode name the page that has the form of this route.
    pub(super) page_segments: usize,
    /// How many bytes the form of this route may have, if it has a file.
    pub(super) upload_bytes: Option<usize>,
}

/// For pages that need a session, and no account.
pub(super) async fn require_session(
    State(state): State<DashboardState>,
    request: Request,
    next: Next,
) -> Response {
    let checked = match signed_in(&state, request).await {
        Ok((person, request)) => {
            check_form(&state, &person, request).await.map(|request| (person, request))
        }
        Err(error) => Err(error),
    };
    match checked {
        Ok((person, mut request)) => {
            request.extensions_mut().insert(person);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

/// For pages of an account.
pub(super) async fn require_permission(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let mut reserved = None;
    if let Some(bytes) = guard.upload_bytes {
        match uploads::reserve(bytes, guard.state.body_timeout.0).await {
            Ok(permit) => reserved = Some(permit),
            Err(error) => return error.into_response(),
        }
    }
    let response = match guard.admit(request).await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    // Not before: the file is in memory as long.
    drop(reserved);
    response
}

impl Guard {
    /// The order of the checks: who, where, what, from where, how fresh. Only members get another
    /// response than "not found".
    async fn admit(&self, request: Request) -> Result<Request, DashboardError> {
        let (person, mut request) = signed_in(&self.state, request).await?;
        let parameters =
            request.extract_parts::<RawPathParams>().await.map_err(|_| DashboardError::NotFound)?;
        let parameter =
            |name: &str| parameters.iter().find(|(one, _)| *one == name).map(|(_, value)| value);
        let mode = parameter("mode").and_then(Mode::parse).ok_or(DashboardError::NotFound)?;
        let wanted = parameter("account").ok_or(DashboardError::NotFound)?;
        let found =
            person.accounts.iter().find(|(account, _)| account.id.as_str() == wanted).cloned();
        let (account, role) = found.ok_or(DashboardError::NotFound)?;
        let client = *request.extensions().get().ok_or(DashboardError::NotFound)?;
        if !role.may(self.permission) {
            return Err(DashboardError::NotPermitted);
        }
        let scope = Scope { account: account.id.clone(), mode };
        let waiting = waiting_counts(&self.state, &scope, role, &person.session.user).await;
        let visitor = Visitor { scope, account, role, waiting, person, client };
        let mut request = check_form(&self.state, &visitor.person, request).await?;
        if self.proof == Proof::Fresh && !visitor.person.session.is_fresh(self.state.clock.now()) {
            let page = self.form_page(&visitor, &request);
            let user = visitor.person.session.user.id.clone();
            return Err(DashboardError::ProofRequired(
                keep_form(&self.state, &user, request, page).await,
            ));
        }
        request.extensions_mut().insert(visitor.person.clone());
        request.extensions_mut().insert(visitor);
        Ok(request)
    }

    /// The page that has the form of this request.
    fn form_page(&self, visitor: &Visitor, request: &Request) -> String {
        if *request.method() == Method::GET {
            return visitor.person.path.clone();
        }
        let base = visitor.href("");
        let path = visitor.person.path.split('?').next().unwrap_or_default();
        let below = path.strip_prefix(&base).unwrap_or_default();
        let page: Vec<&str> = below.split('/').take(self.page_segments + 1).collect();
        format!("{base}{}", page.join("/"))
    }
}

/// Finds the session. Returns the request too, because a body cannot be shared between threads.
async fn signed_in(
    state: &DashboardState,
    request: Request,
) -> Result<(SignedIn, Request), DashboardError> {
    let path = request.uri().path_and_query().map_or("/dashboard", |path| path.as_str()).to_owned();
    let language = request.extensions().get::<Language>().copied().unwrap_or_default();
    let Some(token) = cookies::session_token(request.headers(), state.is_https()) else {
        let path = if *request.method() == Method::GET { path } else { "/dashboard".to_owned() };
        return Err(DashboardError::SignInRequired(ReturnTo::path(path)));
    };
    let is_automatic = live::is_automatic(request.headers(), request.uri());
    let by = if is_automatic { RequestedBy::Page } else { RequestedBy::Person };
    let OpenSession { session, accounts } = match state.sessions.find(&token, by).await? {
        FoundSession::Open(open) => open,
        FoundSession::Locked(session) => {
            return Err(session_locked(state, &token, &session, &path, request).await);
        }
        FoundSession::Ended => return Err(session_ended(state, &token, path, request).await),
    };
    let now = state.clock.now();
    Ok((SignedIn { session, token, language, accounts, path, now }, request))
}

/// What waits for a person with this role. A page is shown without the numbers where they cannot be
/// read: if the store fails, what the page itself reads fails too and reports it.
async fn waiting_counts(
    state: &DashboardState,
    scope: &Scope,
    role: Role,
    reader: &User,
) -> WaitingCounts {
    let mut counts = WaitingCounts::default();
    if role.may(Permission::SettlePayments) {
        let filter =
            ReportFilter { attention: Some(Attention::Flagged), ..ReportFilter::default() };
        let flagged = state.reports.totals(scope, &filter).await;
        counts.reviews = flagged.map_or(0, |totals| totals.payments());
    }
    if role.may(Permission::DecidePayouts) {
        let counted = state.payout_lists.approval_counts(scope, reader).await;
        counts.approvals = counted.unwrap_or_default();
    }
    counts
}

/// The sign-in, after which the person goes on where the session ended. A form is kept if it is of
/// that session.
async fn session_ended(
    state: &DashboardState,
    token: &SessionToken,
    path: String,
    request: Request,
) -> DashboardError {
    if *request.method() == Method::GET {
        return DashboardError::SignInRequired(ReturnTo::path(path));
    }
    DashboardError::SignInRequired(match state.sessions.person_of(token).await {
        Ok(Some(person)) => keep_own_form(state, token, &person, request, "/dashboard").await,
        Ok(None) => ReturnTo::path("/dashboard"),
        Err(error) => return error.into(),
    })
}

/// The page that asks for the PIN, after which the person goes on at the till. A form is refused,
/// and kept if it is of that session.
async fn session_locked(
    state: &DashboardState,
    token: &SessionToken,
    session: &Session,
    path: &str,
    request: Request,
) -> DashboardError {
    DashboardError::Locked(if *request.method() == Method::GET {
        ReturnTo::path(unlock::return_path_after_unlock(path))
    } else {
        keep_own_form(state, token, &session.user.id, request, unlock::return_path_after_form(path))
            .await
    })
}

/// Keeps the form of this request, if a page of this session sent it. `page` is as in
/// [`keep_form`].
async fn keep_own_form(
    state: &DashboardState,
    token: &SessionToken,
    user: &UserId,
    request: Request,
    page: &str,
) -> ReturnTo {
    let back = page.to_owned();
    if same_origin::check_origin(state, request.headers()).is_err() {
        return ReturnTo::path(back);
    }
    match same_origin::check_form(state, request, token).await {
        Ok(request) => keep_form(state, user, request, back).await,
        Err(_) => ReturnTo::path(back),
    }
}

/// Keeps the form of this request, whose body was read. `page` is where the person goes if there is
/// nothing to keep, or if the form has a file.
async fn keep_form(
    state: &DashboardState,
    user: &UserId,
    request: Request,
    page: String,
) -> ReturnTo {
    if !same_origin::is_url_encoded(request.headers()) {
        return ReturnTo::path(page);
    }
    let path = request.uri().path().to_owned();
    let form = match read_body(request, state.body_timeout).await {
        Ok(body) => UnsentForm::new(user, &path, &body, state.clock.now()),
        Err(_) => None,
    };
    let mut cookies = HeaderMap::new();
    if form.is_some_and(|form| form.keep(state, &mut cookies)) {
        ReturnTo { path: unsent_form::PAGE.to_owned(), cookies }
    } else {
        ReturnTo::path(page)
    }
}

/// A request that changes something must be a form of this session.
async fn check_form(
    state: &DashboardState,
    person: &SignedIn,
    request: Request,
) -> Result<Request, DashboardError> {
    if request.method().is_safe() {
        return Ok(request);
    }
    same_origin::check_origin(state, request.headers())?;
    same_origin::check_form(state, request, &person.token).await
}
