//! `POST /v1/charge`, `/v1/payout`, `/v1/submit-otp`.

use crate::http::{
    charge::{ChargeRequest, CheckoutChargeRequest},
    openapi::{
        content::reference,
        errors::{BODY, CREDENTIAL, IDEMPOTENCY, RESTRICTED, SCOPED, SERVICE},
        examples,
        headers::IDEMPOTENCY_REPLAYED,
        parameters::{idempotency_key, request_id, transaction_id},
        route::{LinkSpec, OpenTo, RequestBodySpec, ResponseBodySpec, ResponseSpec, Route},
    },
    payout::PayoutRequest,
    submit_otp::CodeRequest,
};
use tua_api::resources::Outcome;
use tua_contract::ErrorCode::*;
use utoipa::openapi::{HttpMethod, schema::AnyOfBuilder};

const FOLLOW: LinkSpec = LinkSpec {
    name: "follow",
    to: "readStatus",
    description: "Read the transaction's status.",
    parameters: &[("transactionId", "$response.body#/transactionId")],
    body: &[],
};

const SUBMIT_CODE: LinkSpec = LinkSpec {
    name: "submitCode",
    to: "submitOtp",
    description: "Submit the code, if nextAction is ENTER_OTP or ENTER_VOUCHER.",
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
        description: "Collects money from a wallet. The transaction is on disk before the 202 is \
            sent. The 202 waits at most 2 seconds for the operator's first response. With a \
            checkout token, the session defines amount, reference, e-mail and metadata. A session \
            has at most one charge at a time that is not FAILED, and at most five charges.",
        open_to: OpenTo::AnyKeyOrToken,
        parameters: &[idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The first form with a secret key, the second with a checkout token.",
            schema: || {
                let forms = AnyOfBuilder::new().item(reference::<ChargeRequest>());
                forms.item(reference::<CheckoutChargeRequest>()).into()
            },
            examples: examples::charge_request,
        }),
        responses: &[ResponseSpec {
            status: "202",
            description: "Accepted, and on disk. `nextAction` says what the transaction waits for. \
                If the operator has refused already, `status` is FAILED.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::charge_outcome,
            }),
            links: &[FOLLOW, SUBMIT_CODE],
        }],
        errors: &[
            CREDENTIAL,
            SCOPED,
            IDEMPOTENCY,
            BODY,
            &[
                FieldNotAllowed,
                InvalidAmount,
                AmountMismatch,
                QuoteChanged,
                InvalidPhoneNumber,
                UnsupportedNetwork,
            ],
            &[UnsupportedCurrency, TooLong, InvalidText],
            &[
                ChargeInProgress,
                LinkInUse,
                CheckoutAlreadyPaid,
                AttemptsExhausted,
                AccountSuspended,
                AmountOutOfRange,
                NetworkUnavailable,
            ],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/payout",
        id: "createPayout",
        tag: "Payments",
        summary: "Send money to a wallet",
        description: "Sends money to a wallet. The transaction is on disk before the 202 is sent. \
            A payout never asks for a code.",
        open_to: OpenTo::AnyKey,
        parameters: &[idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The recipient and the amount.",
            schema: reference::<PayoutRequest>,
            examples: examples::payout_request,
        }),
        responses: &[ResponseSpec {
            status: "202",
            description: "Accepted, and on disk. If `nextAction` is APPROVE_IN_DASHBOARD, the \
                payout is not sent before a person approves it.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::payout_outcome,
            }),
            links: &[FOLLOW],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            IDEMPOTENCY,
            BODY,
            &[InvalidAmount, InvalidPhoneNumber, UnsupportedNetwork, UnsupportedCurrency],
            &[
                TooLong,
                InvalidText,
                InvalidEmail,
                InvalidMetadata,
                AccountSuspended,
                AmountOutOfRange,
                NetworkUnavailable,
            ],
            &[PayoutLimitExceeded],
            SERVICE,
        ],
    },
    Route {
        method: HttpMethod::Post,
        path: "/v1/payouts/{transactionId}/cancel",
        id: "cancelPayout",
        tag: "Payments",
        summary: "Cancel a payout that was not sent",
        description: "Ends a payout that is not handed over to its operator, such as one that \
            waits for an approval. It may be repeated: a cancelled payout stays cancelled.",
        open_to: OpenTo::V2Key,
        parameters: &[transaction_id, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The payout is FAILED with `cancelled`. No money moved.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::cancelled_payout,
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
    Route {
        method: HttpMethod::Post,
        path: "/v1/submit-otp",
        id: "submitOtp",
        tag: "Payments",
        summary: "Submit a passcode or voucher",
        description: "Passes a code on to the operator. A wrong code is not an HTTP error: the \
            response is 200, and its message says how many attempts are left. The fifth wrong code \
            ends the transaction.",
        open_to: OpenTo::V2KeyOrToken,
        parameters: &[idempotency_key, request_id],
        body: Some(RequestBodySpec {
            description: "The code, and the transaction that waits for it.",
            schema: reference::<CodeRequest>,
            examples: examples::code_request,
        }),
        responses: &[ResponseSpec {
            status: "200",
            description: "The operator has received the code. `message` and `status` show the \
                result.",
            headers: &[IDEMPOTENCY_REPLAYED],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: reference::<Outcome<'static>>,
                examples: examples::code_outcome,
            }),
            links: &[FOLLOW],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            IDEMPOTENCY,
            BODY,
            &[InvalidOtp, InvalidText, TransactionNotFound, VerificationNotExpected],
            SERVICE,
        ],
    },
];
