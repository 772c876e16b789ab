//! `POST /v1/refunds` (docs/reference/refunds.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    logged_resource::with_resource,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        messages::{LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::required_idempotency_key,
        refund_examples,
    },
    payment_response::refund_view,
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use tua_api::{
    resources::RefundView,
    values::{Amount, Note, RefundByPayout, reject_control_characters},
};
use tua_contract::ErrorCode::*;
use tua_domain::{KeyScope, TransactionId};
use tua_use_cases::{RefundRequest, Refunds, Requester};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Refund];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_refund),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/refunds",
        id: "createRefund",
        tag: "Refunds",
        summary: "Return the money of a charge",
        description: "Returns all or a part of a successful charge to its payer. The refund is on \
            disk before the 202 is sent. The refunds of a charge never sum to more than its \
            amount, however many requests arrive at once.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[required_idempotency_key],
        body: Some(RequestBodySpec::of::<RefundBody>(
            "The charge, and how much to return.",
            request_examples,
        )),
        responses: &[ResponseSpec::json::<RefundView<'static>>(
            "202",
            "Accepted, and on disk. If `nextAction` is APPROVE_IN_DASHBOARD, the \
                refund is not sent before a person approves it.",
            refund_examples::refunds,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[LinkSpec {
            name: "follow",
            to: "readRefund",
            description: "Read the refund.",
            parameters: &[("refundId", "$response.body#/refundId")],
            body: None,
        }])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[
                IdempotencyKeyMissing,
                InvalidAmount,
                TooLong,
                InvalidText,
                InvalidParameter,
                TransactionNotFound,
            ],
            &[
                NotRefundable,
                RefundExceedsPayment,
                PayoutLimitExceeded,
                AccountSuspended,
                AmountOutOfRange,
            ],
            &[NetworkUnavailable],
        ],
    },
};

/// A refund of a charge, of all or a part of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RefundRequest)]
struct RefundBody {
    /// The identifier of the charge to refund.
    #[schema(pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$")]
    transaction_id: String,
    /// How much to return. Absent: all that is left of the payment.
    amount: Option<Amount>,
    /// A private note of the merchant.
    reason: Option<Note>,
    /// Only after a refund by the operator failed: return the money by a payout.
    method: Option<RefundByPayout>,
}

/// `POST /v1/refunds`: begins a refund of a charge of the key's account and mode.
async fn create_refund(
    State(refunds): State<Refunds>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let idempotency_key = idempotent::required_key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let body = body.object()?.require("transactionId", |id: &String| reject_control_characters(id));
    let RefundBody { transaction_id, amount, reason, method } = body.read()?;
    let request = RefundRequest {
        charge: TransactionId::new(transaction_id),
        amount: amount.map(|amount| amount.0),
        reason: reason.map(|Note(text)| text),
        is_by_payout: method.is_some(),
    };
    let begun = refunds.begin(Requester::Key(key), request, idempotency_key).await?;
    let view = refund_view(&begun.value)?;
    let response = idempotent::response(StatusCode::ACCEPTED, &view, begun.is_replay)?;
    Ok(with_resource(response, begun.value.order.id.as_str()))
}

fn request_examples() -> Examples {
    let part = json!({
        "transactionId": examples::TRANSACTION_ID,
        "amount": 4.2,
        "reason": "One of two items was sold out",
    });
    vec![("part", part), ("all", json!({ "transactionId": examples::TRANSACTION_ID }))]
}
