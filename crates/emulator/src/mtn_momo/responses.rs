//! MTN's errors and statuses, and the members of its JSON.

use crate::{
    chaos::{AmountUnit, RefusedCall, WireFormat},
    wire::{Refusal, refuse},
};
use axum::http::StatusCode;
use serde_json::{Value, json};

/// An error of the API itself.
pub(super) fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"code": code, "message": message}))
}

/// What faults imitate and change in the messages of MTN.
pub(super) const FORMAT: WireFormat = WireFormat {
    error_codes: &[
        (400, &["BAD_REQUEST", "VALIDATION_ERROR"]),
        (401, &["invalid_token", "invalid_client"]),
        (403, &["FORBIDDEN_IP"]),
        (404, &["RESOURCE_NOT_FOUND"]),
        (409, &["RESOURCE_ALREADY_EXIST"]),
        (
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
        (503, &["SERVICE_UNAVAILABLE"]),
    ],
    statuses: &["CREATED", "FAILED", "PENDING", "SUCCESSFUL"],
    order_member: None,
    reference_members: &["externalid"],
    status_members: &["status"],
    outcome_members: &[],
    amount_unit: AmountUnit::Cedis,
    server_error,
    not_found,
    request_fault,
    refusal,
};

fn server_error(status: StatusCode) -> Value {
    if status == StatusCode::SERVICE_UNAVAILABLE {
        let message = "Service temporarily unavailable, try again later.";
        json!({"code": "SERVICE_UNAVAILABLE", "message": message})
    } else {
        json!({"code": "INTERNAL_PROCESSING_ERROR", "message": "An internal error occurred."})
    }
}

fn not_found() -> (StatusCode, Value) {
    let message = "Requested resource was not found.";
    (StatusCode::NOT_FOUND, json!({"code": "RESOURCE_NOT_FOUND", "message": message}))
}

/// The gateway refuses what it does not route; mistakes in a request reach the API itself.
fn request_fault(status: StatusCode, message: &str) -> Value {
    if status == StatusCode::BAD_REQUEST {
        json!({"code": "BAD_REQUEST", "message": message})
    } else {
        json!({"statusCode": status.as_u16(), "message": message})
    }
}

fn refusal(refused: &RefusedCall<'_>) -> Value {
    if refused.status == StatusCode::UNAUTHORIZED {
        json!({"error": refused.code})
    } else {
        json!({"code": refused.code, "message": "The request was refused."})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::{Fault, OTHER_REFERENCE, OTHER_STATUS, distort};

    #[test]
    fn each_fault_changes_the_member_that_it_is_about() {
        let body =
            json!({"amount": "12.5", "currency": "GHS", "externalId": "a", "status": "SUCCESSFUL"});
        let distorted = |fault, member: &str| {
            let mut body = body.clone();
            distort(&FORMAT, fault, &mut body);
            body[member].clone()
        };
        assert_eq!(distorted(Fault::WrongAmount, "amount"), "13.5");
        assert_eq!(distorted(Fault::WrongCurrency, "currency"), "XOF");
        assert_eq!(distorted(Fault::WrongReference, "externalId"), OTHER_REFERENCE);
        assert_eq!(distorted(Fault::UnknownStatus, "status"), OTHER_STATUS);
    }
}
