//! The link of `tua demo`, which signs the visitor in as the owner of the demo shop. It exists in
//! the demo only, and works once.

use super::{
    cookies, device,
    error::{DashboardError, redirect},
    state::DashboardState,
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_domain::{people::StaffEmail, secret::SecretDigest};

/// The address of the demo's owner.
pub const DEMO_EMAIL: &str = "owner@demo.example";

/// The demo's link. Clones share whether it was used.
#[derive(Clone, Debug)]
pub struct DemoLink {
    digest: SecretDigest,
    is_used: Arc<AtomicBool>,
}

impl DemoLink {
    /// The link with the token of this digest.
    #[must_use]
    pub fn new(digest: SecretDigest) -> Self {
        Self { digest, is_used: Arc::default() }
    }
}

/// `GET /dashboard/demo/{token}`: signs in as the owner of the demo shop. The second request gets
/// the page of a link that has ended.
pub(super) async fn open(
    State(state): State<DashboardState>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, DashboardError> {
    let is_right = |link: &&DemoLink| link.digest == SecretDigest::of(&token);
    let link = state.demo.as_ref().filter(is_right).ok_or(DashboardError::LinkEnded)?;
    let email: StaffEmail = DEMO_EMAIL.parse().map_err(|_| DashboardError::LinkEnded)?;
    let user = state.members.first_of_address(&email).await?.ok_or(DashboardError::LinkEnded)?;
    if link.is_used.swap(true, Ordering::SeqCst) {
        return Err(DashboardError::LinkEnded);
    }
    // The demo's owner has no password to prove anything with.
    let token = state.sessions.begin_without_credentials(user, device::name(&headers)).await?;
    let mut response = redirect("/dashboard");
    cookies::begin_session(response.headers_mut(), &token, state.is_https());
    Ok(response)
}
