//! `/l`, `/l/<code>` and `/l/<code>.svg`, as a payer without script and a preview in a chat load
//! them.

use super::{create, open, path, press, read};
use reqwest::Method;
use serde_json::{Value, json};
use tua_domain::{Generation, Mode, ports::AccountChange, ports::Clock};
use tua_test_support::{
    TestApp,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
    idempotency::count,
};

#[tokio::test]
async fn a_preview_reads_the_page_and_opens_no_session() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &json!({ "title": "Dinner & drinks", "amount": 1234.5 })).await;
    for _ in 0..3 {
        let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
        for part in [
            r#"<meta property="og:title" content="Dinner &amp; drinks · Adom Stores">"#,
            r#"<meta property="og:description" content="Pay GH₵1,234.50 with mobile money.">"#,
            &format!(r#"<meta property="og:image" content="{}/assets/link.png">"#, app.origin),
            &format!(r#"<meta property="og:url" content="{}">"#, link["url"].as_str().unwrap()),
            "https://wa.me/?text=Dinner",
            "Go to the payment",
            "Test mode",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }
    app.actor("").send(Method::HEAD, &path(&link), &[], None).await.is(200);
    let picture = app.actor("").get("/assets/link.png").await.is(200);
    assert_eq!(picture.header("content-type"), "image/png");
    assert_eq!(count(&app, "checkouts"), 0);
}

#[tokio::test]
async fn the_button_opens_a_session_that_is_paid_like_any_other() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let body = json!({
        "title": "Dinner",
        "amount": 10.5,
        "reference": "table-4",
        "metadata": { "table": 4 },
    });
    let link = create(&shop, &body).await;
    let payer = open(&app, &link, "").await;
    let session = payer.get("/v1/checkout").await.is(200).json();
    assert_eq!((&session["amount"], &session["email"]), (&json!(10.5), &Value::Null));
    assert_eq!(
        (&session["reference"], &session["merchant"]),
        (&json!("table-4"), &json!("Adom Stores"))
    );
    assert_page(app.actor("").get(&format!("/pay?key={}", payer.credential)).await, 200);
    let seen = shop
        .get(&format!("/v1/checkout/{}", session["checkoutId"].as_str().unwrap()))
        .await
        .is(200)
        .json();
    assert_eq!((&seen["linkId"], &seen["email"]), (&link["linkId"], &Value::Null));
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(2);
    let paid = shop.until(&charge, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(
        (&paid["reference"], &paid["metadata"], &paid["email"]),
        (&json!("table-4"), &json!({ "table": 4 }), &Value::Null)
    );
    let other = open(&app, &link, "").await;
    other.charge("0241230001", "MTN").await.is(202);
    let now = read(&shop, &link).await;
    assert_eq!(
        (&now["payments"], &now["paidAmount"], &now["status"]),
        (&json!(1), &json!(10.5), &json!("OPEN"))
    );
}

#[tokio::test]
async fn an_open_amount_is_asked_for_and_its_faults_keep_what_was_typed() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link =
        create(&shop, &json!({ "title": "Offering", "minAmount": 5, "maxAmount": 1000 })).await;
    let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    assert!(
        page.contains("From GH₵5.00 to GH₵1,000.00.") && page.contains(r#"name="amount""#),
        "{page}"
    );
    assert!(page.contains(r#"value="" required"#), "the field is empty: {page}");
    for (typed, said) in [
        ("", "Enter the amount."),
        ("ten+%3Cb%3E", "Enter the amount in digits"),
        ("0,500", "read in one way only"),
        ("5.555", "read in one way only"),
        ("5.5555", "at most two digits"),
        ("4.99", "must be GH₵5.00 or more"),
        ("1000.01", "must be GH₵1,000.00 or less"),
    ] {
        let page = assert_page(press(&app, &link, &format!("amount={typed}")).await, 422).text;
        assert!(page.contains(said) && page.contains("aria-invalid=\"true\""), "{typed}: {page}");
        assert!(!page.contains("<b>"), "{page}");
    }
    let page = press(&app, &link, "amount=4.99").await.text;
    assert!(page.contains(r#"value="4.99""#), "{page}");
    assert_eq!(count(&app, "checkouts"), 0);
    for (typed, meant) in [
        ("GH%E2%82%B5+1%2C000.00", 1000),
        ("GH%C2%A210", 10),
        ("%C2%A2+10", 10),
        ("10+cedis", 10),
        ("%D9%A1%D9%A0", 10),
        ("1%E2%80%8B0", 10),
    ] {
        let payer = open(&app, &link, &format!("amount={typed}")).await;
        assert_eq!(payer.get("/v1/checkout").await.json()["amount"], meant, "{typed}");
    }
}

#[tokio::test]
async fn an_address_is_asked_for_only_where_the_merchant_sends_receipts() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let link = create(&shop, &json!({ "title": "Offering", "minAmount": 5 })).await;
    let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    assert!(!page.contains(r#"name="email""#), "{page}");
    let payer = open(&app, &link, "amount=10&email=ama%40example.com").await;
    assert_eq!(
        payer.get("/v1/checkout").await.json()["email"],
        Value::Null,
        "it was not asked for"
    );

    let change = AccountChange::SendReceipts(true);
    app.running().store.change_account(&account, change, &app.audit()).await.unwrap();
    let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    assert!(!page.contains(r#"name="email""#), "the service has no e-mail server: {page}");
    app.running().store.set_mail(true).await.unwrap();
    for (language, label) in [
        ("en", "E-mail address for the receipt (optional)"),
        ("fr", "Adresse e-mail pour le reçu (facultatif)"),
        ("ar", "البريد الإلكتروني للإيصال (اختياري)"),
    ] {
        let page =
            assert_page(app.actor("").get(&format!("{}?lang={language}", path(&link))).await, 200)
                .text;
        assert!(page.contains(label) && page.contains(r#"name="email""#), "{page}");
    }
    for (fields, faults) in [("amount=10&email=ama%40", 1), ("amount=ten&email=ama%40", 2)] {
        let page = assert_page(press(&app, &link, fields).await, 422).text;
        assert!(
            page.contains("This is not an e-mail address.") && page.contains(r#"value="ama@""#),
            "{page}"
        );
        assert_eq!(
            (page.matches("aria-invalid").count(), page.matches("autofocus").count()),
            (faults, 1),
            "{page}"
        );
    }
    let page = press(&app, &link, "amount=4&email=ama%40example.com").await.is(422).text;
    assert!(page.contains(r#"value="ama@example.com""#) && !page.contains("email-fault"), "{page}");
    assert_eq!(count(&app, "checkouts"), 1);

    let payer = open(&app, &link, "amount=10&email=+").await;
    assert_eq!(
        payer.get("/v1/checkout").await.json()["email"],
        Value::Null,
        "it may be left empty"
    );
    let fixed = create(&shop, &json!({ "title": "Dinner", "amount": 10.5 })).await;
    for (link, fields) in
        [(&link, "amount=10&email=+ama%40example.com+"), (&fixed, "email=ama%40example.com")]
    {
        let payer = open(&app, link, fields).await;
        let session = payer.get("/v1/checkout").await.is(200).json();
        assert_eq!(session["email"], "a***@example.com");
        let seen = shop
            .get(&format!("/v1/checkout/{}", session["checkoutId"].as_str().unwrap()))
            .await
            .is(200)
            .json();
        assert_eq!(seen["email"], "ama@example.com");
    }
}

#[tokio::test]
async fn a_link_of_a_suspended_account_is_gone() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 1 })).await;
    let suspend = AccountChange::Suspend(app.clock.now());
    app.running().store.change_account(&account, suspend, &app.audit()).await.unwrap();
    for page in [app.actor("").get(&path(&link)).await, press(&app, &link, "").await] {
        assert!(assert_page(page, 410).text.contains("cannot take payments right now"));
    }
    assert_eq!(count(&app, "checkouts"), 0);
}

#[tokio::test]
async fn a_live_link_without_an_operator_says_that_nobody_can_pay() {
    let app = TestApp::start().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 1 })).await;
    let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    assert!(!page.contains("Test mode"));
    assert!(assert_page(press(&app, &link, "").await, 503).text.contains("Nobody can pay here"));
    assert_eq!(count(&app, "checkouts"), 0);
}

#[tokio::test]
async fn a_form_of_another_site_opens_nothing() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 1 })).await;
    let headers = [FORM_CONTENT_TYPE, ("sec-fetch-site", "cross-site")];
    assert_page(send_form(&app.actor(""), &path(&link), "", &headers).await, 403);
    assert_eq!(count(&app, "checkouts"), 0);
}

#[tokio::test]
async fn the_pages_are_in_every_complete_language_and_escape_what_merchants_write() {
    let app = TestApp::start().await;
    let name = r#"<script>alert(1)</script>"'>{{ 1234567*7 }}"#;
    let shop = app.key(&app.account(name).await, Mode::Test, Generation::V2).await;
    let body = json!({
        "title": "<img src=x onerror=alert(2)>\"'",
        "description": "<b onclick=alert(3)>{{ 1234567*7 }}",
    });
    let link = create(&shop, &body).await;
    for (language, said) in [
        ("en", "Go to the payment"),
        ("fr", "Aller au paiement"),
        ("ar", "الانتقال إلى الدفع"),
        ("tw", "Go to the payment"),
    ] {
        let page =
            assert_page(app.actor("").get(&format!("{}?lang={language}", path(&link))).await, 200)
                .text;
        assert!(page.contains(said), "{page}");
        for markup in ["<img", "<b ", "8641969", "<script>alert", "\"'>"] {
            assert!(!page.contains(markup), "{markup} in {page}");
        }
    }
    let french = [("accept-language", "fr;q=0.9, en;q=0.5")];
    let page = app.actor("").send(Method::GET, &path(&link), &french, None).await.text;
    assert!(page.contains("<html lang=\"fr"), "{page}");
}

#[tokio::test]
async fn the_qr_code_is_a_picture_of_the_address() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 1 })).await;
    let picture = app.actor("").get(&format!("{}.svg", path(&link))).await.is(200);
    assert_eq!(picture.header("content-type"), "image/svg+xml");
    assert!(picture.text.contains("<svg") && !picture.text.contains("<script"), "{}", picture.text);
    assert!(link["qr"].as_str().unwrap().ends_with(&format!("{}.svg", path(&link))));
}
