//! Hubtel's errors and statuses, and the members of its JSON.

use crate::{
    chaos::{AmountUnit, RefusedCall, WireFormat},
    operator::Call,
    wire::{Refusal, refuse},
};
use axum::http::StatusCode;
use serde_json::{Value, json};

/// A refusal of the services that write `ResponseCode`.
pub(super) fn error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"ResponseCode": code, "Message": message, "Data": null}))
}

/// A refusal of the services that write `responseCode`.
pub(super) fn camel_error(status: StatusCode, code: &str, message: &str) -> Refusal {
    refuse(status, json!({"responseCode": code, "message": message, "data": null}))
}

/// The refusal of a reference that was used before.
pub(super) fn duplicate() -> Refusal {
    error(
        StatusCode::BAD_REQUEST,
        "4000",
        "Duplicate ClientReference: the transaction exists already.",
    )
}

/// What faults imitate and change in the messages of Hubtel.
pub(super) const FORMAT: WireFormat = WireFormat {
    error_codes: &[
        (200, &["0005", "3050", "5000"]),
        (400, &["4000", "4070", "4075", "4509"]),
        (403, &["4101", "4103"]),
        (404, &["3000"]),
        (423, &["4515"]),
        (424, &["2001"]),
    ],
    statuses: &["Paid", "Refunded", "Unpaid", "failed", "pending", "success"],
    order_member: None,
    reference_members: &["clientreference"],
    status_members: &["status", "transactionstatus"],
    outcome_members: &["responsecode"],
    amount_unit: AmountUnit::Cedis,
    server_error,
    not_found,
    request_fault,
    refusal,
};

fn server_error(_: StatusCode) -> Value {
    let message = "The request could not be processed.";
    json!({"ResponseCode": "5000", "Message": message, "Data": null})
}

fn not_found() -> (StatusCode, Value) {
    let message = "Transaction not found";
    (StatusCode::NOT_FOUND, json!({"message": message, "responseCode": "3000", "data": null}))
}

/// It has the code of a mistake in the request, because 3000 says that a transaction is unknown.
fn request_fault(_: StatusCode, message: &str) -> Value {
    json!({"ResponseCode": "4000", "Message": message, "Data": null})
}

/// Receiving and sending write the names of members in another case than the rest.
fn refusal(refused: &RefusedCall<'_>) -> Value {
    let message = "The request was refused.";
    if matches!(refused.call, Call::Send | Call::Payout) {
        json!({"ResponseCode": refused.code, "Message": message, "Data": null})
    } else {
        json!({"responseCode": refused.code, "message": message, "data": null})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::{Fault, distort};

    #[test]
    fn a_status_is_changed_without_the_code_of_the_response() {
        let mut body = json!({"responseCode": "0000", "data": {"status": "Paid"}});
        distort(&FORMAT, Fault::Status("Unpaid"), &mut body);
        assert_eq!(body, json!({"responseCode": "0000", "data": {"status": "Unpaid"}}));
    }

    #[test]
    fn an_amount_is_changed_as_a_number() {
        let mut body =
            json!({"ResponseCode": "0000", "Data": {"Amount": 0.8, "ClientReference": "a"}});
        distort(&FORMAT, Fault::WrongAmount, &mut body);
        assert_eq!(body["Data"]["Amount"], json!(1.8));
    }
}
