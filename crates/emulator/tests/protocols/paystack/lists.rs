//! Customers, recipients, and lists with their pages.

use crate::support::Test;
use serde_json::{Value, json};

#[tokio::test]
async fn a_customer_is_created_fetched_listed_and_updated() {
    let test = Test::start().await;
    let ama = json!({"email": "Ama@example.com", "first_name": "Ama"});
    let created = test.post_paystack("customer", &ama).await;
    assert_eq!((created.status, &created.json()["message"]), (200, &json!("Customer created")));
    let code = created.json()["data"]["customer_code"].as_str().unwrap().to_owned();
    let again = test.post_paystack("customer", &json!({"email": "ama@example.com"})).await.json();
    assert_eq!(
        (&again["data"]["customer_code"], &again["data"]["first_name"]),
        (&json!(code), &json!("Ama"))
    );
    let updated = test.put_paystack(&format!("customer/{code}"), &json!({"phone": "0241"})).await;
    assert_eq!((updated.status, &updated.json()["data"]["phone"]), (200, &json!("0241")));
    test.charge("r-1", "0241234567", "mtn").await;
    for name in ["payments@example.com", code.as_str()] {
        let customer = test.get_paystack(&format!("customer/{name}")).await.json();
        let transactions = usize::from(name == "payments@example.com");
        assert_eq!(customer["data"]["total_transactions"], transactions, "{customer}");
    }
    let verified = test.verified("r-1").await;
    let of_charge = test.get_paystack("customer/payments@example.com").await.json();
    assert_eq!(verified["customer"]["customer_code"], of_charge["data"]["customer_code"]);
    let list = test.get_paystack("customer?perPage=1&page=2").await.json();
    assert_eq!(list["data"][0]["customer_code"], code);
    assert_eq!((&list["meta"]["total"], &list["meta"]["pageCount"]), (&json!(2), &json!(2)));
    assert_eq!(test.get_paystack("customer/unknown").await.status, 404);
    assert_eq!(test.put_paystack("customer/unknown", &json!({})).await.status, 404);
    assert_eq!(test.post_paystack("customer", &json!({"first_name": "A"})).await.status, 400);
}

#[tokio::test]
async fn recipients_and_transfers_are_listed_with_meta() {
    let test = Test::start().await;
    test.transfer("tua-payout-000001", "0241234567").await;
    test.transfer("tua-payout-000002", "0241234568").await;
    test.advance(2);
    test.transfer("tua-payout-000003", "0241234568").await;
    let count = async |path: &str| {
        let list = test.get_paystack(path).await.json();
        for member in ["total", "skipped", "perPage", "page", "pageCount"] {
            assert!(list["meta"][member].is_number(), "{path}: {member} in {}", list["meta"]);
        }
        list["data"].as_array().unwrap().len()
    };
    assert_eq!(count("transferrecipient").await, 2);
    assert_eq!(count("transferrecipient?perPage=1").await, 1);
    assert_eq!(count("transfer").await, 3);
    assert_eq!(count("transfer?status=success&perPage=50&page=1").await, 2);
    assert_eq!(count("transfer?recipient=2").await, 2);
    assert_eq!(count("refund").await, 0);
    assert_eq!(test.get_paystack("transfer?perPage=0").await.status, 400);
    let newest = test.get_paystack("transfer").await.json()["data"][0].clone();
    assert_eq!(newest["reference"], "tua-payout-000003");
    assert_eq!(newest["recipient"]["details"]["account_number"], "0241234568");
    for name in [newest["id"].to_string(), newest["transfer_code"].as_str().unwrap().to_owned()] {
        let read = test.get_paystack(&format!("transfer/{name}")).await.json();
        assert_eq!(read["data"]["reference"], "tua-payout-000003");
    }
    assert_eq!(test.get_paystack("transfer/TRF_unknown").await.status, 404);
}

/// The members that Paystack's OpenAPI document requires, with the kind of their values. `?` may be
/// null.
fn assert_members(value: &Value, members: &[(&str, &str)]) {
    for (name, kind) in members {
        let value = value.get(name).unwrap_or_else(|| panic!("{name} is missing in {value}"));
        let is_valid = match kind.trim_end_matches('?') {
            "text" => value.is_string(),
            "number" => value.is_i64(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            _ => value.is_boolean(),
        };
        assert!(is_valid || kind.ends_with('?') && value.is_null(), "{name}: {value}");
    }
}

#[tokio::test]
async fn a_new_recipient_and_transfer_have_what_the_document_requires() {
    let test = Test::start().await;
    let transfer = test.transfer("tua-payout-000001", "0241234567").await.json()["data"].clone();
    assert_members(
        &transfer,
        &[
            ("recipient", "number"),
            ("request", "number"),
            ("integration", "number"),
            ("reason", "text"),
            ("transfersessionid", "array"),
            ("transfertrials", "array"),
            ("titan_code", "text?"),
            ("transferred_at", "text?"),
        ],
    );
    let code = test.get_paystack("transferrecipient").await.json()["data"][0].clone();
    let recipient =
        test.get_paystack(&format!("transferrecipient/{}", transfer["recipient"])).await.json();
    assert_eq!(recipient["data"]["recipient_code"], code["recipient_code"]);
    assert_eq!(recipient["data"]["institution_code"], "MTN");
    assert_members(
        &recipient["data"],
        &[
            ("active", "boolean"),
            ("currency", "text"),
            ("description", "text"),
            ("domain", "text"),
            ("email", "text"),
            ("id", "number"),
            ("metadata", "object?"),
            ("name", "text"),
            ("recipient_code", "text"),
            ("is_deleted", "boolean"),
            ("isDeleted", "boolean"),
            ("details", "object"),
        ],
    );
}

#[tokio::test]
async fn an_answer_to_a_code_has_what_the_document_requires() {
    let test = Test::start().await;
    test.charge("r-2", "0501234567", "vod").await;
    for (otp, status) in [("000000", "send_otp"), ("123456", "pending"), ("123456", "pending")] {
        let body = json!({"otp": otp, "reference": "r-2"});
        let answer = test.post_paystack("charge/submit_otp", &body).await.json()["data"].clone();
        assert_eq!(answer["status"], status);
        assert_members(
            &answer,
            &[
                ("amount", "number"),
                ("currency", "text"),
                ("transaction_date", "text"),
                ("reference", "text"),
                ("domain", "text"),
                ("redirect_url", "text?"),
                ("metadata", "object"),
                ("gateway_response", "text"),
                ("message", "text?"),
                ("channel", "text"),
                ("fees", "number?"),
                ("authorization", "object"),
                ("customer", "object"),
            ],
        );
        assert!(answer["authorization"]["signature"].is_string());
        assert!(answer["customer"]["customer_code"].is_string());
    }
}
