//! The PIN of a session at the till: set, changed and removed by the person who is signed in
//! there, with a fresh proof; and the button that locks the session.

use super::{
    error::{DashboardError, ReturnTo, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::State,
    http::{HeaderName, HeaderValue, StatusCode},
    response::Response,
};
use minijinja::context;
use tua_domain::people::{TillPin, TillPinFault};

/// The till, and the page of its PIN, below account and mode.
const TILL: &str = "/till";
const PAGE: &str = "/till/pin";

/// The button to go back must not show a page from before the lock.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// `GET /till/pin`: the form for a new PIN, and a button that removes the one that is set.
pub(super) async fn show(visitor: Visitor) -> Response {
    page(&visitor, None)
}

/// `POST /till/pin`: gives the session this PIN.
pub(super) async fn set(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let pin = match read_pin(&fields) {
        Ok(pin) => pin,
        Err(fault) => return Ok(page(&visitor, Some(fault))),
    };
    let by = visitor.audit(&state);
    if state.sessions.set_till_pin(&visitor.person.session, pin, &by).await? {
        Ok(redirect(&visitor.href(TILL)))
    } else {
        Err(DashboardError::SignInRequired(ReturnTo::path(visitor.href(PAGE))))
    }
}

/// `POST /till/pin/remove`: the session is never locked again.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let by = visitor.audit(&state);
    state.sessions.remove_till_pin(&visitor.person.session, &by).await?;
    Ok(redirect(&visitor.href(TILL)))
}

/// `POST /till/lock`: locks the session. Without a PIN nothing would unlock it, so it leads to the
/// page that sets one.
pub(super) async fn lock(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let is_locked = state.sessions.lock(&visitor.person.session).await?;
    let mut response = redirect(&visitor.href(if is_locked { TILL } else { PAGE }));
    response.headers_mut().insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// The PIN, which was typed twice, or the key of the text of its fault.
fn read_pin(fields: &Fields) -> Result<TillPin, &'static str> {
    let pin = TillPin::new(fields.get("pin")).map_err(|fault| match fault {
        TillPinFault::NotDigits => "till-pin-not-digits",
        TillPinFault::OneDigit => "till-pin-one-digit",
        TillPinFault::Run => "till-pin-run",
    })?;
    let again = TillPin::parse_typed(fields.get("again"));
    if again.as_ref() == Some(&pin) { Ok(pin) } else { Err("till-pin-differs") }
}

fn page(visitor: &Visitor, fault: Option<&str>) -> Response {
    let status = fault.map_or(StatusCode::OK, |_| StatusCode::UNPROCESSABLE_ENTITY);
    visitor.page_with(status, "till_pin.html", context! { fault })
}
