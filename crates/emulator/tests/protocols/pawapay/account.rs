//! Statements, balances and the providers of numbers.

use super::new_id;
use crate::support::Test;
use serde_json::json;

#[tokio::test]
async fn a_statement_is_made_and_downloaded() {
    let test = Test::start().await;
    test.deposit(&new_id(), "233241234567", "15").await;
    test.advance(2);
    let now = test.emulator.clock().now();
    let day = jiff::SignedDuration::from_hours(24);
    let request = json!({
        "wallet": {"country": "GHA", "currency": "GHS"},
        "callbackUrl": test.merchant.url,
        "startDate": (now - day).to_string(),
        "endDate": (now + day).to_string(),
        "compressed": false,
    });
    let id = test.post_pawapay("v2/statements", &request).await.json()["statementId"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("v2/statements/{id}");
    assert_eq!(test.data(&path).await["status"], "PROCESSING");
    test.advance(2);
    let url = test.data(&path).await["downloadUrl"].as_str().unwrap().to_owned();
    let csv = test.send(test.client.get(&url)).await.text;
    let lines = csv.lines().collect::<Vec<_>>();
    assert!(lines[0].starts_with("Transaction ID,Transaction Type,Status"));
    assert!(
        lines[1].contains(",DEPOSIT,COMPLETED,GHS,15,0.3,14.7,233241234567,MTN_MOMO_GHA,order-1,"),
        "{}",
        lines[1]
    );
    test.advance(3601);
    assert_eq!(test.send(test.client.get(&url)).await.status, 403);
    let mut too_long = request;
    too_long["endDate"] = (now + day * 40).to_string().into();
    let refused = test.post_pawapay("v2/statements", &too_long).await.json();
    assert_eq!(refused["failureReason"]["failureCode"], "INVALID_DATE_RANGE");
}

#[tokio::test]
async fn numbers_are_predicted_and_balances_told() {
    let test = Test::start().await;
    let predicted = test
        .post_pawapay("v2/predict-provider", &json!({"phoneNumber": "+233 50 123-4567"}))
        .await
        .json();
    assert_eq!(
        predicted,
        json!({"country": "GHA", "provider": "VODAFONE_GHA", "phoneNumber": "233501234567"})
    );
    assert_eq!(
        test.post_pawapay("v2/predict-provider", &json!({"phoneNumber": "12"})).await.status,
        400
    );
    let balances = test.get_pawapay("v2/wallet-balances").await.json();
    assert_eq!(balances["balances"][0]["balance"], "10000000");
    let conf = test.get_pawapay("v2/active-conf").await.json();
    let deposit =
        &conf["countries"][0]["providers"][0]["currencies"][0]["operationTypes"]["DEPOSIT"];
    let channel = &deposit["pinPromptInstructions"]["channels"][0];
    assert_eq!((&channel["type"], &channel["quickLink"]), (&json!("USSD"), &json!("tel:*170%23")));
}
