//! `POST /v1/charge`, `/v1/payout`, `/v1/submit-otp`.

use crate::http::{
    charge::{ChargeRequest, CheckoutChargeRequest},
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, NOT_EVERYBODY, SERVICE},
        examples,
        headers::IDEMPOTENCY_REPLAYED,
        parameters::{idempotency_key, request_id},
        route::{Answer, Body, Link, OpenTo, Route, Shown},
    },
    payout::PayoutRequest,
    submit_otp::CodeRequest,
    view::Outcome,
};
use tua_contract::ErrorCode::*;
use utoipa::openapi::{HttpMethod, schema::AnyOfBuilder};

const FOLLOW: Link = Link {
    name: "follow",
    to: "readStatus",
    description: "How it stands from now on.",
    parameters: &[("transactionId", "$response.body#/transactionId")],
    body: &[],
};

const SUBMIT_CODE: Link = Link {
    name: "submitCode",
    to: "submitOtp",
    description: "Where nextAction is ENTER_OTP or ENTER_VOUCHER.",
    parameters: &[],
    body: &[("transactionId", "$response.body#/transactionId")],
};

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: HttpMethod::Post,
        path: "/v1/charge",
        id: "createCharge",
        tag: "Payments",
        summary: "Collect from a payer's wallet",
        description: "Begins a collection in cedis (docs/reference/endpoints.md). It is on disk before the 202, which \
            waits at most 2 seconds for the operator's first word. With a checkout token the amount is the session's, and the \
            session's reference, e-mail and metadata are taken; a session has at most one charge that is not FAILED at a time, \
            and five in all (docs/reference/endpoints.md).",
        open_to: OpenTo::AnyKeyOrToken,
        parameters: &[idempotency_key, request_id],
        body: Some(Body {
            description: "With a secret key the first form, with a checkout token the second.",
            schema: || {
                let forms = AnyOfBuilder::new().item(reference::<ChargeRequest>());
                forms.item(reference::<CheckoutChargeRequest>()).into()
            },
            examples: examples::charge_request,
        }),
        answers: &[Answer {
            status: "202",
            description: "Accepted, and on disk. `nextAction` says what it waits for; an operator that refused at once shows as \
                FAILED.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(Shown {
                kind: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::charge_outcome,
            }),
            links: &[FOLLOW, SUBMIT_CODE],
        }],
        errors: &[
            CREDENTIAL,
            IDEMPOTENCY,
            BODY,
            &[FieldNotAllowed, InvalidAmount, AmountMismatch, InvalidPhoneNumber, UnsupportedNetwork],
            &[UnsupportedCurrency, TooLong, InvalidText],
            &[ChargeInProgress, CheckoutAlreadyPaid, AttemptsExhausted, NetworkUnavailable],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/payout",
        id: "createPayout",
        tag: "Payments",
        summary: "Send money to a wallet",
        description: "Begins a payment in cedis (docs/reference/endpoints.md). It is on disk before the 202, and is never \
            verified by a code.",
        open_to: OpenTo::AnyKey,
        parameters: &[idempotency_key, request_id],
        body: Some(Body {
            description: "To whom, and how much.",
            schema: reference::<PayoutRequest>,
            examples: examples::payout_request,
        }),
        answers: &[Answer {
            status: "202",
            description: "Accepted, and on disk.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(Shown {
                kind: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::payout_outcome,
            }),
            links: &[FOLLOW],
        }],
        errors: &[
            CREDENTIAL,
            NOT_EVERYBODY,
            IDEMPOTENCY,
            BODY,
            &[InvalidAmount, InvalidPhoneNumber, UnsupportedNetwork, UnsupportedCurrency],
            &[TooLong, InvalidText, InvalidEmail, InvalidMetadata, NetworkUnavailable],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/submit-otp",
        id: "submitOtp",
        tag: "Payments",
        summary: "Submit a passcode or voucher",
        description: "Passes a code on to the operator (docs/reference/endpoints.md). A wrong code is no HTTP error: it \
            is a 200 whose message says how many attempts are left. The fifth wrong one ends the transaction (docs/reference/lifecycle.md).",
        open_to: OpenTo::V2KeyOrToken,
        parameters: &[idempotency_key, request_id],
        body: Some(Body {
            description: "The code, and the transaction that waits for it.",
            schema: reference::<CodeRequest>,
            examples: examples::code_request,
        }),
        answers: &[Answer {
            status: "200",
            description: "The code was passed on; `message` and `status` say what came of it.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(Shown {
                kind: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::code_outcome,
            }),
            links: &[FOLLOW],
        }],
        errors: &[
            CREDENTIAL,
            NOT_EVERYBODY,
            IDEMPOTENCY,
            BODY,
            &[InvalidOtp, TransactionNotFound, VerificationNotExpected],
            SERVICE,
        ],
    },
];
