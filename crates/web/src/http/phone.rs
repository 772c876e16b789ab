//! The simulated phone, in test mode and only with `--sandbox-phone` (docs/reference/test-mode.md).

use super::{
    assets,
    body::JsonBody,
    poll::{matches, wait_seconds},
    problem::ApiError,
    refusals::internal,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    Json, Router,
    extract::{FromRef, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tua_api::resources::{json_number, rfc3339};
use tua_contract::{Amount, ErrorCode};
use tua_domain::{ports::Clock, public_url::PublicUrl, simulated_phone::SimulatedPhone};
use tua_http_json::Refusal;
use tua_operators::sandbox::{Sandbox, orders::Decision, phone::Prompt};

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
    #[serde(serialize_with = "json_number")]
    amount: Amount,
    currency: &'static str,
    merchant: String,
    message: Option<String>,
    kind: &'static str,
    voucher: Option<&'static str>,
    #[serde(serialize_with = "rfc3339")]
    created_at: Timestamp,
}

/// The state of the simulated phone's router.
#[derive(Clone, Debug)]
pub struct PhoneState {
    /// The sandbox whose phone it is.
    pub sandbox: Arc<Sandbox>,
    /// The time by which a long poll of the prompts ends.
    pub clock: Arc<dyn Clock>,
    /// Ends every wait when the service stops.
    pub stopping: CancellationToken,
    /// How long a body may take to arrive.
    pub body_timeout: BodyTimeout,
    /// The service's own address.
    pub public_url: PublicUrl,
}

impl FromRef<PhoneState> for BodyTimeout {
    fn from_ref(state: &PhoneState) -> Self {
        state.body_timeout
    }
}

impl FromRef<PhoneState> for PublicUrl {
    fn from_ref(state: &PhoneState) -> Self {
        state.public_url.clone()
    }
}

pub(super) fn router(state: PhoneState) -> Router {
    Router::new()
        .route("/", get(assets::phone_page))
        .route("/{file}", get(assets::phone_asset))
        .route("/prompts", get(list_prompts))
        .route("/prompts/{reference}", post(tap_prompt))
        .layer(from_fn_with_state(state.sandbox.phone.clone(), require_phone))
        .with_state(state)
}

/// Answers as an unknown path does, once the phone has ended.
async fn require_phone(
    State(phone): State<SimulatedPhone>,
    request: Request,
    next: Next,
) -> Response {
    if phone.is_served() {
        return next.run(request).await;
    }
    ApiError::new(ErrorCode::NotFound, "The simulated phone is not served while a live key exists.")
        .into_response()
}

/// What waits on the phone, at once or when it next changes.
async fn list_prompts(
    State(state): State<PhoneState>,
    Query(parameters): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let PhoneState { sandbox, clock, stopping, .. } = &state;
    let number = parameters.iter().find(|(name, number)| name == "number" && !number.is_empty());
    let until = clock.now() + SignedDuration::from_secs(wait_seconds(&headers).unwrap_or(0).into());
    loop {
        // Watching begins before the look, so that no change falls between the two.
        let changed = sandbox.changes.notified();
        let prompts = sandbox.prompts().await?;
        let shown = prompts.into_iter().filter(|prompt| {
            number.is_none_or(|(_, number)| prompt.received.order.transfer.phone.as_str() == number)
        });
        let body = Prompts { prompts: shown.map(PromptView::from).collect() };
        let tag = tag_of(&body);
        if !matches(&headers, &tag) {
            return Ok(([(header::CACHE_CONTROL, "no-store"), (header::ETAG, &tag)], Json(body))
                .into_response());
        }
        if clock.now() >= until || stopping.is_cancelled() {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            response
                .headers_mut()
                .insert(header::ETAG, HeaderValue::from_str(&tag).map_err(|_| internal())?);
            return Ok(response);
        }
        tokio::select! {
            () = changed => {}
            () = clock.sleep_until(until) => {}
            () = stopping.cancelled() => {}
        }
    }
}

/// The prompts' references, which say everything: a prompt never changes, it only goes.
fn tag_of(body: &Prompts) -> String {
    let references: Vec<&str> =
        body.prompts.iter().map(|prompt| prompt.reference.as_str()).collect();
    let digest = tua_domain::secret::SecretDigest::of(&references.join(","));
    format!("\"{}\"", uuid::Uuid::from_slice(&digest.0[..16]).unwrap_or_default().simple())
}

/// `POST /prompts/{reference}`: approves or declines; 404 if the phone does not show the prompt.
async fn tap_prompt(
    State(state): State<PhoneState>,
    Segment(reference): Segment,
    body: JsonBody,
) -> Result<StatusCode, ApiError> {
    let TapRequest { decision: Tap(decision) } = body.object()?.read()?;
    if state.sandbox.tap(&reference, decision).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::new(ErrorCode::NotFound, "The phone has no prompt with this reference."))
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
            phone_number: order.transfer.phone.as_str().to_owned(),
            network: order.transfer.network.as_str(),
            amount: order.transfer.amount,
            currency: "GHS",
            merchant: order.merchant,
            message: order.message,
            kind: if prompt.voucher.is_some() { "voucher" } else { "approval" },
            voucher: prompt.voucher,
            created_at: prompt.received.at,
        }
    }
}
