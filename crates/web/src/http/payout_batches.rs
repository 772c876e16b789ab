//! `POST /v1/payouts/batches`, `GET /v1/payouts/batches/{batchId}` and its cancellation
//! (docs/reference/payouts.md#batches).

use super::{
    access,
    auth::Authenticated,
    body::{JsonBody, read_no_members},
    idempotent,
    payment_response::initiation,
    payout::PayoutRequest,
    problem::ApiError,
    refusals::batch_not_found,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tua_api::{resources::PayoutBatchView, values::Reference};
use tua_contract::ErrorCode;
use tua_domain::{
    BatchId,
    approval::DecideError,
    instruction::Instruction,
    payout_batch::{MAX_LINES, PayoutBatch},
};
use tua_http_json::{Fault, JsonObject, JsonText};
use tua_use_cases::{BatchRequest, Batches};
use utoipa::ToSchema;

/// How many bytes the body of a batch may have.
pub(super) const BATCH_MAX_BYTES: usize = 1 << 20;

/// A batch of payouts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PayoutBatchRequest)]
pub(super) struct BatchBody<'a> {
    /// The payouts. If one of them has a fault, none is begun.
    #[serde(borrow)]
    #[schema(value_type = Vec<PayoutRequest>, min_items = 1, max_items = 1000)]
    payouts: Vec<JsonText<'a>>,
    /// The merchant's name for the batch.
    reference: Option<Reference>,
}

/// Begins a batch of payouts, all or none.
pub(super) async fn create_batch(
    State(batches): State<Batches>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::CREATE_BATCH)?;
    let idempotency_key = idempotent::required_key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let request = read(&body.object()?)?;
    let begun = batches.begin(key, request, idempotency_key).await?;
    idempotent::response(StatusCode::ACCEPTED, &view(&begun.value), begun.is_replay)
}

/// Responds with a batch and its payouts as they are now.
pub(super) async fn read_batch(
    State(batches): State<Batches>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::READ_BATCH)?;
    let batch = batches.find(&key, &BatchId::new(id)).await?.ok_or_else(batch_not_found)?;
    Ok(shown(&batch))
}

/// Cancels the payouts of a batch that are not handed over to their operator.
pub(super) async fn cancel_batch(
    State(batches): State<Batches>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::CANCEL_BATCH)?;
    read_no_members(request, timeout).await?;
    match batches.cancel(&key, &BatchId::new(id)).await {
        Err(DecideError::Unknown) => Err(batch_not_found()),
        cancelled => Ok(shown(&cancelled?)),
    }
}

/// Reads the body. All faults of all payouts are returned at once.
fn read(body: &JsonObject<'_>) -> Result<BatchRequest, Vec<Fault>> {
    let (payouts, reference, mut faults) = match body.read::<BatchBody<'_>>() {
        Ok(BatchBody { payouts, reference }) => (Some(payouts), reference, Vec::new()),
        // None where it is missing or no array, which is a fault already.
        Err(faults) => (body.get("payouts"), None, faults),
    };
    faults.extend(payouts.as_ref().and_then(|payouts| length_fault(payouts.len())));
    let mut lines = Vec::new();
    for (index, payout) in payouts.unwrap_or_default().into_iter().take(MAX_LINES).enumerate() {
        let object =
            JsonObject::at(format!("/payouts/{index}"), payout).map_err(|fault| vec![fault]);
        match object.and_then(|object| object.read::<PayoutRequest>()) {
            Ok(payout) => lines.push(Instruction::from(payout)),
            Err(found) => faults.extend(found),
        }
    }
    let reference = reference.map(|Reference(text)| text);
    if faults.is_empty() { Ok(BatchRequest { lines, reference }) } else { Err(faults) }
}

fn length_fault(length: usize) -> Option<Fault> {
    let code = match length {
        0 => ErrorCode::FieldRequired,
        1..=MAX_LINES => return None,
        _ => ErrorCode::TooLong,
    };
    let detail = format!("A batch has 1 to {MAX_LINES} payouts. This one has {length}.");
    Some(Fault { pointer: "/payouts".to_owned(), code: code.as_str(), detail: detail.into() })
}

fn shown(batch: &PayoutBatch) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(view(batch))).into_response()
}

fn view(batch: &PayoutBatch) -> PayoutBatchView<'_> {
    PayoutBatchView::new(batch, initiation)
}
