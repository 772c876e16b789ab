//! The text of an order that the payer may read, in the characters that an operator accepts.

use super::live::OPERATORS;
use serde_json::json;
use tua_domain::TransactionId;
use tua_test_support::live_operators::LiveOperators;

#[tokio::test]
async fn a_text_of_which_an_operator_accepts_nothing_is_the_merchants_name() {
    for (name, _, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        // Paystack takes every character, but no blank text; only its transfers have one.
        let (path, message) =
            if name == "paystack" { ("/v1/payout", "   ") } else { ("/v1/charge", "🎉🙏 ★") };
        let body = json!({
            "amount": 10.5,
            "phoneNumber": "0241234567",
            "network": "MTN",
            "payerMessage": message,
        });
        let id = live.shop.post(path, &body).await.is(202).id();
        live.end_of(&id).await;
        let kept = live.app.running().store.exchanges(&TransactionId::new(&id)).await.unwrap();
        let sent: Vec<&str> =
            kept.iter().filter_map(|exchange| exchange.request.as_deref()).collect();
        assert!(sent.iter().any(|body| body.contains("\"Adom Stores\"")), "{name}: {sent:?}");
    }
}
