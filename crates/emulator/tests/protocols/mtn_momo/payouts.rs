//! Payouts, refunds and the balance.

use super::{Momo, code};
use crate::support::Test;
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn a_payout_and_a_refund_move_the_balance() {
    let momo = Momo::start(Test::start().await).await;
    let balance = async || {
        momo.get("disbursement/v1_0/account/balance").await.json()["availableBalance"].clone()
    };
    assert_eq!(balance().await, "10000000");
    let charge = momo.charge("233241230021").await;
    momo.test.advance(2);
    assert_eq!(balance().await, "10000012.5");
    let payout = Uuid::new_v4().to_string();
    let response =
        momo.post("disbursement/v1_0/transfer", &payout, &momo.body("payee", "233241234567")).await;
    assert_eq!(response.status, 202);
    let refund = Uuid::new_v4().to_string();
    let mut body = momo.body("payee", "");
    body["referenceIdToRefund"] = charge.into();
    assert_eq!(momo.post("disbursement/v1_0/refund", &refund, &body).await.status, 202);
    assert_eq!(balance().await, "9999987.5");
    momo.test.advance(2);
    assert_eq!(balance().await, "10000000");
    let status = momo.get(&format!("disbursement/v1_0/refund/{refund}")).await.json();
    assert_eq!(code(&status["reason"]), "PAYEE_NOT_FOUND");
    let status = momo.get(&format!("disbursement/v1_0/transfer/{payout}")).await.json();
    assert_eq!(status["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_repeated_payout_is_a_duplicate_also_when_the_balance_is_used_up() {
    let momo = Momo::start(Test::start().await).await;
    let pay_out = async |reference: &str| {
        let mut body = momo.body("payee", "233241234567");
        body["amount"] = "10000000".into();
        momo.post("disbursement/v1_0/transfer", reference, &body).await.status
    };
    let [first, second] = [(); 2].map(|()| Uuid::new_v4().to_string());
    assert_eq!((pay_out(&first).await, pay_out(&second).await), (202, 202));
    momo.test.advance(2);
    let status = momo.get(&format!("disbursement/v1_0/transfer/{second}")).await.json();
    assert_eq!(code(&status["reason"]), "NOT_ENOUGH_FUNDS");
    assert_eq!(pay_out(&first).await, 409);
    let status = momo.get(&format!("disbursement/v1_0/transfer/{first}")).await.json();
    assert_eq!(status["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_deposit_is_a_payout_with_a_path_of_its_own() {
    let momo = Momo::start(Test::start().await).await;
    for party in ["payee", "payer"] {
        let reference = Uuid::new_v4().to_string();
        let body = momo.body(party, "233241234567");
        let response = momo.post("disbursement/v1_0/deposit", &reference, &body).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""), "{party}");
        assert_eq!(momo.post("disbursement/v1_0/deposit", &reference, &body).await.status, 409);
        momo.test.advance(2);
        let read =
            async |path: &str| momo.get(&format!("disbursement/v1_0/{path}/{reference}")).await;
        let status = read("deposit").await.json();
        assert_eq!((&status["status"], &status["amount"]), (&json!("SUCCESSFUL"), &json!("12.5")));
        assert_eq!(status["payee"]["partyId"], "233241234567");
        assert_eq!(read("transfer").await.status, 404);
    }
    let balance = momo.get("disbursement/v1_0/account/balance").await.json();
    assert_eq!(balance["availableBalance"], "9999975");
    assert_eq!(momo.test.merchant.wait_for_callbacks(2).await.len(), 2);
}

#[tokio::test]
async fn both_products_tell_in_an_object_whether_a_wallet_is_active() {
    let momo = Momo::start(Test::start().await).await;
    for product in ["collection", "disbursement"] {
        for (number, is_active) in [("233241234567", true), ("233241230006", false)] {
            let path = format!("{product}/v1_0/accountholder/msisdn/{number}/active");
            assert_eq!(momo.get(&path).await.json(), json!({"result": is_active}), "{path}");
        }
    }
}
