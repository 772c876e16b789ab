//! Charges, their outcomes, and the faults of their status.

use super::{Momo, code};
use crate::support::Test;
use reqwest::Method;
use serde_json::json;
use tua_emulator::{Call, Fault, Kind, MtnProfile, MtnSettings, Operator, State};
use uuid::Uuid;

#[tokio::test]
async fn a_charge_succeeds_after_two_seconds_and_is_called_back_once() {
    let momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    assert_eq!(momo.charge_status(&reference).await["status"], "PENDING");
    momo.test.advance(2);
    let status = momo.charge_status(&reference).await;
    assert_eq!((&status["status"], &status["amount"]), (&json!("SUCCESSFUL"), &json!("12.5")));
    assert_eq!(status["externalId"], "order-1");
    assert!(status["financialTransactionId"].is_string());
    let callbacks = momo.test.merchant.wait_for_callbacks(1).await;
    assert_eq!((callbacks[0].method.as_str(), callbacks[0].json()), ("PUT", status));
    let rows = momo.test.emulator.orders();
    assert_eq!((rows.len(), rows[0].kind, rows[0].state), (1, Kind::Charge, State::Successful));
    let orders = momo
        .test
        .send(momo.test.client.get(format!("http://{}/orders", momo.test.emulator.address())))
        .await;
    let expected = format!(
        r#"[{{"operator":"mtn-momo","reference":"{reference}","kind":"CHARGE","amount":12.5,"state":"SUCCESSFUL"}}]"#
    );
    assert_eq!(orders.text, expected);
    let route = "GET /mtn-momo/collection/v1_0/requesttopay/{reference}";
    assert_eq!(momo.test.emulator.requests().of_route(route), 2);
    assert_eq!(momo.test.emulator.requests().of_call(Operator::MTN_MOMO, Call::Send), 1);
}

#[tokio::test]
async fn each_number_of_the_table_has_its_reason() {
    let momo = Momo::start(Test::start().await).await;
    for (digits, reason) in [
        ("0001", "NOT_ENOUGH_FUNDS"),
        ("0002", "APPROVAL_REJECTED"),
        ("0003", "EXPIRED"),
        ("0004", "INTERNAL_PROCESSING_ERROR"),
        ("0005", "PAYER_LIMIT_REACHED"),
        ("0006", "PAYER_NOT_FOUND"),
    ] {
        let reference = momo.charge(&format!("23324123{digits}")).await;
        momo.test.advance(2);
        let status = momo.charge_status(&reference).await;
        assert_eq!((&status["status"], code(&status["reason"])), (&json!("FAILED"), reason));
    }
}

#[tokio::test]
async fn an_order_can_be_accepted_although_the_answer_is_503() {
    let momo = Momo::start(Test::start().await).await;
    let reference = Uuid::new_v4().to_string();
    let body = momo.body("payer", "233241230010");
    let response = momo.post("collection/v1_0/requesttopay", &reference, &body).await;
    assert_eq!(response.status, 503);
    let again = momo.post("collection/v1_0/requesttopay", &reference, &body).await;
    assert_eq!((again.status, &again.json()["code"]), (409, &json!("RESOURCE_ALREADY_EXIST")));
    momo.test.advance(2);
    assert_eq!(momo.charge_status(&reference).await["status"], "SUCCESSFUL");
    assert_eq!(momo.test.emulator.orders().len(), 1);
}

#[tokio::test]
async fn the_sandbox_has_euros_and_documented_numbers() {
    let mut momo = Momo::start(Test::start().await).await;
    momo.environment = "sandbox";
    let mut body = momo.body("payer", "46733123455");
    let reference = Uuid::new_v4().to_string();
    assert_eq!(momo.post("collection/v1_0/requesttopay", &reference, &body).await.status, 202);
    momo.test.advance(0);
    assert_eq!(code(&momo.charge_status(&reference).await["reason"]), "PAYER_NOT_FOUND");
    body["currency"] = "GHS".into();
    let refused =
        momo.post("collection/v1_0/requesttopay", &Uuid::new_v4().to_string(), &body).await;
    assert_eq!((refused.status, &refused.json()["code"]), (500, &json!("INVALID_CURRENCY")));
}

#[tokio::test]
async fn the_measured_profile_differs_from_the_documentation() {
    let test = Test::with_settings(|settings| {
        let profile = MtnProfile::Measured202609;
        settings.operators.set(MtnSettings { profile, ..MtnSettings::default() });
    })
    .await;
    let momo = Momo::start(test).await;
    let created = momo.charge("46733123454").await;
    let pending = momo.charge("46733123453").await;
    assert_eq!(momo.charge_status(&created).await["status"], "CREATED");
    momo.test.advance(25);
    assert_eq!(momo.charge_status(&created).await["status"], "SUCCESSFUL");
    assert_eq!(momo.charge_status(&pending).await["status"], "PENDING");
}

#[tokio::test]
async fn faults_occur_as_often_as_they_are_set() {
    let momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    momo.test.advance(2);
    let chaos = momo.test.emulator.chaos();
    let path = format!("collection/v1_0/requesttopay/{reference}");
    let once = |fault| chaos.set_once(Operator::MTN_MOMO, Call::Status, fault);
    once(Fault::ErrorBefore);
    assert_eq!(momo.get(&path).await.status, 500);
    once(Fault::WrongAmount);
    assert_eq!(momo.get(&path).await.json()["amount"], "13.5");
    once(Fault::Html);
    assert!(momo.get(&path).await.text.starts_with("<html>"));
    once(Fault::CloseAfter);
    assert!(momo.request(Method::GET, &path).send().await.is_err());
    once(Fault::CloseInBody);
    assert!(momo.request(Method::GET, &path).send().await.unwrap().text().await.is_err());
    assert_eq!(momo.get(&path).await.json()["status"], "SUCCESSFUL");
}
