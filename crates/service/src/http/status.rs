//! `GET /v1/status/{transactionId}` (interface specification section 4.5, contract section 4).

use super::{
    auth::{Authenticated, visible_transaction},
    poll::{PREFERENCE_APPLIED, Seen, etag, wait_seconds},
    problem::ApiError,
    segment::Segment,
    view::TransactionView,
};
use crate::{app::App, domain::Transaction};
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
    let is_known = |transaction: &Transaction| seen.as_ref().map(|seen| seen.names(&etag(transaction.version)));

    let mut transaction = visible_transaction(&app, &caller, &id).await?;
    if let Some(seconds) = wait {
        let until = app.clock.now() + SignedDuration::from_secs(seconds.into());
        let (mut known, mut is_over) = (None, false);
        loop {
            // Watching begins before the look, so that no change falls between the two.
            let watch = app.wakes.next_change(&transaction.begun.id);
            transaction = visible_transaction(&app, &caller, &id).await?;
            let is_news = transaction.state.is_final() || is_known(&transaction) == Some(false);
            if is_news || is_over || known.is_some_and(|known| known != transaction.version) {
                break;
            }
            known = Some(transaction.version);
            tokio::select! {
                () = watch.changed() => {}
                () = app.clock.sleep_until(until) => is_over = true,
                () = app.stopping.cancelled() => is_over = true,
            }
        }
    }

    let tag = etag(transaction.version);
    let mut response = if is_known(&transaction) == Some(true) {
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
