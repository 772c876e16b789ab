//! The route of the demo's link.

use super::{
    cookies,
    demo_link::{DEMO_EMAIL, DemoLink},
    device,
    error::{DashboardError, redirect},
    state::DashboardState,
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use tua_domain::people::StaffEmail;

/// `GET /dashboard/demo/{token}`: signs in as the owner of the demo shop. The second request gets
/// the page of a link that has ended.
pub(super) async fn open(
    State(state): State<DashboardState>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, DashboardError> {
    let is_right = |link: &&DemoLink| link.has(&token);
    let link = state.demo.as_ref().filter(is_right).ok_or(DashboardError::LinkEnded)?;
    let email: StaffEmail = DEMO_EMAIL.parse().map_err(|_| DashboardError::LinkEnded)?;
    let user = state.members.first_of_address(&email).await?.ok_or(DashboardError::LinkEnded)?;
    if !link.take_first_use() {
        return Err(DashboardError::LinkEnded);
    }
    // The demo's owner has no password to prove anything with.
    let token = state.sessions.begin_without_credentials(user, device::name(&headers)).await?;
    let mut response = redirect("/dashboard");
    cookies::begin_session(response.headers_mut(), &token, state.is_https());
    Ok(response)
}
