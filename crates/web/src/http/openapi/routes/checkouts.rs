//! The routes of checkout sessions.

use crate::http::{
    checkout::{CheckoutRequest, OpenedCheckout},
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, RESTRICTED, SCOPED, SERVICE},
        examples,
        headers::IDEMPOTENCY_REPLAYED,
        parameters::{checkout_id, idempotency_key, request_id},
        route::{LinkSpec, OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
};
use tua_api::resources::{CheckoutView, SessionView};
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Post,
        path: "/v1/checkout",
        id: "createCheckout",
        tag: "Checkouts",
        summary: "Create a checkout session",
        description: "Creates a session for one amount, and returns its token. The token is valid \
            for 30 minutes. Give the token to the page instead of a secret key.",
        open_to: OpenTo::V2Key,
        parameters: &[idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The amount, and the payer's e-mail address.",
            schema: reference::<CheckoutRequest>,
            examples: examples::checkout_request,
        }),
        responses: &[ResponseSpec {
            status: "201",
            description: "The session was created.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<OpenedCheckout<'static>>,
                examples: examples::opened_checkout,
            }),
            links: &[LinkSpec {
                name: "charges",
                to: "listTransactions",
                description: "List the session's charges.",
                parameters: &[("checkoutId", "$response.body#/checkoutId")],
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
                InvalidAmount,
                UnsupportedCurrency,
                InvalidEmail,
                InvalidMetadata,
                InvalidUrl,
                TooLong,
                InvalidText,
            ],
            &[AccountSuspended],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/checkout",
        id: "readCheckout",
        tag: "Checkouts",
        summary: "Read a checkout session",
        description: "Returns all that the payer's page needs, also after a reload. The page \
            counts the remaining time from the response's `Date` header.",
        open_to: OpenTo::Token,
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The session with its latest charge.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<CheckoutView<'static>>,
                examples: examples::checkouts,
            }),
            links: &[LinkSpec {
                name: "charge",
                to: "createCharge",
                description: "Pay the session. Add the payer's number and network.",
                parameters: &[],
                body: &[("amount", "$response.body#/amount")],
            }],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SERVICE],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/checkout/{checkoutId}",
        id: "readSession",
        tag: "Checkouts",
        summary: "Read a checkout session with a secret key",
        description: "Returns a session of the key's account and mode with its latest charge.",
        open_to: OpenTo::V2Key,
        parameters: &[checkout_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The session with its latest charge.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<SessionView<'static>>,
                examples: examples::merchants_sessions,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[NotFound], SERVICE],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/checkout/{checkoutId}/close",
        id: "closeCheckout",
        tag: "Checkouts",
        summary: "Close a checkout session",
        description: "Closes an open session: it takes no further charge, and its token expires at \
            once. The request may be repeated. A session that has expired stays as it is. The body \
            is empty or `{}`.",
        open_to: OpenTo::V2Key,
        parameters: &[checkout_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The session, which takes no further charge.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<SessionView<'static>>,
                examples: examples::closed_session,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            BODY,
            &[NotFound, ChargeInProgress, CheckoutAlreadyPaid],
            SERVICE,
        ],
    },
];
