//! Bodies are those of paystack.com/docs and PaystackOSS's samples, read in November 2026,
//! shortened.

mod any_body;
mod refund_notes;

use super::*;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tua_contract::FailureCode;
use tua_domain::{
    ports::{FailureScope, Finding},
    review::Attention,
};

const REFERENCE: &str = "0199f3c2-7d5e-4a10-8b6f-123456789abc";

fn reply(status: u16, body: &Value) -> Reply {
    raw(status, &body.to_string())
}

fn raw(status: u16, body: &str) -> Reply {
    let status = StatusCode::from_u16(status).unwrap();
    Reply::Response(Response { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() })
}

const fn on(network: Network) -> ExpectedOrder<'static> {
    ExpectedOrder { reference: REFERENCE, network }
}

fn fulfilled_with(data: &Value) -> Reply {
    reply(200, &json!({"status": true, "message": "Charge attempted", "data": data}))
}

fn paid() -> Value {
    json!({
        "id": 4099260516_i64,
        "domain": "live",
        "status": "success",
        "reference": REFERENCE,
        "amount": 1050,
        "currency": "GHS",
        "fees": 20,
        "metadata": "",
        "gateway_response": "Approved",
        "message": null,
        "authorization": {"bank": "MTN Mobile Money", "reusable": false},
    })
}

fn compared(report: Report) -> Finding {
    report.compare(Amount::from_pesewas(1050).unwrap())
}

