//! `POST /v1/payouts/batches` (docs/reference/payouts.md#batches).

use super::create_payout::PayoutRequest;
use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    openapi::{
        batch_examples,
        errors::{BODY, IDEMPOTENCY},
        examples::Examples,
        headers::IDEMPOTENCY_REPLAYED,
        messages::{LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::required_idempotency_key,
    },
    payment_response::initiation,
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{DefaultBodyLimit, FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use tua_api::{resources::PayoutBatchView, values::Reference};
use tua_contract::{
    ErrorCode::{self, *},
    State as PaymentState, Step,
};
use tua_domain::{KeyScope, instruction::Instruction, payout_batch::MAX_LINES};
use tua_http_json::{Fault, JsonObject, JsonText};
use tua_use_cases::{BatchRequest, Batches};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Payout];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_batch).layer(DefaultBodyLimit::max(BATCH_MAX_BYTES)),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/payouts/batches",
        id: "createPayoutBatch",
        tag: "Payments",
        summary: "Send money to many wallets",
        description: "Begins up to 1,000 payouts at once, or none of them: all faults of all \
            payouts are in the response, and with one fault nothing is begun. Their sum counts \
            against the limits of the account, and decides whether a person must approve the \
            batch. From the 202 on, each payout is a transaction of its own. The body may have 1 \
            MiB.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[required_idempotency_key],
        body: Some(RequestBodySpec::of::<BatchBody<'static>>("The payouts.", request_examples)),
        responses: &[ResponseSpec::json::<PayoutBatchView<'static>>(
            "202",
            "Accepted, and on disk, in the order of the request. If `nextAction` of \
                the payouts is APPROVE_IN_DASHBOARD, none is sent before a person approves the \
                batch.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[LinkSpec {
            name: "follow",
            to: "readPayoutBatch",
            description: "Read the batch.",
            parameters: &[("batchId", "$response.body#/batchId")],
            body: None,
        }])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[
                IdempotencyKeyMissing,
                InvalidAmount,
                InvalidPhoneNumber,
                UnsupportedNetwork,
                UnsupportedCurrency,
            ],
            &[TooLong, InvalidText, InvalidEmail, InvalidMetadata, AmountOutOfRange],
            &[PayoutLimitExceeded, AccountSuspended, NetworkUnavailable],
        ],
    },
};

/// How many bytes the body of a batch may have.
const BATCH_MAX_BYTES: usize = 1 << 20;

/// A batch of payouts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PayoutBatchRequest)]
struct BatchBody<'a> {
    /// The payouts. If one of them has a fault, none is begun.
    #[serde(borrow)]
    #[schema(value_type = Vec<PayoutRequest>, min_items = 1, max_items = 1000)]
    payouts: Vec<JsonText<'a>>,
    /// The merchant's name for the batch.
    reference: Option<Reference>,
}

/// Begins a batch of payouts, all or none.
async fn create_batch(
    State(batches): State<Batches>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let idempotency_key = idempotent::required_key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let request = read(&body.object()?)?;
    let begun = batches.begin(key, request, idempotency_key).await?;
    idempotent::response(
        StatusCode::ACCEPTED,
        &PayoutBatchView::new(&begun.value, initiation),
        begun.is_replay,
    )
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

fn request_examples() -> Examples {
    let body = json!({
        "reference": "salaries-november",
        "payouts": [
            {
                "amount": 10.5,
                "phoneNumber": "0241234567",
                "network": "MTN",
                "payeeNote": "Salary of November",
            },
            {
                "amount": 10.5,
                "phoneNumber": "0241234567",
                "network": "MTN",
                "reference": "bonus-17",
            },
        ],
    });
    vec![("salaries", body)]
}

fn response_examples() -> Examples {
    vec![
        (
            "pending",
            batch_examples::batch([
                PaymentState::Pending(Step::Wait),
                PaymentState::Pending(Step::Wait),
            ]),
        ),
        (
            "needsApproval",
            batch_examples::batch([PaymentState::UNAPPROVED, PaymentState::UNAPPROVED]),
        ),
    ]
}
