//! `POST /submit-otp`: vouchers and passcodes, at most five wrong ones.

use serde_json::{Value, json};
use tua_test_support::{
    ApiClient, Response, TestApp,
    payment_bodies::{assert_field_error, payment_with},
};

async fn submit(actor: &ApiClient, transaction: &str, otp: &str) -> Response {
    actor.post("/v1/submit-otp", &json!({ "transactionId": transaction, "otp": otp })).await
}

/// A Telecel charge that waits for a voucher.
async fn voucher_charge(payer: &ApiClient) -> String {
    let charge = payer.charge("0201234567", "TELECEL").await.is(202);
    assert_eq!(
        (&charge.json()["status"], &charge.json()["nextAction"]),
        (&json!("PENDING"), &json!("ENTER_VOUCHER"))
    );
    charge.id()
}

#[tokio::test]
async fn the_right_voucher_pays() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = voucher_charge(&payer).await;
    let answer = submit(&payer, &id, "123456").await.is(200).json();
    assert_eq!((&answer["transactionId"], &answer["status"]), (&json!(id), &json!("PENDING")));
    assert!(!answer["message"].as_str().unwrap().is_empty());
    assert_ne!(answer["nextAction"], "ENTER_VOUCHER");
    submit(&payer, &id, "123456").await.is_problem(409, "verification_not_expected");
    app.advance(2);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    submit(&payer, &id, "123456").await.is_problem(409, "verification_not_expected");
}

#[tokio::test]
async fn the_fifth_wrong_voucher_fails_the_charge() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = voucher_charge(&payer).await;
    for left in [4, 3, 2, 1] {
        let wrong = submit(&payer, &id, "000000").await.is(200).json();
        assert_eq!(
            (&wrong["status"], &wrong["nextAction"]),
            (&json!("PENDING"), &json!("ENTER_VOUCHER"))
        );
        assert!(wrong["message"].as_str().unwrap().contains(&left.to_string()), "{wrong}");
        assert_eq!(payer.status(&id).await["codeAttemptsLeft"], left);
    }
    let ended = submit(&payer, &id, "000000").await.is(200).json();
    assert_eq!((&ended["status"], &ended["nextAction"]), (&json!("FAILED"), &json!("NONE")));
    assert_eq!(ended["failure"]["code"], "otp_attempts_exhausted");
    submit(&payer, &id, "123456").await.is_problem(409, "verification_not_expected");
    app.advance(120);
    assert_eq!(
        shop.status(&id).await["status"],
        "FAILED",
        "the operator can no longer take money for it"
    );
    assert_eq!(voucher_charge(&payer).await.len(), id.len(), "the session accepts another charge");
}

#[tokio::test]
async fn a_right_voucher_after_four_wrong_ones_pays() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let id = voucher_charge(&payer).await;
    for _ in 0..4 {
        submit(&payer, &id, "000000").await.is(200);
    }
    assert_eq!(submit(&payer, &id, "123456").await.is(200).json()["status"], "PENDING");
    app.advance(2);
    payer.until(&id, |status| status["status"] == "SUCCESSFUL").await;
}

#[tokio::test]
async fn the_passcode_test_number_requires_a_code_on_every_network() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for network in ["MTN", "TELECEL", "AIRTELTIGO"] {
        let payer = app.payer(&shop).await;
        let charge = payer.charge("0241230011", network).await.is(202);
        assert_eq!(charge.json()["nextAction"], "ENTER_OTP", "{network}");
        submit(&shop, &charge.id(), "123456").await.is(200);
        app.advance(2);
        shop.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    }
}

#[tokio::test]
async fn the_outcome_of_a_voucher_charge_follows_the_right_voucher() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (ending, code) in
        [("0001", "insufficient_funds"), ("0002", "customer_rejected"), ("0005", "payer_limit")]
    {
        let payer = app.payer(&shop).await;
        let charge = payer.charge(&format!("020123{ending}"), "TELECEL").await.is(202);
        app.advance(10);
        assert_eq!(
            payer.status(&charge.id()).await["nextAction"],
            "ENTER_VOUCHER",
            "nothing happens before the voucher"
        );
        submit(&payer, &charge.id(), "123456").await.is(200);
        app.advance(2);
        let failed = payer.until(&charge.id(), |status| status["status"] == "FAILED").await;
        assert_eq!(failed["failure"]["code"], code);
    }
}

