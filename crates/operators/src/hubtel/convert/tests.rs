//! Bodies are the samples of Hubtel's pages (receiving money: 23 December 2025), shortened.

mod any_body;

use super::*;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tua_domain::ports::{Finding, RefundRefusal};

const REFERENCE: &str = "0199f3c2-7d5e-4a10-8b6f-123456789abc";
const SENT: &str = "0199f3c27d5e4a108b6f123456789abc";

fn reply(status: u16, body: &Value) -> Reply {
    raw(status, &body.to_string())
}

fn raw(status: u16, body: &str) -> Reply {
    let status = StatusCode::from_u16(status).unwrap();
    Reply::Response(Response { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() })
}

fn compared(report: Report) -> Finding {
    report.compare(Amount::from_pesewas(80).unwrap())
}

fn observed(response: SendResponse) -> Observation {
    match response {
        SendResponse::Observed(report) => compared(report).observation,
        other => panic!("{other:?}"),
    }
}

fn answer_to_send(code: &str, message: &str) -> Value {
    json!({
        "Message": message,
        "ResponseCode": code,
        "Data": {
            "TransactionId": "09f84e20",
            "Description": "Union Dues",
            "ClientReference": SENT,
            "Amount": 0.8,
            "Charges": 0.05,
            "AmountAfterCharges": 0.8,
            "AmountCharged": 0.85,
        },
    })
}

fn status(word: &str) -> Value {
    json!({
        "message": "Successful",
        "responseCode": "0000",
        "data": {
            "status": word,
            "transactionId": "7fd01221",
            "externalTransactionId": "0000006824852622",
            "clientReference": SENT,
            "currencyCode": null,
            "amount": 0.8,
            "charges": 0.02,
            "amountAfterCharges": 0.78,
            "isFulfilled": null,
        },
    })
}

#[test]
fn the_code_of_the_answer_to_a_send_decides() {
    use FailureCode as Code;
    let on_phone = Observation::Awaits(Step::ApproveOnPhone);
    for (http, code, message, expected) in [
        (200, "0001", "Transaction pending", on_phone),
        (200, "0000", "success", on_phone),
        (200, "2001", "You entered the wrong PIN", Observation::Failed(Code::WrongPin)),
        (200, "3050", "not registered", Observation::Failed(Code::PayerNotFound)),
        (400, "4000", "Validation Errors", Observation::Failed(Code::OperatorRefused)),
        (
            400,
            "4070",
            "Fees not set for given conditions",
            Observation::Failed(Code::OperatorRefused),
        ),
        (403, "4101", "Business isn't fully set up", Observation::Failed(Code::NetworkUnavailable)),
        (403, "4103", "Permission denied", Observation::Failed(Code::OperatorRefused)),
        (424, "2001", "failed", Observation::Failed(Code::Unspecified)),
        (200, "5000", "unknown", Observation::Ambiguous),
        (200, "0005", "HTTP failure", Observation::Ambiguous),
        (200, "SUSPENDED", "", Observation::Ambiguous),
        (400, "0001", "", Observation::Ambiguous),
        (500, "2001", "failed", Observation::Ambiguous),
        (503, "4000", "failed", Observation::Ambiguous),
    ] {
        let response =
            send_response(&reply(http, &answer_to_send(code, message)), REFERENCE, Kind::Charge);
        assert_eq!(observed(response), expected, "{http} {code} {message}");
    }
    let paid_out = send_response(&reply(200, &answer_to_send("0001", "")), REFERENCE, Kind::Payout);
    assert_eq!(observed(paid_out), Observation::StillPending);
    let short = send_response(&reply(400, &answer_to_send("4075", "")), REFERENCE, Kind::Payout);
    assert_eq!(observed(short), Observation::Failed(Code::MerchantFloatLow));
}

#[test]
fn a_refusal_of_the_reference_is_a_duplicate_and_never_a_failure() {
    let fault = json!({"ResponseCode": "4000", "Message": "Validation Errors",
        "Data": [{"Field": "ClientReference", "ErrorMessage": "must be unique"}]});
    let duplicate =
        json!({"ResponseCode": "4000", "Message": "Duplicate ClientReference", "Data": null});
    for body in [fault, duplicate] {
        assert_eq!(
            send_response(&reply(400, &body), REFERENCE, Kind::Charge),
            SendResponse::Duplicate,
            "{body}"
        );
    }
}

