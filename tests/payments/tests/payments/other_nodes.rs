//! A payment begins after what another node has begun to write about its session, its charge or its
//! limit, and sees that. One node alone does not show it, because it writes such payments one after
//! another.

use serde_json::json;
use tua_test_support::{
    Response, TestApp,
    open_transaction::OpenTransaction,
    payout_controls::{Merchant, pay_out},
    refunds::{charge, refund},
    test_database,
};

const PAYER: &str = "0241234567";

fn is_single_node() -> bool {
    test_database::skip_on_sqlite("it has one node")
}

/// Sends a request while another node's transaction has executed these statements, which commits
/// when the request waits for it.
async fn send_meanwhile(
    app: &TestApp,
    statements: &str,
    request: impl Future<Output = Response> + Send + 'static,
) -> Response {
    let other_node = OpenTransaction::begin(app, statements).await;
    let response = tokio::spawn(request);
    other_node.commit_when_waited_for(app, 1).await;
    response.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_another_node_is_closing_takes_no_charge() {
    if is_single_node() {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let close = "UPDATE checkouts SET closed_at = 1, expiry_due = NULL";
    let response =
        send_meanwhile(&app, close, async move { payer.charge(PAYER, "MTN").await }).await;
    assert!(response.status.is_client_error(), "{response:?}");
    assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_another_node_is_refunding_is_refunded_once() {
    if is_single_node() {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let id = charge(&app, &shop, PAYER).await;
    let count = "UPDATE transactions SET refunds_counted = amount";
    let body = json!({ "transactionId": id });
    let response = send_meanwhile(&app, count, async move { refund(&shop, body).await }).await;
    assert_eq!(response.status, 409, "{response:?}");
    assert_eq!(
        app.query_number("SELECT count(*) FROM transactions WHERE refund_of IS NOT NULL"),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daily_limit_that_another_node_is_lowering_holds_for_a_payout() {
    if is_single_node() {
        return;
    }
    let merchant = Merchant::start().await;
    merchant.set_limits("", "100", "").await;
    let lower = "UPDATE payout_controls SET payout_daily_limit = 100";
    let shop = merchant.shop.clone();
    let response =
        send_meanwhile(&merchant.app, lower, async move { pay_out(&shop, 5.0).await }).await;
    assert_eq!(response.status, 422, "{response:?}");
}