#[tokio::test]
async fn a_code_is_rejected_when_none_is_expected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for phone in ["0241234567", "0241230006", "0241230007", "0241230010"] {
        let charge = app.payer(&shop).await.charge(phone, "MTN").await.is(202);
        submit(&shop, &charge.id(), "123456").await.is_problem(409, "verification_not_expected");
    }
    let payout =
        shop.post_text("/v1/payout", &payment_with("network", Some(r#""TELECEL""#))).await.is(202);
    submit(&shop, &payout.id(), "123456").await.is_problem(409, "verification_not_expected");
}

#[tokio::test]
async fn white_space_around_a_code_is_trimmed_and_inside_is_invalid() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for otp in [" 123456", "123456\n", "\t 123456 \r\n"] {
        let payer = app.payer(&shop).await;
        let id = voucher_charge(&payer).await;
        submit(&payer, &id, otp).await.is(200);
        submit(&payer, &id, "123456").await.is_problem(409, "verification_not_expected");
    }
    let payer = app.payer(&shop).await;
    assert_field_error(
        submit(&payer, &voucher_charge(&payer).await, "123 456").await,
        "otp",
        "invalid_otp",
    );
}

#[tokio::test]
async fn a_malformed_code_is_rejected_without_using_an_attempt() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let id = voucher_charge(&payer).await;
    for otp in [
        "",
        "   ",
        "123",
        "12345678901",
        "12-456",
        "१२३४५६",
        "１２３４",
        "éééé",
        "' OR 1",
        "123456\u{0}",
    ] {
        assert_field_error(submit(&payer, &id, otp).await, "otp", "invalid_otp");
    }
    for (otp, code) in [
        (json!(123456), "invalid_type"),
        (Value::Null, "field_required"),
        (json!(["123456"]), "invalid_type"),
    ] {
        let body = json!({ "transactionId": id, "otp": otp });
        assert_field_error(payer.post("/v1/submit-otp", &body).await, "otp", code);
    }
    assert_field_error(
        payer.post("/v1/submit-otp", &json!({ "otp": "123456" })).await,
        "transactionId",
        "field_required",
    );
    assert_field_error(
        payer.post("/v1/submit-otp", &json!({ "transactionId": id })).await,
        "otp",
        "field_required",
    );
    for wrong in ["\u{0}", "txn_\u{0}", "txn_\n"] {
        assert_field_error(submit(&payer, wrong, "123456").await, "transactionId", "invalid_text");
    }
    let extra = json!({ "transactionId": id, "otp": "123456", "code": "1" });
    assert_field_error(payer.post("/v1/submit-otp", &extra).await, "code", "unknown_field");
    assert_eq!(payer.status(&id).await["codeAttemptsLeft"], 5);
    for otp in ["abcd", "ABCDEFGHIJ", "1a2B"] {
        assert_eq!(submit(&payer, &id, otp).await.is(200).json()["status"], "PENDING");
    }
    assert_eq!(payer.status(&id).await["codeAttemptsLeft"], 2);
}

#[tokio::test]
async fn another_sessions_transaction_is_404_and_keeps_its_attempts() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let stranger = app.payer(&shop).await;
    let id = voucher_charge(&payer).await;
    submit(&stranger, &id, "000000").await.is_problem(404, "transaction_not_found");
    submit(&app.shop().await, &id, "000000").await.is_problem(404, "transaction_not_found");
    for unknown in ["", "x", "%00", &"a".repeat(10_000), &id.to_uppercase(), &format!("{id} ")] {
        submit(&payer, unknown, "000000").await.is_problem(404, "transaction_not_found");
    }
    assert_eq!(payer.status(&id).await["codeAttemptsLeft"], 5);
}
