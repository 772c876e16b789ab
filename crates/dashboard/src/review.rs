//! The payments that a person must decide about.

use super::{error::DashboardError, state::DashboardState, views, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::context;

/// `GET /review`: oldest first. The decision is made on the payment's own page, beside its
/// evidence.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let flagged = state.reviews.of_scope(&visitor.scope).await?;
    let rows = flagged.iter().map(|one| {
        context! {
            since => one.at.to_string(),
            case => one.case.as_str(),
            ..views::transaction(&one.transaction)
        }
    });
    Ok(visitor.page("review.html", context! { rows => rows.collect::<Vec<_>>() }))
}
