//! The hosted page: `GET /pay?key=<token>` (contract section 4).

pub mod page;
pub mod policy;

use crate::{
    app::App,
    domain::Caller,
    http::{ApiError, is_component_built},
    secret::{CHECKOUT_PREFIX, SecretDigest},
};
use axum::{
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use page::Page;
use std::sync::Arc;

/// Shows a session to its payer, or says kindly why it cannot.
///
/// # Errors
/// Where the store fails.
pub async fn show_checkout(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, ApiError> {
    let mut keys = parameters.into_iter().filter(|(name, _)| name == "key").map(|(_, key)| key);
    // A key that stands twice is no link of ours.
    let key = keys.next().filter(|_| keys.next().is_none());
    // Only a token is looked up: a secret key in an address would be a leak, not a session.
    let token = key.filter(|key| key.starts_with(CHECKOUT_PREFIX));
    let caller = match &token {
        Some(token) => app.store.caller(SecretDigest::of(token), app.clock.now()).await?,
        None => None,
    };
    let (Some(token), Some(Caller::Token(checkout))) = (token, caller) else {
        return Ok(Page::Unknown.into_response());
    };
    if !checkout.is_expired(app.clock.now()) {
        return Ok(Page::Checkout { token, merchant: checkout.merchant, built: is_component_built() }.into_response());
    }
    let standing = app.store.checkout_standing(&checkout.id).await?;
    Ok(Page::Expired { standing: standing.as_str(), merchant: checkout.merchant, reference: checkout.reference }
        .into_response())
}
