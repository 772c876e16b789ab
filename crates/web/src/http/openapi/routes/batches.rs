//! `/v1/payouts/batches`.

use crate::http::{
    openapi::{
        batch_examples as examples,
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, RESTRICTED, SCOPED, SERVICE},
        headers::IDEMPOTENCY_REPLAYED,
        parameters::{batch_id, request_id, required_idempotency_key},
        route::{LinkSpec, OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
    payout_batches::BatchBody,
};
use tua_api::resources::PayoutBatchView;
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTES: &[Route] = &[
    Route {
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
        open_to: OpenTo::V2Key,
        parameters: &[required_idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The payouts.",
            schema: reference::<BatchBody<'static>>,
            examples: examples::batch_request,
        }),
        responses: &[ResponseSpec {
            status: "202",
            description: "Accepted, and on disk, in the order of the request. If `nextAction` of \
                the payouts is APPROVE_IN_DASHBOARD, none is sent before a person approves the \
                batch.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<PayoutBatchView<'static>>,
                examples: examples::batches,
            }),
            links: &[LinkSpec {
                name: "follow",
                to: "readPayoutBatch",
                description: "Read the batch.",
                parameters: &[("batchId", "$response.body#/batchId")],
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
                InvalidPhoneNumber,
                UnsupportedNetwork,
                UnsupportedCurrency,
            ],
            &[TooLong, InvalidText, InvalidEmail, InvalidMetadata, AmountOutOfRange],
            &[PayoutLimitExceeded, AccountSuspended, NetworkUnavailable],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/payouts/batches/{batchId}",
        id: "readPayoutBatch",
        tag: "Payments",
        summary: "Read a batch of payouts",
        description: "Returns the batch with its payouts as they are now.",
        open_to: OpenTo::V2Key,
        parameters: &[batch_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The batch.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<PayoutBatchView<'static>>,
                examples: examples::read_batches,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[NotFound], SERVICE],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/payouts/batches/{batchId}/cancel",
        id: "cancelPayoutBatch",
        tag: "Payments",
        summary: "Cancel the payouts of a batch that were not sent",
        description: "Ends the payouts of a batch that are not handed over to their operator. The \
            others go on. It may be repeated.",
        open_to: OpenTo::V2Key,
        parameters: &[batch_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The batch. The payouts that were not sent are FAILED with `cancelled`.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<PayoutBatchView<'static>>,
                examples: examples::cancelled_batch,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[NotFound],
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
