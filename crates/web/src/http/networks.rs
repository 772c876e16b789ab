//! `GET /v1/networks`: which networks are served now (docs/reference/operators.md#networks).

use super::{access, auth::Authenticated, problem::ApiError};
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use tua_api::resources::NetworksView;
use tua_domain::Caller;
use tua_use_cases::Networks;

/// Shows how the networks are served for the caller's account and mode.
pub(super) async fn list_networks(
    State(networks): State<Networks>,
    caller: Authenticated,
) -> Result<Response, ApiError> {
    let caller = caller.any_key_or_token(access::LIST_NETWORKS)?;
    let services = networks.services(caller.scope(), matches!(caller, Caller::Token(_)));
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(NetworksView::new(services))).into_response())
}
