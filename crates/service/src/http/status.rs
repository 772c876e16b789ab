//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md).

use super::{
    auth::{Authenticated, visible_transaction},
    poll::{IfNoneMatch, PREFERENCE_APPLIED, etag, wait_seconds},
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

/// Responds with a transaction, at once or when it next changes.
pub(super) async fn read_status(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token()?;
    let wait = wait_seconds(&headers);
    let known = IfNoneMatch::from_headers(&headers);
    drop(headers);
    let transaction = match wait {
        Some(seconds) => wait_for_change(&app, &caller, &id, seconds, known.as_ref()).await?,
        None => visible_transaction(&app, &caller, &id).await?,
    };

    let tag = etag(transaction.version);
    let mut response = if known.is_some_and(|known| known.matches(&tag)) {
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

/// The transaction once it has changed, or after this many seconds. It is not kept in memory meanwhile, since thousands
/// of requests wait.
async fn wait_for_change(
    app: &App,
    caller: &Caller,
    id: &str,
    seconds: u32,
    known: Option<&IfNoneMatch>,
) -> Result<Transaction, ApiError> {
    let until = app.clock.now() + SignedDuration::from_secs(seconds.into());
    let id = visible_transaction(app, caller, id).await?.begun.id;
    let (mut first_version, mut is_over) = (None, false);
    loop {
        // The subscription begins before the read, so that no change is lost between the two.
        let watch = app.changes.subscribe(&id);
        let transaction = visible_transaction(app, caller, id.as_str()).await?;
        let version = transaction.version;
        let is_new = transaction.state.is_final() || known.is_some_and(|known| !known.matches(&etag(version)));
        if is_new || is_over || first_version.is_some_and(|first| first != version) {
            return Ok(transaction);
        }
        first_version = Some(version);
        drop(transaction);
        tokio::select! {
            () = watch.changed() => {}
            () = app.clock.sleep_until(until) => is_over = true,
            () = app.stopping.cancelled() => is_over = true,
        }
    }
}