fn observed(response: SendResponse) -> Observation {
    match response {
        SendResponse::Observed(report) => compared(report).observation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_status_of_a_charge_has_its_meaning() {
    for (status, network, expected) in [
        ("pay_offline", Network::Mtn, Some(Observation::Awaits(Step::ApproveOnPhone))),
        ("send_otp", Network::Telecel, Some(Observation::Awaits(Step::EnterVoucher))),
        ("send_otp", Network::Mtn, Some(Observation::Awaits(Step::EnterOtp))),
        ("pending", Network::Mtn, Some(Observation::StillPending)),
        ("ongoing", Network::Mtn, Some(Observation::StillPending)),
        ("abandoned", Network::Mtn, Some(Observation::StillPending)),
        ("open_url", Network::Mtn, Some(Observation::StillPending)),
        ("reversed", Network::Mtn, Some(Observation::Reversed)),
        ("failed", Network::Mtn, Some(Observation::Failed(FailureCode::Unspecified))),
        ("SUSPENDED", Network::Mtn, None),
    ] {
        let answer = charge_status(
            &fulfilled_with(&json!({"reference": REFERENCE, "status": status})),
            on(network),
        );
        let expected = expected.map_or(StatusResponse::Unanswered, |observation| {
            StatusResponse::Known(charge_report(observation))
        });
        assert_eq!(answer, expected, "{status}");
    }
}

#[test]
fn a_code_of_telecel_is_a_voucher_unless_the_text_asks_for_the_one_of_an_sms() {
    for (text, step) in [
        (json!("Please dial *110# to generate a voucher code"), Step::EnterVoucher),
        (json!("Please enter the OTP sent to your phone"), Step::EnterOtp),
        (json!("Enter your voucher as the OTP"), Step::EnterVoucher),
        (json!(null), Step::EnterVoucher),
        (json!({"en": "OTP"}), Step::EnterVoucher),
    ] {
        let data = json!({"reference": REFERENCE, "status": "send_otp", "display_text": text});
        let answer = charge_status(&fulfilled_with(&data), on(Network::Telecel));
        assert_eq!(answer, StatusResponse::known(Observation::Awaits(step)), "{text}");
    }
}

/// The report of a charge with this outcome: a failure concerns that order alone.
fn charge_report(observation: Observation) -> Report {
    match observation {
        Observation::Failed(_) => Report::new(observation).with_failure_scope(FailureScope::Order),
        _ => Report::new(observation),
    }
}

#[test]
fn a_success_carries_what_paystack_reports() {
    let SendResponse::Observed(report) =
        charge_response(&fulfilled_with(&paid()), on(Network::Mtn))
    else {
        panic!()
    };
    let finding = compared(report);
    assert_eq!(finding.observation, Observation::Succeeded);
    assert_eq!(finding.details.transaction_id.as_deref(), Some("4099260516"));
    assert_eq!((finding.details.fee_pesewas, finding.details.order_id), (Some(20), None));
    for (member, value) in [
        ("amount", json!(1051)),
        ("amount", json!(10.5)),
        ("amount", json!(null)),
        ("currency", json!("NGN")),
        ("currency", json!(null)),
        ("reference", json!("another")),
        ("reference", json!(null)),
    ] {
        let mut other = paid();
        other[member] = value;
        let StatusResponse::Known(report) =
            charge_status(&fulfilled_with(&other), on(Network::Mtn))
        else {
            panic!("{other}")
        };
        assert_eq!(compared(report).observation, Observation::Mismatched, "{other}");
    }
}

#[test]
fn a_failure_of_another_reference_is_no_failure_of_ours() {
    let data = json!({"reference": "another", "status": "failed", "message": "Insufficient funds"});
    assert_eq!(
        observed(charge_response(&fulfilled_with(&data), on(Network::Mtn))),
        Observation::Ambiguous
    );
    assert_eq!(charge_status(&fulfilled_with(&data), on(Network::Mtn)), StatusResponse::Unanswered);
    assert_eq!(code_response(&fulfilled_with(&data), on(Network::Mtn)), CodeResponse::Unanswered);
}

#[test]
fn refusals_of_a_send_are_told_apart() {
    let body = |kind: &str, code: &str, message: &str| {
        json!({
            "status": false,
            "message": message,
            "type": kind,
            "code": code,
            "meta": {"nextStep": "…"},
        })
    };
    let send = |status, body: &Value| charge_response(&reply(status, body), on(Network::Mtn));
    let duplicate =
        body("validation_error", "duplicate_reference", "Duplicate Transaction Reference");
    assert_eq!(send(400, &duplicate), SendResponse::Duplicate);
    let untyped = json!({"status": false, "message": "Duplicate Transaction Reference"});
    assert_eq!(send(400, &untyped), SendResponse::Duplicate);
    let failed_in_400 = json!({
        "status": false,
        "message": "Charge attempted",
        "data": {
            "reference": REFERENCE,
            "status": "failed",
            "message": "Transaction declined by customer",
        },
    });
    for (status, body, expected) in [
        (
            401,
            json!({"status": false, "message": "Invalid key"}),
            Some(FailureCode::NetworkUnavailable),
        ),
        (
            400,
            body("validation_error", "invalid_params", "Mobile money phone number is invalid"),
            Some(FailureCode::PayerNotFound),
        ),
        (
            403,
            body("validation_error", "unsupported_currency", "Currency not supported"),
            Some(FailureCode::OperatorRefused),
        ),
        (400, failed_in_400, Some(FailureCode::CustomerRejected)),
        (400, body("processor_error", "x", "Declined"), None),
        (400, body("api_error", "x", "Something went wrong"), None),
        (400, json!({"status": false, "message": "Something went wrong"}), None),
        (500, body("validation_error", "x", "Invalid"), None),
        (429, body("validation_error", "x", "Too many requests"), None),
        (403, json!("<html>"), None),
    ] {
        let expected = expected.map_or(Observation::Ambiguous, Observation::Failed);
        assert_eq!(observed(send(status, &body)), expected, "{status} {body}");
    }
    assert_eq!(charge_response(&Reply::NotSent, on(Network::Mtn)), SendResponse::NotSent);
    assert_eq!(
        observed(charge_response(&Reply::NoResponse, on(Network::Mtn))),
        Observation::Ambiguous
    );
    assert_eq!(
        observed(charge_response(&raw(200, "{\"status\":true,"), on(Network::Mtn))),
        Observation::Ambiguous
    );
}

#[test]
fn only_an_explicit_unknown_reference_is_never_received() {
    let unknown = json!({
        "status": false,
        "message": "Transaction reference not found.",
        "type": "validation_error",
        "code": "transaction_not_found",
    });
    assert_eq!(
        charge_status(&reply(400, &unknown), on(Network::Mtn)),
        StatusResponse::NeverReceived
    );
    assert_eq!(
        charge_status(&reply(404, &unknown), on(Network::Mtn)),
        StatusResponse::NeverReceived
    );
    assert_eq!(charge_status(&reply(500, &unknown), on(Network::Mtn)), StatusResponse::Unanswered);
    assert_eq!(charge_status(&raw(404, "<html>"), on(Network::Mtn)), StatusResponse::Unanswered);
    let elsewhere = json!({"status": false, "message": "Not found"});
    assert_eq!(
        charge_status(&reply(404, &elsewhere), on(Network::Mtn)),
        StatusResponse::Unanswered
    );
}

#[test]
fn a_code_is_wrong_only_if_paystack_refuses_the_code() {
    let telecel = on(Network::Telecel);
    let data = |status: &str| fulfilled_with(&json!({"reference": REFERENCE, "status": status}));
    assert_eq!(code_response(&data("send_otp"), telecel), CodeResponse::Wrong);
    assert_eq!(
        code_response(&data("pending"), telecel),
        CodeResponse::accepted(Observation::Awaits(Step::Wait))
    );
    assert_eq!(
        code_response(&data("pay_offline"), telecel),
        CodeResponse::accepted(Observation::Awaits(Step::ApproveOnPhone))
    );
    let failed = Observation::Failed(FailureCode::Unspecified);
    assert_eq!(
        code_response(&data("failed"), telecel),
        CodeResponse::Accepted(charge_report(failed))
    );
    for (status, message, expected) in [
        (400, "OTP is invalid", CodeResponse::Wrong),
        (400, "Incorrect voucher code", CodeResponse::Wrong),
        (400, "Transaction reference is invalid", CodeResponse::Unanswered),
        (400, "Something went wrong", CodeResponse::Unanswered),
        (401, "Invalid key", CodeResponse::Unanswered),
        (500, "OTP is invalid", CodeResponse::Unanswered),
    ] {
        let refused = reply(status, &json!({"status": false, "message": message}));
        assert_eq!(code_response(&refused, telecel), expected, "{status} {message}");
    }
}

#[test]
fn each_status_of_a_transfer_has_its_meaning() {
    for (status, expected) in [
        ("pending", Some(Observation::StillPending)),
        ("otp", Some(Observation::StillPending)),
        ("received", Some(Observation::StillPending)),
        ("reversed", Some(Observation::Reversed)),
        ("failed", Some(Observation::Failed(FailureCode::RecipientNotFound))),
        ("rejected", Some(Observation::Failed(FailureCode::OperatorRefused))),
        ("blocked", Some(Observation::Failed(FailureCode::OperatorRefused))),
        ("abandoned", Some(Observation::Failed(FailureCode::OperatorRefused))),
        ("SUSPENDED", None),
    ] {
        let data = json!({
            "reference": REFERENCE,
            "status": status,
            "amount": 1050,
            "currency": "GHS",
            "transfer_code": "TRF_1",
            "id": 7,
            "fee_charged": 0,
            "failures": {"message": "Account not found"},
        });
        match (transfer_status(&fulfilled_with(&data), on(Network::Mtn)), expected) {
            (StatusResponse::Known(report), Some(expected)) => {
                assert_eq!(report.observation, expected, "{status}");
                assert_eq!(report.details.order_id.as_deref(), Some("TRF_1"));
                assert_eq!(
                    (report.details.transaction_id.as_deref(), report.details.fee_pesewas),
                    (Some("7"), None)
                );
            }
            (answer, expected) => {
                assert_eq!((answer, expected), (StatusResponse::Unanswered, None), "{status}")
            }
        }
    }
}

#[test]
fn the_text_of_a_refused_refund_proves_nothing_about_the_money() {
    let refused = |message: &str| {
        let body = json!({
            "status": false,
            "message": message,
            "type": "validation_error",
            "code": "invalid_params",
        });
        refund_response(&reply(400, &body), REFERENCE)
    };
    for message in [
        "Transaction has been fully reversed",
        "Refund amount cannot be more than transaction amount",
        "Only successful transactions can be refunded",
        "Refunds are unavailable for this transaction",
        "The amount that is left is not enough",
        "A text that nobody has seen before",
        "",
    ] {
        let SendResponse::Observed(report) = refused(message) else { panic!("{message}") };
        assert_eq!(report.observation, Observation::StillPending, "{message}");
        assert_eq!(report.attention, Some(Attention::CheckRefund), "{message}");
    }
    let wrong_key = json!({"status": false, "message": "Invalid key", "type": "validation_error"});
    let refusal = Observation::Failed(FailureCode::NetworkUnavailable);
    assert_eq!(observed(refund_response(&reply(401, &wrong_key), REFERENCE)), refusal);
}
