//! pawaPay's errors and statuses, and the members of its JSON.

use crate::{
    chaos::{AmountUnit, RefusedCall, WireFormat},
    wire::{Refusal, refuse},
};
use axum::http::StatusCode;
use serde_json::{Value, json};

/// An error in pawaPay's format.
pub(super) fn failure(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"failureReason": {"failureCode": code, "failureMessage": message}}))
}

/// What faults imitate and change in the messages of pawaPay.
pub(super) const FORMAT: WireFormat = WireFormat {
    error_codes: &[
        // pawaPay rejects orders with HTTP 200.
        (
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
            400,
            &[
                "DUPLICATE_METADATA_FIELD",
                "INVALID_INPUT",
                "INVALID_PARAMETER",
                "MISSING_PARAMETER",
                "UNSUPPORTED_PARAMETER",
            ],
        ),
        (401, &["NO_AUTHENTICATION"]),
        (
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
        (500, &["UNKNOWN_ERROR"]),
    ],
    statuses: &[
        "ACCEPTED",
        "COMPLETED",
        "DUPLICATE_IGNORED",
        "ENQUEUED",
        "FAILED",
        "IN_RECONCILIATION",
        "PROCESSING",
        "REJECTED",
    ],
    // The status beside `data` only shows whether there is an order.
    order_member: Some("data"),
    reference_members: &["depositid", "payoutid", "refundid"],
    status_members: &["status"],
    outcome_members: &[],
    amount_unit: AmountUnit::Cedis,
    server_error,
    not_found,
    request_fault,
    refusal,
};

fn server_error(_: StatusCode) -> Value {
    let message = "The request could not be processed.";
    json!({"failureReason": {"failureCode": "UNKNOWN_ERROR", "failureMessage": message}})
}

fn not_found() -> (StatusCode, Value) {
    (StatusCode::OK, json!({"status": "NOT_FOUND"}))
}

fn request_fault(status: StatusCode, message: &str) -> Value {
    let code = if status == StatusCode::NOT_FOUND { "NOT_FOUND" } else { "INVALID_INPUT" };
    json!({"failureReason": {"failureCode": code, "failureMessage": message}})
}

/// A rejection names the order; an error does not.
fn refusal(refused: &RefusedCall<'_>) -> Value {
    let reason = json!({"failureCode": refused.code, "failureMessage": "The request was refused."});
    let mut body = json!({"failureReason": reason});
    if refused.status == StatusCode::OK {
        body["status"] = "REJECTED".into();
        let request: Value = serde_json::from_slice(refused.request).unwrap_or_default();
        let name = ["refundId", "payoutId", "depositId"]
            .into_iter()
            .find(|name| request.get(name).is_some());
        if let Some(name) = name {
            body[name] = request[name].clone();
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::{Fault, OTHER_STATUS, distort};

    #[test]
    fn the_status_of_the_order_is_changed() {
        let mut body = json!({"status": "FOUND", "data": {"status": "COMPLETED"}});
        distort(&FORMAT, Fault::UnknownStatus, &mut body);
        assert_eq!(body, json!({"status": "FOUND", "data": {"status": OTHER_STATUS}}));
    }
}
