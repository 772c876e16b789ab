//! `GET /v1/status/{transactionId}` and `GET /v1/transactions`.

use crate::http::{
    openapi::{
        content::reference,
        errors::{CREDENTIAL, RESTRICTED, SERVICE},
        examples,
        headers::{ETAG, PREFERENCE_APPLIED},
        parameters::{FILTERS, if_none_match, prefer, request_id, transaction_id},
        route::{LinkSpec, OpenTo, ResponseBodySpec, ResponseSpec, Route},
    },
    transactions::Listing,
};
use tua_api::resources::{NetworksView, TransactionView};
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Get,
        path: "/v1/status/{transactionId}",
        id: "readStatus",
        tag: "Reading",
        summary: "Read the status of a transaction",
        description: "Returns a charge or payout at once. With `Prefer: wait=N`, the response is \
            sent when the transaction changes, or after N seconds. A final transaction is returned \
            at once.",
        open_to: OpenTo::V2KeyOrToken,
        parameters: &[transaction_id, prefer, if_none_match, request_id],
        body: None,
        responses: &[
            ResponseSpec {
                status: "200",
                description: "The transaction.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: Some(ResponseBodySpec {
                    media_type: "application/json",
                    schema: reference::<TransactionView<'static>>,
                    examples: examples::statuses,
                }),
                links: &[LinkSpec {
                    name: "pollOn",
                    to: "readStatus",
                    description: "Wait for the next change.",
                    parameters: &[
                        ("transactionId", "$response.body#/transactionId"),
                        ("If-None-Match", "$response.header.ETag"),
                    ],
                    body: &[],
                }],
            },
            ResponseSpec {
                status: "304",
                description: "The transaction still has the ETag that was sent.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: None,
                links: &[],
            },
        ],
        errors: &[CREDENTIAL, RESTRICTED, &[TransactionNotFound, NotFound], SERVICE],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/transactions",
        id: "listTransactions",
        tag: "Reading",
        summary: "List transactions, newest first",
        description: "Lists the charges and payouts of the key's account and mode. A cursor stays \
            valid while new transactions arrive.",
        open_to: OpenTo::V2Key,
        parameters: FILTERS,
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of transactions.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<Listing<'static>>,
                examples: examples::listing,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            &[
                ValidationFailed,
                UnknownField,
                InvalidParameter,
                InvalidText,
                InvalidPhoneNumber,
                UnsupportedNetwork,
            ],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/networks",
        id: "listNetworks",
        tag: "Reading",
        summary: "Show how the networks are served",
        description: "Shows for each network whether charges and payouts are possible now, and for \
            which amounts. For the account and mode of the key or token.",
        open_to: OpenTo::AnyKeyOrToken,
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The networks, always in the same order.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<NetworksView>,
                examples: examples::networks,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SERVICE],
    },
];
