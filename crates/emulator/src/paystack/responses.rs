//! Paystack's responses and errors, and the members of its JSON.

use crate::{
    chaos::{AmountUnit, RefusedCall, WireFormat},
    wire::{Refusal, refuse, respond},
};
use axum::{http::StatusCode, response::Response};
use serde_json::{Value, json};

/// A response that reports success, with this message and data.
pub(super) fn success(message: &str, data: Value) -> Response {
    respond(StatusCode::OK, json!({"status": true, "message": message, "data": data}))
}

/// A refusal in Paystack's format.
pub(super) fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    let meta = json!({"nextStep": "Correct the request, then try again"});
    let body = json!({
        "status": false,
        "message": message,
        "meta": meta,
        "type": "validation_error",
        "code": code,
    });
    refuse(status, body)
}

/// A refusal of a request with a mistake.
pub(super) fn invalid(message: &str) -> Refusal {
    error(StatusCode::BAD_REQUEST, "invalid_params", message)
}

/// What faults imitate and change in the messages of Paystack.
pub(super) const FORMAT: WireFormat = WireFormat {
    error_codes: &[
        (
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
        (401, &["invalid_Key"]),
        (404, &["transfer_not_found"]),
        (422, &["invalid_account_number"]),
    ],
    statuses: &[
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
    order_member: Some("data"),
    reference_members: &["reference", "transaction_reference"],
    status_members: &["status"],
    outcome_members: &[],
    amount_unit: AmountUnit::Pesewas,
    server_error,
    not_found,
    request_fault,
    refusal,
};

fn server_error(_: StatusCode) -> Value {
    let message = "The request could not be processed.";
    json!({"status": false, "message": message, "type": "api_error", "code": "api_error"})
}

fn not_found() -> (StatusCode, Value) {
    let body = json!({
        "status": false,
        "message": "Transaction reference not found.",
        "type": "validation_error",
        "code": "transaction_not_found",
    });
    (StatusCode::NOT_FOUND, body)
}

fn request_fault(_: StatusCode, message: &str) -> Value {
    json!({
        "status": false,
        "message": message,
        "meta": {"nextStep": "Correct the request, then try again"},
        "type": "validation_error",
        "code": "invalid_params",
    })
}

fn refusal(refused: &RefusedCall<'_>) -> Value {
    let code = refused.code;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::{Fault, OTHER_STATUS, distort};

    #[test]
    fn the_status_and_the_pesewas_of_the_order_are_changed() {
        let body = json!({
            "status": true,
            "data": {"status": "success", "amount": 1250, "reference": "a"},
        });
        let mut unknown = body.clone();
        distort(&FORMAT, Fault::UnknownStatus, &mut unknown);
        assert_eq!(unknown["status"], json!(true));
        assert_eq!(unknown["data"]["status"], json!(OTHER_STATUS));
        let mut increased = body;
        distort(&FORMAT, Fault::WrongAmount, &mut increased);
        assert_eq!(increased["data"]["amount"], 1350);
    }
}
