//! The refunds of a payment on the hosted page.

use serde_json::json;
use tua_test_support::{
    TestApp,
    hosted_page::assert_page,
    refunds::{refund, refund_id},
};

async fn wait(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    app.wait_for_due_work().await;
}

async fn page(app: &TestApp, token: &str, language: &str, status: u16) -> String {
    assert_page(app.actor("").get(&format!("/pay?key={token}&lang={language}")).await, status).text
}

#[tokio::test]
async fn the_receipt_shows_what_was_refunded_and_what_is_on_its_way() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    wait(&app, 3).await;
    assert!(
        !page(&app, &payer.credential, "en", 200).await.contains("refund"),
        "nothing was refunded"
    );

    let first = refund(&shop, json!({ "transactionId": charge, "amount": 4.2 })).await.is(202);
    assert!(
        page(&app, &payer.credential, "en", 200)
            .await
            .contains("A refund of GH₵4.20 is on its way.")
    );
    wait(&app, 3).await;
    let shown = shop.get(&format!("/v1/refunds/{}", refund_id(&first))).await.json();
    let day = &shown["updatedAt"].as_str().unwrap()[..4];
    refund(&shop, json!({ "transactionId": charge, "amount": 1 })).await.is(202);
    for (language, lines) in [
        (
            "en",
            ["GH₵4.20 was refunded on ", "A refund of GH₵1.00 is on its way.", "lang=\"en-GH\""],
        ),
        (
            "fr",
            [
                "4,20\u{a0}GHS ont été remboursés le ",
                "Un remboursement de 1,00\u{a0}GHS est en route.",
                "lang=\"fr\"",
            ],
        ),
        ("ar", ["أُعيد مبلغ \u{200f}4.20\u{a0}GHS في ", "في طريقه إليك", "dir=\"rtl\""]),
        (
            "tw",
            [
                "GH₵4.20 was refunded on ",
                "A refund of GH₵1.00 is on its way.",
                "below\" lang=\"en-GH\"",
            ],
        ),
    ] {
        let page = page(&app, &payer.credential, language, 200).await;
        for line in lines {
            assert!(page.contains(line), "{line} in {page}");
        }
        assert!(page.contains(day), "the date: {page}");
        assert!(
            page.find("remboursés le").is_none_or(|at| at > page.find("<h2").unwrap()),
            "below the receipt"
        );
    }

    app.advance(30 * 60);
    let page = page(&app, &payer.credential, "en", 401).await;
    assert!(
        page.contains("A part of this payment was refunded on ") && !page.contains("4.20"),
        "no amount: {page}"
    );
}

#[tokio::test]
async fn a_failed_refund_is_not_shown_and_a_whole_one_is_called_that() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    for (phone, is_returned) in [("0241230021", false), ("0241234567", true)] {
        let payer = app.payer(&shop).await;
        let charge = payer.charge(phone, "MTN").await.is(202).id();
        wait(&app, 3).await;
        refund(&shop, json!({ "transactionId": charge })).await.is(202);
        wait(&app, 3).await;
        let valid = page(&app, &payer.credential, "en", 200).await;
        assert_eq!(valid.contains("was refunded on "), is_returned, "{valid}");
        app.advance(30 * 60);
        let expired = page(&app, &payer.credential, "en", 401).await;
        assert_eq!(expired.contains("This payment was refunded on "), is_returned, "{expired}");
        assert!(
            is_returned || !(valid + &expired).contains("efund"),
            "a failed refund frightens nobody"
        );
    }
}
