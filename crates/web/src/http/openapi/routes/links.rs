//! `/v1/links`.

use crate::http::{
    link::LinkRequest,
    links::LinkListing,
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, RESTRICTED, SCOPED, SERVICE},
        headers::IDEMPOTENCY_REPLAYED,
        link_examples as examples,
        parameters::{LINK_PAGE, idempotency_key, link_id, request_id},
        route::{LinkSpec, OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
};
use tua_api::resources::LinkView;
use tua_contract::ErrorCode::{self, *};
use utoipa::openapi::HttpMethod;

/// What is wrong with the empty body of a change.
const NO_MEMBERS: &[ErrorCode] =
    &[MalformedJson, RequestTimeout, BodyTooLarge, UnsupportedMediaType, UnknownField, InvalidType];

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Post,
        path: "/v1/links",
        id: "createLink",
        tag: "Links",
        summary: "Create a payment link",
        description: "Creates a page with a short address on which anybody who has it can pay. The \
            page opens a checkout session for each payer.",
        open_to: OpenTo::V2Key,
        parameters: &[idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "What the payer pays, and for what.",
            schema: reference::<LinkRequest>,
            examples: examples::link_request,
        }),
        responses: &[ResponseSpec {
            status: "201",
            description: "Created. Send `url` to payers, or print `qr`.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<LinkView<'static>>,
                examples: examples::new_links,
            }),
            links: &[
                LinkSpec {
                    name: "follow",
                    to: "readLink",
                    description: "Read the link and its payments.",
                    parameters: &[("linkId", "$response.body#/linkId")],
                    body: &[],
                },
                LinkSpec {
                    name: "close",
                    to: "closeLink",
                    description: "Close the link.",
                    parameters: &[("linkId", "$response.body#/linkId")],
                    body: &[],
                },
            ],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            IDEMPOTENCY,
            BODY,
            &[
                InvalidAmount,
                TooLong,
                InvalidText,
                InvalidParameter,
                InvalidTime,
                InvalidMetadata,
                FieldNotAllowed,
            ],
            &[AccountSuspended],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/links",
        id: "listLinks",
        tag: "Links",
        summary: "List payment links, newest first",
        description: "Lists the links of the key's account and mode.",
        open_to: OpenTo::V2Key,
        parameters: LINK_PAGE,
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of links.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<LinkListing<'static>>,
                examples: examples::link_listing,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[ValidationFailed, UnknownField, InvalidParameter],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/links/{linkId}",
        id: "readLink",
        tag: "Links",
        summary: "Read a payment link",
        description: "Returns a link, how often it was paid, and the sum of its payments.",
        open_to: OpenTo::V2Key,
        parameters: &[link_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The link.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<LinkView<'static>>,
                examples: examples::links,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[NotFound], SERVICE],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/links/{linkId}/close",
        id: "closeLink",
        tag: "Links",
        summary: "Close a payment link",
        description: "The link takes no further payment, and its open sessions are closed. A \
            charge that is pending goes on. It may be repeated. A link that is USED or EXPIRED \
            stays as it is.",
        open_to: OpenTo::V2Key,
        parameters: &[link_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The link.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<LinkView<'static>>,
                examples: examples::closed_link,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[NotFound], NO_MEMBERS, SERVICE],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/links/{linkId}/reopen",
        id: "reopenLink",
        tag: "Links",
        summary: "Open a closed payment link again",
        description: "The link takes payments again. Sessions that were closed with it stay \
            closed. It may be repeated.",
        open_to: OpenTo::V2Key,
        parameters: &[link_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The link is OPEN.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<LinkView<'static>>,
                examples: examples::links,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[NotFound, LinkNotReopenable],
            NO_MEMBERS,
            SERVICE,
        ],
    },
];
