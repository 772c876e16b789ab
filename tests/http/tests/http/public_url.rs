//! The public URL has one spelling, however the settings spell it.

use tua_domain::public_url::PublicUrl;
use tua_test_support::TestApp;

#[tokio::test]
async fn links_documents_and_policies_have_the_browsers_spelling_of_the_public_url() {
    let spelled = PublicUrl::parse("https://Pay.Example:443/").unwrap();
    let settings = |config: &mut tua_config::Config| {
        config.public_url = Some(spelled);
        config.sandbox_phone = true;
    };
    let app = TestApp::with(settings, |operators| operators).await;
    assert_eq!(app.running().public_url(), "https://pay.example");
    let shop = app.shop().await;
    let opened = shop
        .post_text("/v1/checkout", r#"{"amount":1,"email":"a@b.example"}"#)
        .await
        .is(201)
        .json();
    assert!(
        opened["url"].as_str().unwrap().starts_with("https://pay.example/pay?key="),
        "{opened}"
    );
    let link = shop.post_text("/v1/links", r#"{"title":"Tea"}"#).await.is(201).json();
    assert!(link["url"].as_str().unwrap().starts_with("https://pay.example/l/"), "{link}");
    let problem = shop.get("/v1/nothing").await.is(404).json();
    assert_eq!(problem["type"], "https://pay.example/docs/errors/not_found");
    let document = shop.get("/openapi.json").await.is(200).json();
    assert_eq!(document["servers"][0]["url"], "https://pay.example/v1");
    let phone = shop.get("/sandbox/phone").await;
    assert!(
        phone.header("content-security-policy").ends_with("'self' https://pay.example:*"),
        "{phone:?}"
    );
}
