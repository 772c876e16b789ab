//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md, docs/reference/endpoints.md).

use super::{
    auth::{Authenticated, visible_transaction},
    poll::{PREFERENCE_APPLIED, Seen, etag, wait_seconds},
    problem::ApiError,
    segment::Segment,
    view::TransactionView,
};
use crate::{
    app::App,
    domain::{Caller, Transaction},
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use std::sync::Arc;

/// Tells how a transaction stands, at once or when it next changes.
pub(super) async fn read_status(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token()?;
    let wait = wait_seconds(&headers);
    let seen = Seen::of(&headers);
    drop(headers);
    let transaction = match wait {
        Some(seconds) => news(&app, &caller, &id, seconds, seen.as_ref()).await?,
        None => visible_transaction(&app, &caller, &id).await?,
    };

    let tag = etag(transaction.version);
    let mut response = if seen.is_some_and(|seen| seen.names(&tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Json(TransactionView::new(&transaction, &caller)).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
    if let Some(applied) = wait.and_then(|seconds| HeaderValue::from_str(&format!("wait={seconds}")).ok()) {
        answer.insert(PREFERENCE_APPLIED, applied);
    }
    Ok(response)
}

/// How a transaction stands once there is news of it, or after so many seconds. Nothing is kept of it meanwhile, since
/// thousands wait.
async fn news(
    app: &App,
    caller: &Caller,
    id: &str,
    seconds: u32,
    seen: Option<&Seen>,
) -> Result<Transaction, ApiError> {
    let until = app.clock.now() + SignedDuration::from_secs(seconds.into());
    let id = visible_transaction(app, caller, id).await?.begun.id;
    let (mut known, mut is_over) = (None, false);
    loop {
        // Watching begins before the look, so that no change falls between the two.
        let watch = app.changes.subscribe(&id);
        let transaction = visible_transaction(app, caller, id.as_str()).await?;
        let version = transaction.version;
        let is_news = transaction.state.is_final() || seen.is_some_and(|seen| !seen.names(&etag(version)));
        if is_news || is_over || known.is_some_and(|known| known != version) {
            return Ok(transaction);
        }
        known = Some(version);
        drop(transaction);
        tokio::select! {
            () = watch.changed() => {}
            () = app.clock.sleep_until(until) => is_over = true,
            () = app.stopping.cancelled() => is_over = true,
        }
    }
}
