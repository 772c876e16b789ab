//! Protection against cross-site request forgery: a form counts only if a page of this origin sent
//! it, and if it has the token of the session.

use super::{error::DashboardError, file_form::FileForm, state::DashboardState};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use tua_domain::{people::SessionToken, secret::SecretDigest};
use tua_web::http::{FormSender, read_body};
use url::form_urlencoded;

/// The field of each form that carries the token.
pub(super) const TOKEN_FIELD: &str = "formToken";

/// Refuses a request that another site may have caused.
pub(super) fn check_origin(
    state: &DashboardState,
    headers: &HeaderMap,
) -> Result<(), DashboardError> {
    let is_own = FormSender::of(headers, &state.public_url) == FormSender::OwnPage;
    if is_own { Ok(()) } else { Err(DashboardError::ForeignForm) }
}

/// Whether the body is a form without files.
pub(super) fn is_url_encoded(headers: &HeaderMap) -> bool {
    content_type(headers).starts_with("application/x-www-form-urlencoded")
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Reads the form, and refuses it without the token of this session. Returns the request with the
/// same body.
pub(super) async fn check_form(
    state: &DashboardState,
    request: Request,
    token: &SessionToken,
) -> Result<Request, DashboardError> {
    let (parts, body) = request.into_parts();
    let head = Request::from_parts(parts.clone(), body);
    let bytes = read_body(head, state.body_timeout)
        .await
        .map_err(|error| DashboardError::UnreadableForm(error.status()))?;
    let sent = if is_url_encoded(&parts.headers) {
        form_urlencoded::parse(&bytes)
            .find(|(name, _)| name == TOKEN_FIELD)
            .map(|(_, value)| value.into_owned())
    } else if content_type(&parts.headers).starts_with("multipart/form-data") {
        let copy = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
        FileForm::read(copy).await?.text(TOKEN_FIELD)
    } else {
        return Err(DashboardError::UnreadableForm(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    };
    // Digests are compared, so that the time of the comparison reveals nothing.
    let is_ours =
        sent.is_some_and(|sent| SecretDigest::of(&sent) == SecretDigest::of(&token.form_token()));
    if is_ours {
        Ok(Request::from_parts(parts, Body::from(bytes)))
    } else {
        Err(DashboardError::ForeignForm)
    }
}
