//! The errors and statuses that operators document, for tests of each of them.

use crate::operator::{Call, Operator};
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// Errors in answer to a request: the operator, the HTTP status and the code. pawaPay rejects
/// orders with HTTP 200.
const ERRORS: &[(Operator, u16, &[&str])] = &[
    (Operator::MtnMomo, 400, &["BAD_REQUEST", "VALIDATION_ERROR"]),
    (Operator::MtnMomo, 401, &["invalid_token", "invalid_client"]),
    (Operator::MtnMomo, 403, &["FORBIDDEN_IP"]),
    (Operator::MtnMomo, 404, &["RESOURCE_NOT_FOUND"]),
    (Operator::MtnMomo, 409, &["RESOURCE_ALREADY_EXIST"]),
    (
        Operator::MtnMomo,
        500,
        &[
            "INTERNAL_PROCESSING_ERROR",
            "INVALID_CALLBACK_URL_HOST",
            "INVALID_CURRENCY",
            "NOT_ALLOWED",
            "NOT_ALLOWED_TARGET_ENVIRONMENT",
            "PAYEE_NOT_FOUND",
            "PAYER_NOT_FOUND",
        ],
    ),
    (Operator::MtnMomo, 503, &["SERVICE_UNAVAILABLE"]),
    (
        Operator::Paystack,
        400,
        &[
            "api_error",
            "duplicate_reference",
            "insufficient_balance",
            "invalid_params",
            "invalid_transfer_recipient",
            "processor_error",
            "transaction_not_found",
        ],
    ),
    (Operator::Paystack, 401, &["invalid_Key"]),
    (Operator::Paystack, 404, &["transfer_not_found"]),
    (Operator::Paystack, 422, &["invalid_account_number"]),
    (
        Operator::Pawapay,
        200,
        &[
            "AMOUNT_OUT_OF_BOUNDS",
            "AMOUNT_TOO_LARGE",
            "DEPOSIT_ALREADY_REFUNDED",
            "INVALID_AMOUNT",
            "INVALID_CURRENCY",
            "INVALID_PHONE_NUMBER",
            "INVALID_PROVIDER",
            "INVALID_STATE",
            "NOT_FOUND",
            "PAWAPAY_WALLET_OUT_OF_FUNDS",
            "PAYMENT_IN_PROGRESS",
            "PROVIDER_TEMPORARILY_UNAVAILABLE",
            "REFUND_IN_PROGRESS",
            "TRANSACTION_ALREADY_IN_PROCESS",
        ],
    ),
    (
        Operator::Pawapay,
        400,
        &[
            "DUPLICATE_METADATA_FIELD",
            "INVALID_INPUT",
            "INVALID_PARAMETER",
            "MISSING_PARAMETER",
            "UNSUPPORTED_PARAMETER",
        ],
    ),
    (Operator::Pawapay, 401, &["NO_AUTHENTICATION"]),
    (
        Operator::Pawapay,
        403,
        &[
            "AUTHENTICATION_ERROR",
            "AUTHORISATION_ERROR",
            "DEPOSITS_NOT_ALLOWED",
            "HTTP_SIGNATURE_ERROR",
            "PAYOUTS_NOT_ALLOWED",
            "REFUNDS_NOT_ALLOWED",
        ],
    ),
    (Operator::Pawapay, 500, &["UNKNOWN_ERROR"]),
    (Operator::Hubtel, 200, &["0005", "3050", "5000"]),
    (Operator::Hubtel, 400, &["4000", "4070", "4075", "4509"]),
    (Operator::Hubtel, 403, &["4101", "4103"]),
    (Operator::Hubtel, 404, &["3000"]),
    (Operator::Hubtel, 423, &["4515"]),
    (Operator::Hubtel, 424, &["2001"]),
];

/// The statuses of orders.
const STATUSES: &[(Operator, &[&str])] = &[
    (Operator::MtnMomo, &["CREATED", "FAILED", "PENDING", "SUCCESSFUL"]),
    (
        Operator::Paystack,
        &[
            "abandoned",
            "blocked",
            "failed",
            "needs-attention",
            "ongoing",
            "otp",
            "pay_offline",
            "pending",
            "processed",
            "processing",
            "queued",
            "received",
            "rejected",
            "reversed",
            "send_otp",
            "success",
            "timeout",
        ],
    ),
    (
        Operator::Pawapay,
        &[
            "ACCEPTED",
            "COMPLETED",
            "DUPLICATE_IGNORED",
            "ENQUEUED",
            "FAILED",
            "IN_RECONCILIATION",
            "PROCESSING",
            "REJECTED",
        ],
    ),
    (Operator::Hubtel, &["Paid", "Refunded", "Unpaid", "failed", "pending", "success"]),
];

/// The code of an error that an operator documents.
pub(crate) fn refusal(code: &str) -> Option<&'static str> {
    ERRORS.iter().flat_map(|(_, _, codes)| *codes).copied().find(|known| *known == code)
}

/// A status that an operator documents.
pub(crate) fn status(word: &str) -> Option<&'static str> {
    STATUSES.iter().flat_map(|(_, words)| *words).copied().find(|known| *known == word)
}

/// The operator's error with this code, in its own format. An operator that does not document the
/// code answers with the HTTP status 400.
pub(crate) fn refused(operator: Operator, call: Call, code: &str, request: &[u8]) -> Response {
    let known = ERRORS.iter().find(|(of, _, codes)| *of == operator && codes.contains(&code));
    let status = known
        .and_then(|(_, status, _)| StatusCode::from_u16(*status).ok())
        .unwrap_or(StatusCode::BAD_REQUEST);
    let body = match operator {
        Operator::MtnMomo if status == StatusCode::UNAUTHORIZED => json!({"error": code}),
        Operator::MtnMomo => json!({"code": code, "message": "The request was refused."}),
        Operator::Paystack => paystack(code),
        Operator::Pawapay => pawapay(code, status, request),
        // Receiving and sending write the names of members in another case than the rest.
        Operator::Hubtel if matches!(call, Call::Send | Call::Payout) => {
            json!({"ResponseCode": code, "Message": "The request was refused.", "Data": null})
        }
        Operator::Hubtel => {
            json!({"responseCode": code, "message": "The request was refused.", "data": null})
        }
    };
    (status, Json(body)).into_response()
}

fn paystack(code: &str) -> Value {
    let message = match code {
        "duplicate_reference" => "Duplicate Transaction Reference",
        "insufficient_balance" => "Your balance is not enough to fulfil this request",
        "invalid_Key" => "Invalid key",
        "transaction_not_found" => "Transaction reference not found.",
        "transfer_not_found" => "Transfer not found",
        _ => "The request was refused",
    };
    let kind =
        if matches!(code, "api_error" | "processor_error") { code } else { "validation_error" };
    json!({
        "status": false,
        "message": message,
        "meta": {"nextStep": "Try again"},
        "type": kind,
        "code": code,
    })
}

/// A rejection names the order; an error does not.
fn pawapay(code: &str, status: StatusCode, request: &[u8]) -> Value {
    let reason = json!({"failureCode": code, "failureMessage": "The request was refused."});
    let mut body = json!({"failureReason": reason});
    if status == StatusCode::OK {
        body["status"] = "REJECTED".into();
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        let name = ["refundId", "payoutId", "depositId"]
            .into_iter()
            .find(|name| request.get(name).is_some());
        if let Some(name) = name {
            body[name] = request[name].clone();
        }
    }
    body
}
