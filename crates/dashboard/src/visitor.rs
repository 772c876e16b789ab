//! Who made a request, and for which account and mode.

use super::{
    error::DashboardError,
    language::{LANGUAGES, Language},
    navigation::{self, WaitingCounts},
    state::DashboardState,
    templates,
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
};
use jiff::Timestamp;
use minijinja::{Value, context};
use std::collections::{BTreeMap, BTreeSet};
use tua_domain::{
    Account, Scope,
    audit::AuditContext,
    people::{LOCK_AFTER, Permission, Role, Session, SessionToken},
    reporting::ReportFilter,
};
use tua_net::Client;

/// A person who has signed in.
#[derive(Clone, Debug)]
pub(super) struct SignedIn {
    /// The session whose token the cookie has, with its person.
    pub(super) session: Session,
    /// The token of the session's cookie, from which form tokens are derived.
    pub(super) token: SessionToken,
    /// The language of the page.
    pub(super) language: Language,
    /// The accounts of the person, with the role in each.
    pub(super) accounts: Vec<(Account, Role)>,
    /// The path and query of this request.
    pub(super) path: String,
    /// When the request arrived: it decides which day is today on the page.
    pub(super) now: Timestamp,
}

/// A person on a page of an account. [`super::guard`] has checked the permission of the page.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    /// Who has signed in, with the session and the language.
    pub(super) person: SignedIn,
    /// The account of the page.
    pub(super) account: Account,
    /// The account and mode that everything on the page is about.
    pub(super) scope: Scope,
    /// The person's role in the account.
    pub(super) role: Role,
    /// What waits for a person in the account and mode.
    pub(super) waiting: WaitingCounts,
    /// From where the request comes.
    pub(super) client: Client,
}

impl SignedIn {
    /// A page that is not about one account.
    pub(super) fn page(&self, status: StatusCode, template: &str, values: Value) -> Response {
        let own = self.values();
        assert_apart(template, &values, &own);
        templates::render(self.language, status, template, context! { ..values, ..own })
    }

    /// The person as the audit log names who makes a change.
    pub(super) fn audit(&self, state: &DashboardState, client: Client) -> AuditContext {
        state.audit(self.session.user.email.as_str(), &self.session.device, client)
    }

    fn values(&self) -> Value {
        context! {
            person => context! {
                email => self.session.user.email.as_str(),
                name => &self.session.user.name,
            },
            form_token => self.token.form_token(),
            path => &self.path,
            // Only of a session with a PIN.
            lock_seconds => self.session.till_lock.as_ref().map(|_| LOCK_AFTER.as_secs()),
            now => self.now.to_string(),
            languages => LANGUAGES.map(|one| context! { code => one.code(), name => one.name() }),
        }
    }
}

impl Visitor {
    /// This filter, of what the person may see.
    pub(super) fn seen(&self, filter: ReportFilter) -> ReportFilter {
        if self.may(Permission::ReadPayouts) { filter } else { filter.without_payouts() }
    }

    /// Whether the person may do this in the account.
    pub(super) const fn may(&self, permission: Permission) -> bool {
        self.role.may(permission)
    }

    /// The person as the audit log names who makes a change.
    pub(super) fn audit(&self, state: &DashboardState) -> AuditContext {
        self.person.audit(state, self.client)
    }

    /// The address of another page of the same account and mode, such as `/people`.
    pub(super) fn href(&self, path: &str) -> String {
        format!("/dashboard/accounts/{}/{}{path}", self.scope.account, self.scope.mode.as_str())
    }

    /// A page of the account. The template gets `values` and what the layout shows.
    pub(super) fn page(&self, template: &str, values: Value) -> Response {
        self.page_with(StatusCode::OK, template, values)
    }

    /// As [`Self::page`], with another status, for a form with faults.
    pub(super) fn page_with(&self, status: StatusCode, template: &str, values: Value) -> Response {
        let base = self.href("");
        let own = context! {
            base => &base,
            account => context! { id => self.account.id.as_str(), name => &self.account.name },
            mode => self.scope.mode.as_str(),
            role => self.role.as_str(),
            may => Permission::ALL
                .iter()
                .map(|one| (one.as_str(), self.may(*one)))
                .collect::<BTreeMap<_, _>>(),
            navigation => navigation::groups(self.role, &base, &self.person.path, self.waiting),
            waiting_count => self.waiting.total(),
            navigation_path => navigation::current(&base, &self.person.path),
            accounts => self.person.accounts.iter()
                .map(|(one, _)| context! { id => one.id.as_str(), name => &one.name })
                .collect::<Vec<_>>(),
        };
        assert_apart(template, &values, &own);
        self.person.page(status, template, context! { ..values, ..own })
    }
}

/// Stops a test in which a page has a value with the name of one of the layout's: the layout would
/// show it in place of its own.
fn assert_apart(template: &str, page: &Value, layout: &Value) {
    let names = |values: &Value| -> BTreeSet<String> {
        values.try_iter().into_iter().flatten().map(|name| name.to_string()).collect()
    };
    debug_assert!(
        names(page).is_disjoint(&names(layout)),
        "{template}: {:?}",
        names(page).intersection(&names(layout)).collect::<Vec<_>>()
    );
}

macro_rules! from_extensions {
    ($type:ty) => {
        impl FromRequestParts<DashboardState> for $type {
            type Rejection = DashboardError;

            async fn from_request_parts(
                parts: &mut Parts,
                _: &DashboardState,
            ) -> Result<Self, DashboardError> {
                // Absent only on a route without the guard.
                parts.extensions.get::<Self>().cloned().ok_or(DashboardError::NotPermitted)
            }
        }
    };
}

from_extensions!(SignedIn);
from_extensions!(Visitor);
