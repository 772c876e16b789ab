//! Responses with any body: only an explicit final status or error is a failure.

use super::*;
use proptest::prelude::*;

/// Whether a response explicitly reports a final failure: the status of the transaction, or the
/// refusal of the request by a documented error.
fn is_explicit_failure(status: u16, body: &Value) -> bool {
    let status_in_data = body["data"]["status"].as_str().unwrap_or_default();
    let has_failed_in_list = body["data"][0]["status"] == "failed";
    let has_ended = matches!(status_in_data, "failed" | "rejected" | "blocked" | "abandoned")
        || has_failed_in_list;
    let is_refused = (400..500).contains(&status) && status != 429 && body["status"] == false;
    let has_known_error =
        body["type"] == "validation_error" || body["code"] == "insufficient_balance";
    has_ended || (is_refused && (status == 401 || has_known_error))
}

fn any_body() -> impl Strategy<Value = Value> {
    let statuses = prop::sample::select(vec![
        "success",
        "failed",
        "abandoned",
        "pending",
        "rejected",
        "blocked",
        "otp",
        "send_otp",
        "reversed",
        "processed",
        "needs-attention",
        "error",
        "FAILED",
        "",
        "declined",
        "timeout",
    ]);
    let error_types = prop::sample::select(vec![
        json!("validation_error"),
        json!("processor_error"),
        json!("api_error"),
        json!(null),
    ]);
    let messages = prop::sample::select(vec![
        "Invalid key",
        "Transaction failed",
        "Insufficient funds",
        "OTP is invalid",
        "Declined",
        "Not found",
        "Failed",
    ]);
    let references = prop::sample::select(vec![json!(REFERENCE), json!("another"), json!(null)]);
    let flags = any::<[bool; 3]>();
    (flags, statuses, error_types, messages, references).prop_map(
        |([is_success, is_list, has_balance_code], status, error_type, message, reference)| {
            let data = json!({
                "status": status,
                "reference": reference,
                "merchant_note": reference,
                "message": message,
                "amount": 1050,
                "currency": "GHS",
            });
            let data = if is_list { json!([data]) } else { data };
            let code = if has_balance_code { "insufficient_balance" } else { "other" };
            json!({
                "status": is_success,
                "message": message,
                "type": error_type,
                "code": code,
                "data": data,
            })
        },
    )
}

fn is_failure(response: &SendResponse) -> bool {
    matches!(
        response,
        SendResponse::Observed(report) if matches!(report.observation, Observation::Failed(_)),
    )
}

fn reports_failure(response: &StatusResponse) -> bool {
    matches!(
        response,
        StatusResponse::Known(report) if matches!(report.observation, Observation::Failed(_))
    )
}

proptest! {
    #[test]
    fn nothing_fails_without_an_explicit_failure(status in 200_u16..600, body in any_body()) {
        let reply = reply(status, &body);
        let expected = on(Network::Mtn);
        let code = code_response(&reply, expected);
        let are_failures = [
            is_failure(&charge_response(&reply, expected)),
            is_failure(&transfer_response(&reply, expected)),
            is_failure(&refund_response(&reply, REFERENCE)),
            recipient(&reply).is_err_and(|response| is_failure(&response)),
            reports_failure(&charge_status(&reply, expected)),
            reports_failure(&transfer_status(&reply, expected)),
            reports_failure(&refund_status(&reply, REFERENCE)),
            matches!(
                code,
                CodeResponse::Accepted(report)
                    if matches!(report.observation, Observation::Failed(_))
            ),
        ];
        prop_assert!(
            !are_failures.contains(&true) || is_explicit_failure(status, &body),
            "{status} {body}: {are_failures:?}"
        );
        prop_assert!(!are_failures.contains(&true) || status < 500);
    }

    #[test]
    fn a_response_that_is_not_paystacks_decides_nothing(
        status in 200_u16..600,
        body in "\\PC{0,60}"
    ) {
        let reply = raw(status, &body);
        let expected = on(Network::Mtn);
        prop_assert_eq!(observed(charge_response(&reply, expected)), Observation::Ambiguous);
        prop_assert_eq!(observed(transfer_response(&reply, expected)), Observation::Ambiguous);
        prop_assert_eq!(observed(refund_response(&reply, REFERENCE)), Observation::Ambiguous);
        prop_assert_eq!(charge_status(&reply, expected), StatusResponse::Unanswered);
        prop_assert_eq!(transfer_status(&reply, expected), StatusResponse::Unanswered);
        prop_assert_eq!(refund_status(&reply, REFERENCE), StatusResponse::Unanswered);
        prop_assert_eq!(code_response(&reply, expected), CodeResponse::Unanswered);
        prop_assert_eq!(recipient(&reply), Err(SendResponse::NotSent));
    }
}
