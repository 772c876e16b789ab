//! The pages of an account, each with the permission that it needs. This is the only table: the router is made from
//! it, and a test sends a request with every role to each row.

use super::{
    guard::{Guard, Proof, require_permission},
    people,
    state::DashboardState,
};
use crate::domain::people::Permission as P;
use axum::{
    Router,
    handler::Handler,
    http::Method,
    middleware::from_fn_with_state,
    routing::{MethodFilter, MethodRouter, on},
};

/// Every page and action below `/dashboard/accounts/{account}/{mode}`.
#[must_use]
pub fn account_routes() -> Vec<AccountRoute> {
    vec![AccountRoute::get("/people", P::ManagePeople, people::list)]
}

/// A page or an action of an account.
#[derive(Debug)]
pub struct AccountRoute {
    /// GET for a page, POST for a form.
    pub method: Method,
    /// The path after account and mode.
    pub path: &'static str,
    /// What the person must be permitted to do in the account.
    pub permission: P,
    /// How fresh the proof must be.
    pub proof: Proof,
    handler: MethodRouter<DashboardState>,
}

impl AccountRoute {
    fn get<H: Handler<T, DashboardState>, T: 'static>(path: &'static str, permission: P, handler: H) -> Self {
        let handler = on(MethodFilter::GET, handler);
        Self { method: Method::GET, path, permission, proof: Proof::Session, handler }
    }

    /// Adds the route, behind its guard.
    pub(super) fn add_to(self, router: Router<DashboardState>, state: &DashboardState) -> Router<DashboardState> {
        let guard = Guard { state: state.clone(), permission: self.permission, proof: self.proof };
        let path = format!("/dashboard/accounts/{{account}}/{{mode}}{}", self.path);
        router.route(&path, self.handler.route_layer(from_fn_with_state(guard, require_permission)))
    }
}
