//! Decides whether a request may reach its page: session, account, permission, fresh proof, and who sent the form.

use super::{
    cookies,
    error::DashboardError,
    language::Language,
    same_origin,
    state::DashboardState,
    visitor::{SignedIn, Visitor},
};
use crate::domain::{Mode, Scope, people::Permission};
use axum::{
    RequestExt,
    extract::{RawPathParams, Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};

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
}

/// For pages that need a session, and no account.
pub(super) async fn require_session(State(state): State<DashboardState>, request: Request, next: Next) -> Response {
    match signed_in(&state, &request).await {
        Ok(person) => match check_form(&state, &person, request).await {
            Ok(mut request) => {
                request.extensions_mut().insert(person);
                next.run(request).await
            }
            Err(error) => error.into_response(),
        },
        Err(error) => error.into_response(),
    }
}

/// For pages of an account.
pub(super) async fn require_permission(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.admit(request).await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

impl Guard {
    /// The order of the checks: who, where, what, from where, how fresh. Only a member is told that something exists.
    async fn admit(&self, mut request: Request) -> Result<Request, DashboardError> {
        let person = signed_in(&self.state, &request).await?;
        let parameters = request.extract_parts::<RawPathParams>().await.map_err(|_| DashboardError::NotFound)?;
        let parameter = |name: &str| parameters.iter().find(|(one, _)| *one == name).map(|(_, value)| value);
        let mode = parameter("mode").and_then(Mode::parse).ok_or(DashboardError::NotFound)?;
        let wanted = parameter("account").ok_or(DashboardError::NotFound)?;
        let found = person.accounts.iter().find(|(account, _)| account.id.as_str() == wanted).cloned();
        let (account, role) = found.ok_or(DashboardError::NotFound)?;
        let client = *request.extensions().get().ok_or(DashboardError::NotFound)?;
        let visitor = Visitor { scope: Scope { account: account.id.clone(), mode }, account, role, person, client };
        if !visitor.may(self.permission) {
            return Err(DashboardError::NotPermitted);
        }
        let mut request = check_form(&self.state, &visitor.person, request).await?;
        if self.proof == Proof::Fresh && !visitor.person.session.is_fresh(self.state.clock.now()) {
            return Err(DashboardError::ProofRequired(self.form_page(&visitor, &request)));
        }
        request.extensions_mut().insert(visitor.person.clone());
        request.extensions_mut().insert(visitor);
        Ok(request)
    }

    /// The page that has the form of this request: a form is not sent again after a proof, because its fields are gone.
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

/// Finds the session. Reads the request before it awaits the store, because a body cannot be shared between threads.
fn signed_in(
    state: &DashboardState,
    request: &Request,
) -> impl Future<Output = Result<SignedIn, DashboardError>> + use<> {
    let state = state.clone();
    let path = request.uri().path_and_query().map_or("/dashboard", |path| path.as_str()).to_owned();
    let return_to = if *request.method() == Method::GET { path.clone() } else { "/dashboard".to_owned() };
    let token = cookies::session_token(request.headers(), state.is_https());
    let language = request.extensions().get::<Language>().copied().unwrap_or_default();
    async move {
        let Some(token) = token else { return Err(DashboardError::SignInRequired(return_to)) };
        let found = state.sessions.find(&token).await?;
        let session = found.ok_or(DashboardError::SignInRequired(return_to))?;
        let mut accounts = Vec::new();
        for membership in state.store.memberships(&session.user.id).await? {
            if let Some(account) = state.store.account(&membership.account).await? {
                accounts.push((account, membership.role));
            }
        }
        Ok(SignedIn { session, token, language, accounts, path })
    }
}

/// A request that changes something must be a form of this session.
async fn check_form(state: &DashboardState, person: &SignedIn, request: Request) -> Result<Request, DashboardError> {
    if request.method().is_safe() {
        return Ok(request);
    }
    same_origin::check_origin(state, request.headers())?;
    same_origin::check_form(state, request, &person.token).await
}
