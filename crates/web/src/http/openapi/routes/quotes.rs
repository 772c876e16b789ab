//! `POST /v1/quote`.

use crate::http::{
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        examples,
        parameters::request_id,
        route::{OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
    quote::{CheckoutQuoteRequest, QuoteRequest},
};
use tua_api::resources::QuoteView;
use tua_contract::ErrorCode::*;
use utoipa::openapi::{HttpMethod, schema::AnyOfBuilder};

pub(super) const ROUTES: &[Route] = &[Route {
    method: HttpMethod::Post,
    path: "/v1/quote",
    id: "createQuote",
    tag: "Payments",
    summary: "Show what a payment would cost",
    description: "Shows the operator's fee, who bears it, and what the payer would pay, if the \
        payment began now. Begins nothing and stores nothing. A key needs the scope `collect` for \
        a CHARGE, and `payout` for a PAYOUT. With a checkout token, the session defines the \
        amount.",
    open_to: OpenTo::V2KeyOrToken,
    parameters: &[request_id],
    body: Some(RequestBodySpec {
        description: "The first form with a secret key, the second with a checkout token.",
        schema: || {
            let forms = AnyOfBuilder::new().item(reference::<QuoteRequest>());
            forms.item(reference::<CheckoutQuoteRequest>()).into()
        },
        examples: examples::quote_request,
    }),
    responses: &[ResponseSpec {
        status: "200",
        description: "The quote, valid for 5 minutes.",
        headers: &[],
        content: Some(ResponseBodySpec {
            media_type: "application/json",
            schema: reference::<QuoteView<'static>>,
            examples: examples::quotes,
        }),
        links: &[],
    }],
    errors: &[
        CREDENTIAL,
        RESTRICTED,
        SCOPED,
        BODY,
        &[
            FieldNotAllowed,
            InvalidAmount,
            AmountMismatch,
            InvalidParameter,
            UnsupportedNetwork,
            UnsupportedCurrency,
        ],
        &[AmountOutOfRange, NetworkUnavailable],
        SERVICE,
    ],
}];
