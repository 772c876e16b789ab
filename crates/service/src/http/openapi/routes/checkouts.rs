//! `POST /v1/checkout` and `GET /v1/checkout`.

use crate::http::{
    checkout::{CheckoutRequest, OpenedCheckout},
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, NOT_EVERYBODY, SERVICE},
        examples,
        headers::IDEMPOTENCY_REPLAYED,
        parameters::{idempotency_key, request_id},
        route::{Answer, Body, Link, OpenTo, Route, Shown},
    },
    view::CheckoutView,
};
use tua_contract::ErrorCode::*;
use utoipa::openapi::HttpMethod;

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Post,
        path: "/v1/checkout",
        id: "createCheckout",
        tag: "Checkouts",
        summary: "Open a checkout session",
        description: "Opens a session for an amount in cedis and answers with its token, which is valid for 30 minutes and is what \
            a page is given in place of a key (docs/reference/endpoints.md).",
        open_to: OpenTo::V2Key,
        parameters: &[idempotency_key, request_id],
        body: Some(Body {
            description: "What is to be paid, and by whom.",
            schema: reference::<CheckoutRequest>,
            examples: examples::checkout_request,
        }),
        answers: &[Answer {
            status: "201",
            description: "The session is open.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(Shown {
                kind: "application/json",
                schema: reference::<OpenedCheckout<'static>>,
                examples: examples::opened_checkout,
            }),
            links: &[Link {
                name: "charges",
                to: "listTransactions",
                description: "The session's charges.",
                parameters: &[("checkoutId", "$response.body#/checkoutId")],
                body: &[],
            }],
        }],
        errors: &[
            CREDENTIAL,
            NOT_EVERYBODY,
            IDEMPOTENCY,
            BODY,
            &[InvalidAmount, UnsupportedCurrency, InvalidEmail, InvalidMetadata, InvalidUrl, TooLong, InvalidText],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Get,
        path: "/v1/checkout",
        id: "readCheckout",
        tag: "Checkouts",
        summary: "Read the session of a token",
        description: "All that a payer's page needs to begin, or to go on after a reload (docs/reference/endpoints.md). With the `Date` \
            header it counts down on the server's clock.",
        open_to: OpenTo::Token,
        parameters: &[request_id],
        body: None,
        answers: &[Answer {
            status: "200",
            description: "The session, and its latest charge.",
            headers: &[],
            content: Some(Shown {
                kind: "application/json",
                schema: reference::<CheckoutView<'static>>,
                examples: examples::checkouts,
            }),
            links: &[Link {
                name: "charge",
                to: "createCharge",
                description: "Pay it; the payer's number and network are still to be given.",
                parameters: &[],
                body: &[("amount", "$response.body#/amount")],
            }],
        }],
        errors: &[CREDENTIAL, NOT_EVERYBODY, SERVICE],
    },
];
