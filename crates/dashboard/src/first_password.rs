//! A first password with one-time codes, of somebody who enrolled with a passkey.

use super::{
    enrol,
    error::{DashboardError, redirect},
    fields::Fields,
    security,
    state::DashboardState,
    visitor::SignedIn,
};
use axum::{Extension, extract::State, http::StatusCode, response::Response};
use minijinja::context;
use tua_net::Client;
use tua_use_cases::{EnrolError, EnrolmentFault};

/// `GET /dashboard/security/password/new`: the form, with a key for one-time codes. Only with a
/// fresh proof, and for people who have only passkeys.
pub(super) async fn show(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    check(&state, &person)?;
    Ok(form(&state, &person, StatusCode::OK, &[]))
}

/// `GET /dashboard/security/password/new/code.svg`: the key of the one-time codes as a QR code.
pub(super) async fn draw_code(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    check(&state, &person)?;
    enrol::code_image(
        &state.enrolments.totp_of(&person.session),
        person.session.user.email.as_str(),
    )
}

/// `POST /dashboard/security/password/new`: stores the password, if the one-time code is right for
/// the key of the form.
pub(super) async fn add(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    check(&state, &person)?;
    let by = person.audit(&state, client);
    let added = state
        .enrolments
        .add_password(&person.session, fields.get("password"), fields.get("code"), &by)
        .await;
    match added {
        Ok(()) => Ok(redirect(security::SAVED_PATH)),
        Err(EnrolError::Faults(faults)) => {
            Ok(form(&state, &person, StatusCode::UNPROCESSABLE_ENTITY, &faults))
        }
        Err(EnrolError::LinkEnded) => Err(DashboardError::NotPermitted),
        Err(EnrolError::Store(error)) => Err(error.into()),
    }
}

/// Permits it to people who have only passkeys, with a fresh proof.
fn check(state: &DashboardState, person: &SignedIn) -> Result<(), DashboardError> {
    if person.session.user.has_only_passkeys() {
        security::require_fresh(state, person)
    } else {
        Err(DashboardError::NotPermitted)
    }
}

fn form(
    state: &DashboardState,
    person: &SignedIn,
    status: StatusCode,
    faults: &[EnrolmentFault],
) -> Response {
    let values = context! {
        secret => state.enrolments.totp_of(&person.session).to_base32(),
        faults => context! {
            password => faults.contains(&EnrolmentFault::Password),
            code => faults.contains(&EnrolmentFault::Code),
        },
    };
    person.page(status, "first_password.html", values)
}