#[test]
fn a_failure_of_another_reference_is_no_failure_of_ours() {
    let mut other = answer_to_send("2001", "failed");
    other["Data"]["ClientReference"] = json!("3jL2KlUy3vt21");
    assert_eq!(
        observed(send_response(&reply(200, &other), REFERENCE, Kind::Charge)),
        Observation::Ambiguous
    );
}

#[test]
fn an_address_that_is_not_listed_and_wrong_keys_accept_nothing_and_a_401_of_others_is_ambiguous() {
    let refused = Observation::Failed(FailureCode::NetworkUnavailable);
    assert_eq!(
        observed(send_response(&raw(403, "<html>403 Forbidden</html>"), REFERENCE, Kind::Charge)),
        refused
    );
    let wrong_keys = json!({"ResponseCode": "4101", "Message": "Unauthorized", "Data": null});
    assert_eq!(observed(send_response(&reply(401, &wrong_keys), REFERENCE, Kind::Charge)), refused);
    assert_eq!(observed(refund_response(&reply(401, &wrong_keys))), refused);
    let accepted = answer_to_send("0001", "Transaction pending").to_string();
    for body in
        ["", "<html>401 Proxy Authentication</html>", r#"{"message":"Unauthorized"}"#, &accepted]
    {
        assert_eq!(
            observed(send_response(&raw(401, body), REFERENCE, Kind::Payout)),
            Observation::Ambiguous,
            "{body}"
        );
        assert_eq!(observed(refund_response(&raw(401, body))), Observation::Ambiguous, "{body}");
    }
    assert_eq!(
        observed(send_response(&raw(200, "<html>"), REFERENCE, Kind::Charge)),
        Observation::Ambiguous
    );
    assert_eq!(
        observed(send_response(&Reply::NoResponse, REFERENCE, Kind::Charge)),
        Observation::Ambiguous
    );
    assert_eq!(send_response(&Reply::NotSent, REFERENCE, Kind::Charge), SendResponse::NotSent);
    assert!(matches!(
        read_response(&raw(403, "<html>")),
        Err(ReadError::Refused(text)) if text.contains("list"),
    ));
}

#[test]
fn an_unpaid_charge_is_pending_and_a_paid_one_carries_what_hubtel_reports() {
    let answer = |body: &Value| charge_status(&reply(200, body), REFERENCE);
    let StatusResponse::Known(unpaid) = answer(&status("Unpaid")) else { panic!() };
    assert_eq!(unpaid.observation, Observation::StillPending);
    let StatusResponse::Known(refunded) = answer(&status("Refunded")) else { panic!() };
    assert_eq!(refunded.observation, Observation::Reversed);
    for word in ["Failed", "paid", "SUSPENDED", ""] {
        assert_eq!(answer(&status(word)), StatusResponse::Unanswered, "{word}");
    }
    let StatusResponse::Known(paid) = answer(&status("Paid")) else { panic!() };
    let paid = compared(paid);
    assert_eq!(paid.observation, Observation::Succeeded);
    assert_eq!(paid.details.transaction_id.as_deref(), Some("0000006824852622"));
    assert_eq!(
        (paid.details.order_id.as_deref(), paid.details.fee_pesewas),
        (Some("7fd01221"), Some(2))
    );
    for (member, value) in [
        ("amount", json!(0.85)),
        ("amount", json!(0.801)),
        ("amount", json!(null)),
        ("currencyCode", json!("NGN")),
        ("clientReference", json!("another")),
        ("clientReference", json!(null)),
    ] {
        let mut other = status("Paid");
        other["data"][member] = value;
        let StatusResponse::Known(report) = answer(&other) else { panic!("{other}") };
        assert_eq!(compared(report).observation, Observation::Mismatched, "{other}");
    }
    let unknown = json!({"responseCode": "3000", "message": "Transaction not found", "data": null});
    assert_eq!(charge_status(&reply(404, &unknown), REFERENCE), StatusResponse::NeverReceived);
    assert_eq!(charge_status(&raw(404, "<html>"), REFERENCE), StatusResponse::Unanswered);
    assert_eq!(charge_status(&reply(500, &status("Paid")), REFERENCE), StatusResponse::Unanswered);
}

#[test]
fn the_status_of_a_payout_is_read_in_both_published_forms() {
    for (code, word, expected) in [
        ("success", "success", Some(Observation::Succeeded)),
        ("0000", "Paid", Some(Observation::Succeeded)),
        ("success", "pending", Some(Observation::StillPending)),
        ("success", "failed", Some(Observation::Failed(FailureCode::Unspecified))),
        ("success", "SUSPENDED", None),
        ("5000", "failed", None),
    ] {
        let body = json!({
            "ResponseCode": code,
            "Data": {
                "TransactionId": "7fd01221",
                "networkTransactionId": "2116",
                "Amount": 0.8,
                "Fees": 0,
                "ClientReference": SENT,
                "transactionStatus": word,
            },
        });
        match (payout_status(&reply(200, &body), REFERENCE), expected) {
            (StatusResponse::Known(report), Some(expected)) => {
                let finding = compared(report);
                assert_eq!(
                    (finding.observation, finding.details.fee_pesewas),
                    (expected, Some(0)),
                    "{body}"
                );
                assert_eq!(finding.details.transaction_id.as_deref(), Some("2116"));
            }
            (answer, expected) => {
                assert_eq!((answer, expected), (StatusResponse::Unanswered, None), "{body}")
            }
        }
    }
}

#[test]
fn a_refund_is_found_in_the_status_of_its_charge() {
    let refund = |word| refund_status(&reply(200, &status(word)), REFERENCE);
    let StatusResponse::Known(report) = refund("Refunded") else { panic!() };
    assert_eq!(compared(report).observation, Observation::Succeeded);
    for (member, value) in
        [("amount", json!(0.81)), ("amount", json!(null)), ("currencyCode", json!("NGN"))]
    {
        let mut other = status("Refunded");
        other["data"][member] = value;
        let StatusResponse::Known(report) = refund_status(&reply(200, &other), REFERENCE) else {
            panic!("{other}")
        };
        assert_eq!(compared(report).observation, Observation::Mismatched, "{other}");
    }
    let mut another = status("Refunded");
    another["data"]["clientReference"] = json!("another");
    assert_eq!(refund_status(&reply(200, &another), REFERENCE), StatusResponse::Unanswered);
    assert_eq!(refund("Paid"), StatusResponse::known(Observation::StillPending));
    assert_eq!(refund("Unpaid"), StatusResponse::Unanswered);
    for (http, code, expected) in [
        (202, "0001", SendResponse::from(Observation::StillPending)),
        (423, "4515", SendResponse::Duplicate),
        (404, "3000", Report::from(RefundRefusal::ProvesNothing).into()),
        (404, "4000", Observation::Failed(FailureCode::OperatorRefused).into()),
        (400, "4509", Report::from(RefundRefusal::ProvesNothing).into()),
        (400, "9999", Report::from(RefundRefusal::ProvesNothing).into()),
        (500, "4509", Observation::Ambiguous.into()),
        (200, "5000", Observation::Ambiguous.into()),
    ] {
        let body = json!({"responseCode": code, "message": "m", "data": null});
        assert_eq!(refund_response(&reply(http, &body)), expected, "{http} {code}");
    }
}

#[test]
fn a_number_without_a_wallet_has_no_name() {
    let name = |http, code: &str, data: Value| {
        account_name(&reply(http, &json!({"message": "m", "responseCode": code, "data": data})))
    };
    let registered = json!({"isRegistered": true, "name": "AMA MENSAH", "profile": "Subscriber"});
    assert_eq!(name(200, "0000", registered), Ok(Some("AMA MENSAH".to_owned())));
    assert_eq!(name(200, "0000", json!({"isRegistered": false})), Ok(None));
    assert_eq!(name(404, "3000", json!(null)), Ok(None));
    assert_eq!(name(404, "2001", json!(null)), Ok(None));
    assert!(matches!(name(424, "2001", json!(null)), Err(ReadError::Unanswered(_))));
    assert!(matches!(name(403, "4101", json!(null)), Err(ReadError::Refused(_))));
}
