//! `/v1/refunds`.

use crate::http::{
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, RESTRICTED, SCOPED, SERVICE},
        headers::{ETAG, IDEMPOTENCY_REPLAYED, PREFERENCE_APPLIED},
        parameters::{
            REFUND_FILTERS, if_none_match, prefer, refund_id, request_id, required_idempotency_key,
        },
        refund_examples as examples,
        route::{LinkSpec, OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
    refund::RefundBody,
    refunds::RefundListing,
};
use tua_api::resources::RefundView;
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Post,
        path: "/v1/refunds",
        id: "createRefund",
        tag: "Refunds",
        summary: "Return the money of a charge",
        description: "Returns all or a part of a successful charge to its payer. The refund is on \
            disk before the 202 is sent. The refunds of a charge never sum to more than its \
            amount, however many requests arrive at once.",
        open_to: OpenTo::V2Key,
        parameters: &[required_idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The charge, and how much to return.",
            schema: reference::<RefundBody>,
            examples: examples::refund_request,
        }),
        responses: &[ResponseSpec {
            status: "202",
            description: "Accepted, and on disk. If `nextAction` is APPROVE_IN_DASHBOARD, the \
                refund is not sent before a person approves it.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<RefundView<'static>>,
                examples: examples::refunds,
            }),
            links: &[LinkSpec {
                name: "follow",
                to: "readRefund",
                description: "Read the refund.",
                parameters: &[("refundId", "$response.body#/refundId")],
                body: &[],
            }],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
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
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/refunds",
        id: "listRefunds",
        tag: "Refunds",
        summary: "List refunds, newest first",
        description: "Lists the refunds of the key's account and mode, or those of one charge.",
        open_to: OpenTo::V2Key,
        parameters: REFUND_FILTERS,
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of refunds.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<RefundListing<'static>>,
                examples: examples::refund_listing,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[ValidationFailed, UnknownField, InvalidParameter, InvalidText],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/refunds/{refundId}",
        id: "readRefund",
        tag: "Refunds",
        summary: "Read a refund",
        description: "Returns a refund at once. With `Prefer: wait=N`, the response is sent when \
            the refund changes, or after N seconds. A final refund is returned at once.",
        open_to: OpenTo::V2Key,
        parameters: &[refund_id, prefer, if_none_match, request_id],
        body: None,
        responses: &[
            ResponseSpec {
                status: "200",
                description: "The refund.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: Some(ResponseBodySpec {
                    media_type: "application/json",
                    schema: reference::<RefundView<'static>>,
                    examples: examples::refunds,
                }),
                links: &[],
            },
            ResponseSpec {
                status: "304",
                description: "The refund still has the ETag that was sent.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: None,
                links: &[],
            },
        ],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[TransactionNotFound, NotFound], SERVICE],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/refunds/{refundId}/cancel",
        id: "cancelRefund",
        tag: "Refunds",
        summary: "Cancel a refund that was not sent",
        description: "Ends a refund that is not handed over to its operator, such as one that \
            waits for an approval. It may be repeated: a cancelled refund stays cancelled.",
        open_to: OpenTo::V2Key,
        parameters: &[refund_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The refund is FAILED with `cancelled`. No money moved.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<RefundView<'static>>,
                examples: examples::cancelled_refund,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[TransactionNotFound, NotFound, NotCancellable],
            &[
                MalformedJson,
                RequestTimeout,
                BodyTooLarge,
                UnsupportedMediaType,
                UnknownField,
                InvalidType,
            ],
            SERVICE,
        ],
    },
];
