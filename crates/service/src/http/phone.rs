//! The simulated phone, in test mode and only with `--sandbox-phone` (docs/reference/test-mode.md).

use super::{
    assets,
    body::JsonBody,
    poll::{matches, wait_seconds},
    problem::ApiError,
    refusals::internal,
    segment::Segment,
    view::{exact, iso},
};
use crate::{
    app::App,
    operators::sandbox::{Sandbox, memory::Decision, phone::Prompt},
};
use axum::{
    Json, Router,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tua_contract::{Amount, ErrorCode};
use tua_http_json::Refusal;

#[derive(Debug, Serialize)]
struct Prompts {
    prompts: Vec<PromptView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptView {
    reference: String,
    phone_number: String,
    network: &'static str,
    #[serde(serialize_with = "exact")]
    amount: Amount,
    currency: &'static str,
    merchant: String,
    message: Option<String>,
    kind: &'static str,
    voucher: Option<&'static str>,
    #[serde(serialize_with = "iso")]
    created_at: Timestamp,
}

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(assets::phone_page))
        .route("/{file}", get(assets::phone_asset))
        .route("/prompts", get(list_prompts))
        .route("/prompts/{reference}", post(tap_prompt))
}

fn sandbox(app: &App) -> Result<&Arc<Sandbox>, ApiError> {
    app.simulated_phone.as_ref().ok_or_else(internal)
}

/// What waits on the phone, at once or when it next changes.
async fn list_prompts(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let sandbox = sandbox(&app)?;
    let number = parameters.iter().find(|(name, number)| name == "number" && !number.is_empty());
    let until = app.clock.now() + SignedDuration::from_secs(wait_seconds(&headers).unwrap_or(0).into());
    loop {
        // Watching begins before the look, so that no change falls between the two.
        let changed = sandbox.changes.notified();
        let prompts = sandbox.prompts().await?;
        let shown = prompts
            .into_iter()
            .filter(|prompt| number.is_none_or(|(_, number)| prompt.received.order.phone.as_str() == number));
        let body = Prompts { prompts: shown.map(PromptView::from).collect() };
        let tag = tag_of(&body);
        if !matches(&headers, &tag) {
            return Ok(([(header::CACHE_CONTROL, "no-store"), (header::ETAG, &tag)], Json(body)).into_response());
        }
        if app.clock.now() >= until || app.stopping.is_cancelled() {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            response.headers_mut().insert(header::ETAG, HeaderValue::from_str(&tag).map_err(|_| internal())?);
            return Ok(response);
        }
        tokio::select! {
            () = changed => {}
            () = app.clock.sleep_until(until) => {}
            () = app.stopping.cancelled() => {}
        }
    }
}

/// The prompts' references, which say everything: a prompt never changes, it only goes.
fn tag_of(body: &Prompts) -> String {
    let references: Vec<&str> = body.prompts.iter().map(|prompt| prompt.reference.as_str()).collect();
    let digest = crate::domain::secret::SecretDigest::of(&references.join(","));
    format!("\"{}\"", uuid::Uuid::from_slice(&digest.0[..16]).unwrap_or_default().simple())
}

/// Approves or declines.
async fn tap_prompt(
    State(app): State<Arc<App>>,
    Segment(reference): Segment,
    body: JsonBody,
) -> Result<StatusCode, ApiError> {
    let TapRequest { decision: Tap(decision) } = body.object()?.read()?;
    match sandbox(&app)?.tap(&reference, decision).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::new(ErrorCode::NotFound, "The phone has no prompt with this reference.")),
    }
}

#[derive(Deserialize)]
struct TapRequest {
    decision: Tap,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Tap(Decision);

impl TryFrom<String> for Tap {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let detail = "The decision must be approve or decline.";
        Decision::parse(&text).map(Self).ok_or_else(|| Refusal::new(ErrorCode::InvalidText, detail))
    }
}

impl From<Prompt> for PromptView {
    fn from(prompt: Prompt) -> Self {
        let order = prompt.received.order;
        Self {
            reference: order.reference,
            phone_number: order.phone.as_str().to_owned(),
            network: order.network.as_str(),
            amount: order.amount,
            currency: "GHS",
            merchant: order.merchant,
            message: order.message,
            kind: if prompt.voucher.is_some() { "voucher" } else { "approval" },
            voucher: prompt.voucher,
            created_at: prompt.received.at,
        }
    }
}
