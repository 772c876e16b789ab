//! A person's own security: sessions, password, recovery codes. A password and recovery codes need a fresh proof.

use super::{
    error::{DashboardError, ReturnTo, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::SignedIn,
};
use crate::{domain::SessionId, net::Client};
use axum::{
    Extension,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;

const PAGE: &str = "/dashboard/security";

/// `GET /dashboard/security`.
pub(super) async fn show(State(state): State<DashboardState>, person: SignedIn) -> Result<Response, DashboardError> {
    page(&state, &person, StatusCode::OK, None).await
}

async fn page(
    state: &DashboardState,
    person: &SignedIn,
    status: StatusCode,
    fault: Option<&str>,
) -> Result<Response, DashboardError> {
    let sessions = state.sessions.of_person(&person.session).await?;
    let sessions = sessions.iter().map(|one| {
        context! {
            id => one.id.as_str(),
            device => &one.device,
            created_at => one.created_at.to_string(),
            seen_at => one.seen_at.to_string(),
            is_this => one.id == person.session.id,
        }
    });
    let sessions = sessions.collect::<Vec<_>>();
    let codes_left = state.store.recovery_codes_left(&person.session.user.id).await?;
    Ok(person.page(status, "security.html", context! { sessions, codes_left, fault }))
}

/// `POST /dashboard/security/password`.
pub(super) async fn change_password(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    require_fresh(&state, &person)?;
    let by = state.audit(person.session.user.email.as_str(), client);
    match state.enrolments.change_password(&person.session, fields.get("password"), &by).await? {
        true => Ok(redirect(PAGE)),
        false => page(&state, &person, StatusCode::UNPROCESSABLE_ENTITY, Some("fault-password")).await,
    }
}

/// `POST /dashboard/security/recovery-codes`: new codes, which are shown once.
pub(super) async fn replace_recovery_codes(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    require_fresh(&state, &person)?;
    let by = state.audit(person.session.user.email.as_str(), client);
    let codes = state.enrolments.replace_recovery_codes(&person.session.user, &by).await?;
    let codes: Vec<String> = codes.iter().map(|code| code.as_str().to_owned()).collect();
    Ok(person.page(StatusCode::OK, "recovery_codes.html", context! { codes }))
}

/// `POST /dashboard/security/sessions/{session}/end`.
pub(super) async fn end_session(
    State(state): State<DashboardState>,
    person: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, DashboardError> {
    match state.sessions.end(&person.session, &SessionId::new(id)).await? {
        true => Ok(redirect(PAGE)),
        false => Err(DashboardError::NotFound),
    }
}

fn require_fresh(state: &DashboardState, person: &SignedIn) -> Result<(), DashboardError> {
    match person.session.is_fresh(state.clock.now()) {
        true => Ok(()),
        false => Err(DashboardError::ProofRequired(ReturnTo::path(PAGE))),
    }
}
