//! One payment from the session to the outcome.

use tua_test_support::TestApp;

#[tokio::test]
async fn a_paid_charge_is_successful_for_the_merchant() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let charge = payer.charge("0241234567", "MTN").await.is(202);
    assert_eq!(charge.json()["nextAction"], "APPROVE_ON_PHONE");
    app.advance(2);
    let paid = shop.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(
        (paid["amount"].to_string(), &paid["nextAction"]),
        ("10.5".to_owned(), &"NONE".into())
    );
}
