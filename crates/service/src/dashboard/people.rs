//! The people of an account.

use super::{error::DashboardError, state::DashboardState, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::context;

/// `GET /people`: who may do what in the account.
pub(super) async fn list(State(state): State<DashboardState>, visitor: Visitor) -> Result<Response, DashboardError> {
    let members = state.store.members(&visitor.account.id).await?;
    let members = members.iter().map(|member| {
        context! {
            id => member.user.id.as_str(),
            email => member.user.email.as_str(),
            name => &member.user.name,
            role => member.role.as_str(),
            is_enrolled => member.user.is_enrolled,
        }
    });
    Ok(visitor.page("people.html", context! { members => members.collect::<Vec<_>>() }))
}
