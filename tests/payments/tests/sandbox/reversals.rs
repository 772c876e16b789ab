//! Payouts that the sandbox reverses (docs/reference/test-mode.md#phone-numbers).

use super::clock::{HOUR, advance, start, work};
use serde_json::{Value, json};

#[tokio::test]
async fn a_payout_is_reversed_after_a_day() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    let body = json!({ "amount": 5, "phoneNumber": "0241230023", "network": "MTN" });
    let id = shop.post("/v1/payout", &body).await.is(202).id();
    let paid = async |id: &str| {
        for _ in 0..3 {
            work(&app).await;
        }
        let status = shop.status(id).await;
        assert_eq!(
            (&status["status"], &status["reversedAt"]),
            (&json!("SUCCESSFUL"), &Value::Null)
        );
    };
    paid(&id).await;
    assert_eq!(advance(shop, 12 * HOUR).await["payments"], 0);
    paid(&id).await;
    assert_eq!(advance(shop, 12 * HOUR).await["payments"], 1);
    work(&app).await;
    let status = shop.status(&id).await;
    assert_eq!(status["status"], "SUCCESSFUL");
    assert!(status["reversedAt"].is_string(), "{status}");

    // Without the sandbox clock, also after a question in between.
    let id = shop.post("/v1/payout", &body).await.is(202).id();
    paid(&id).await;
    app.advance(23 * 60 * 60);
    paid(&id).await;
    app.advance(60 * 60);
    work(&app).await;
    assert!(shop.status(&id).await["reversedAt"].is_string());
}
