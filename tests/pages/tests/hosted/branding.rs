//! The colour and the logo of a merchant, on the pages for payers and in the API.

use serde_json::{Value, json};
use tua_domain::{
    AccountId, Generation, Mode,
    branding::{BrandingChange, Logo},
    change::Change,
    ports::AccountChange,
};
use tua_test_support::{
    TestApp,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
    pictures::PNG,
};

async fn brand(app: &TestApp, account: &AccountId, change: BrandingChange) {
    let change = AccountChange::Brand(change);
    app.running().store.change_account(account, change, &app.audit()).await.unwrap().unwrap();
}

fn both(accent: &str) -> BrandingChange {
    BrandingChange {
        accent: Change::Set(accent.parse().unwrap()),
        logo: Change::Set(Logo::read(PNG).unwrap()),
    }
}

#[tokio::test]
async fn a_session_and_its_pages_carry_colour_and_logo() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let payer = app.payer(&shop).await;
    let path = format!("/pay?key={}", payer.credential);
    let plain = assert_page(app.actor("").get(&path).await, 200);
    assert!(!plain.text.contains("/branding/"), "{}", plain.text);

    brand(&app, &account, both("#0A1F44")).await;
    let logo = format!("/branding/{}.png", Logo::read(PNG).unwrap().name.as_str());
    let shown = payer.get("/v1/checkout").await.is(200).json();
    assert_eq!(
        shown["branding"],
        json!({ "accent": "#0a1f44", "logoUrl": format!("{}{logo}", app.origin) })
    );
    let sheet = r#"<link rel="stylesheet" href="/branding/0a1f44.css">"#;
    let image = format!(r#"<img src="{logo}" alt="">"#);
    let page = assert_page(app.actor("").get(&path).await, 200);
    assert!(page.text.contains(sheet) && page.text.contains(&image), "{}", page.text);
    let refused =
        send_form(&app.actor(""), &path, "phoneNumber=1&network=MTN", &[FORM_CONTENT_TYPE]).await;
    assert!(refused.text.contains(sheet) && refused.text.contains(&image), "{}", refused.text);
    let nobody = app.actor("");
    let headers = [FORM_CONTENT_TYPE, ("sec-fetch-site", "cross-site")];
    let foreign =
        assert_page(send_form(&nobody, &path, "phoneNumber=1&network=MTN", &headers).await, 403);
    assert!(
        foreign.text.contains(sheet) && foreign.text.contains(&image),
        "an error page: {}",
        foreign.text
    );
    app.advance(30 * 60);
    let ended = assert_page(app.actor("").get(&path).await, 401);
    assert!(ended.text.contains(sheet) && ended.text.contains(&image), "{}", ended.text);

    let change = BrandingChange { accent: Change::Clear, logo: Change::Clear };
    brand(&app, &account, change).await;
    let shown = app.payer(&shop).await.get("/v1/checkout").await.json();
    assert_eq!(shown["branding"], json!({ "accent": null, "logoUrl": Value::Null }));
    app.actor("").get(&logo).await.is(404);
}

#[tokio::test]
async fn a_logo_and_a_colour_are_served_for_ever_and_other_names_are_not_found() {
    let app = TestApp::start().await;
    let one = app.account("Adom Stores").await;
    let other = app.account("Esi Ventures").await;
    brand(&app, &one, both("#f2b632")).await;
    brand(&app, &other, both("#000000")).await;
    let name = Logo::read(PNG).unwrap().name;
    let path = format!("/branding/{}.png", name.as_str());
    let served = app.http.get(format!("{}{path}", app.origin)).send().await.unwrap();
    for (header, value) in [
        ("content-type", "image/png"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(served.headers()[header], value, "{header}");
    }
    let png = served.bytes().await.unwrap();
    assert_eq!(Logo::read(&png).unwrap().name, name, "a stored logo stays as it is");
    assert!(!png.windows(6).any(|bytes| bytes == b"Author"), "comments are not kept");
    brand(&app, &one, BrandingChange { logo: Change::Clear, ..BrandingChange::default() }).await;
    app.actor("").get(&path).await.is(200);

    let sheet = app.actor("").get("/branding/f2b632.css").await.is(200);
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert!(
        sheet.text.contains("--tua-color-accent:#f2b632;--tua-color-on-accent:#000000"),
        "{}",
        sheet.text
    );
    for file in [
        "F2B632.css",
        "f2b63.css",
        "f2b632.js",
        "%23f2b632.css",
        "f2b632",
        "..%2Fapi.png",
        "%00.png",
        "x.css",
    ] {
        app.actor("").get(&format!("/branding/{file}")).await.is_problem(404, "not_found");
    }
}
