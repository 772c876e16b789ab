//! The hosted page and the component's files, as a browser loads them.

use reqwest::Method;
use serde_json::json;
use tua_domain::{Generation, Mode};
use tua_test_support::{TestApp, hosted_page::assert_page, payment_bodies::payment_with};

#[tokio::test]
async fn the_page_contains_the_token() {
    let app = TestApp::start().await;
    let opened = app
        .shop()
        .await
        .post("/v1/checkout", &json!({ "amount": 1, "email": "ama@example.com" }))
        .await
        .json();
    let url = opened["url"].as_str().unwrap();
    let path = url.strip_prefix(&app.origin).unwrap();
    let page = assert_page(app.actor("").get(path).await, 200);
    assert!(page.text.contains("Adom Stores"));
    let token = opened["checkoutToken"].as_str().unwrap();
    assert!(
        !tua_web::http::is_component_built() || page.text.contains(&format!("token=\"{token}\""))
    );
    assert!(!page.text.contains("ama@example.com"));
}

#[tokio::test]
async fn an_unknown_token_gets_an_error_page() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let unknown = assert_page(nobody.get("/pay").await, 404).text;
    let cut = &payer.credential[..payer.credential.len() - 1];
    let changed = payer.credential.replace("tua_checkout_", "TUA_CHECKOUT_");
    let twice = format!("{0}&key={0}", payer.credential);
    let live = app.merchant(Mode::Live, Generation::V2).await.credential;
    for key in [
        "",
        "x",
        "tua_checkout_",
        "tua_checkout_%00",
        "%ff",
        "tua_checkout_%3Cscript%3Ealert(1)%3C/script%3E",
        "%22%3E%3Cscript%3E",
        &shop.credential,
        &live,
        cut,
        &changed,
        &format!("{}A", payer.credential),
        &twice,
        &"tua_checkout_".repeat(300),
    ] {
        let page = assert_page(nobody.get(&format!("/pay?key={key}")).await, 404);
        assert_eq!(page.text, unknown, "the token is not repeated");
    }
    assert_page(nobody.get(&format!("/pay?other=1&key={}", payer.credential)).await, 200);
    assert_page(shop.get("/pay").await, 404);
}

#[tokio::test]
async fn names_and_references_are_escaped_on_the_page() {
    let app = TestApp::start().await;
    let name = r#"<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;{{ 7*7 }}"#;
    let shop = app.key(&app.account(name).await, Mode::Test, Generation::V2).await;
    let body =
        json!({ "amount": 1, "email": "ama@example.com", "reference": "<b onclick=alert(3)>\"'&" });
    let mut paths = Vec::new();
    for phone in [None, Some("0241230007"), Some("0241234567")] {
        let opened = shop.post("/v1/checkout", &body).await.is(201).json();
        let token = opened["checkoutToken"].as_str().unwrap().to_owned();
        if let Some(phone) = phone {
            app.actor(&token).charge(phone, "MTN").await.is(202);
        }
        paths.push(format!("/pay?key={token}"));
    }
    for (status, minutes) in [(200, 30), (401, 0)] {
        for path in &paths {
            let page = assert_page(app.actor("").get(path).await, status).text;
            for markup in ["<img", "<b ", "\"'>", "{{ 49", "<script>alert"] {
                assert!(!page.contains(markup), "{markup} in {page}");
            }
            assert!(status != 200 || page.contains("&lt;script&gt;"), "{page}");
        }
        app.advance(minutes * 60);
    }
}

#[tokio::test]
async fn the_components_files_can_be_loaded_from_any_origin() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    for missing in
        ["nothing.js", "package.json", "locales/xx.js", "..%2f..%2fCargo.toml", "%ff", ".env"]
    {
        let answer = nobody.get(&format!("/sdk/{missing}")).await.is_problem(404, "not_found");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
    }
    if !tua_web::http::is_component_built() {
        return;
    }
    for (file, kind) in [
        ("tua-checkout.js", "text/javascript; charset=utf-8"),
        ("tua_embed_bg.wasm", "application/wasm"),
        ("locales/en.js", "text/javascript; charset=utf-8"),
    ] {
        let path = format!("/sdk/{file}");
        let answer =
            nobody.send(Method::GET, &path, &[("origin", "https://shop.example")], None).await;
        assert_eq!(answer.status, 200);
        for (name, value) in [
            ("content-type", kind),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(answer.header(name), value, "{file}");
        }
        let tag = answer.header("etag");
        let unchanged =
            nobody.send(Method::GET, &path, &[("if-none-match", tag)], None).await.is(304);
        assert_eq!(unchanged.header("access-control-allow-origin"), "*");
        assert!(unchanged.text.is_empty());
    }
}

#[tokio::test]
async fn a_secret_key_in_the_page_url_is_rejected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let nobody = app.actor("");
    for path in ["/v1/charge?key=", "/v1/charge?api_key=", "/v1/charge?x-api-key="] {
        let answer =
            nobody.post_text(&format!("{path}{}", shop.credential), &payment_with("", None)).await;
        answer.is_problem(401, "missing_credentials");
    }
}
