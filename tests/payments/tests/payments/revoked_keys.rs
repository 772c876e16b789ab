//! A key that is revoked while its request is under way moves no money (docs/reference/payouts.md).

use crate::slow_body::send_slowly;
use serde_json::{Value, json};
use tua_domain::{KeyId, ports::OpenSessions, secret::SecretDigest};
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, failing_plan::Plan, idempotency::count, refunds};

/// A service, and the handle that tells which methods of its store were called.
async fn app() -> (TestApp, Plan) {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::stopped(), |_| {}, |operators| operators, &plan).await;
    (app, plan)
}

async fn key_of(app: &TestApp, credential: &str) -> KeyId {
    let digest = SecretDigest::of(credential);
    app.running()
        .store
        .keys(None)
        .await
        .unwrap()
        .into_iter()
        .find(|key| key.digest == digest)
        .unwrap()
        .id
}

/// Sends a request whose key is revoked, if `revokes`, once it was checked and before the body has
/// arrived.
async fn send(
    app: &TestApp,
    plan: &Plan,
    credential: &str,
    path: &str,
    body: &Value,
    revokes: bool,
) -> String {
    let key = key_of(app, credential).await;
    let head = format!(
        "{path} HTTP/1.1\r\nx-api-key: {credential}\r\ncontent-type: application/json\r\n\
         idempotency-key: one"
    );
    send_slowly(app, plan, &head, &body.to_string(), async {
        if revokes {
            app.running().store.revoke_key(&key, OpenSessions::Close, &app.audit()).await.unwrap();
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_or_batch_whose_key_is_revoked_meanwhile_is_not_begun() {
    let wallet = json!({ "amount": 1.5, "phoneNumber": "0241234567", "network": "MTN" });
    for (path, body) in
        [("/v1/payout", wallet.clone()), ("/v1/payouts/batches", json!({ "payouts": [wallet] }))]
    {
        let (app, plan) = app().await;
        let shop = app.shop().await;
        let refused = send(&app, &plan, &shop.credential, path, &body, true).await;
        assert!(
            refused.starts_with("HTTP/1.1 401") && refused.contains("invalid_credentials"),
            "{path}: {refused}"
        );
        for table in ["transactions", "payout_batches", "attempts", "webhook_deliveries"] {
            assert_eq!(count(&app, table), 0, "{path}: {table}");
        }
        let other = app.shop().await;
        let begun = send(&app, &plan, &other.credential, path, &body, false).await;
        assert!(begun.starts_with("HTTP/1.1 202"), "{path}: {begun}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_key_is_revoked_meanwhile_is_not_begun() {
    let (app, plan) = app().await;
    let shop = app.shop().await;
    let charge = refunds::charge(&app, &shop, "0241234567").await;
    let body = json!({ "transactionId": charge });
    let refused = send(&app, &plan, &shop.credential, "/v1/refunds", &body, true).await;
    assert!(
        refused.starts_with("HTTP/1.1 401") && refused.contains("invalid_credentials"),
        "{refused}"
    );
    assert_eq!(count(&app, "transactions"), 1);
}
