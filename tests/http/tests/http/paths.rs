//! Paths with slashes too many or missing, as base URLs and paths are joined in programs.

use reqwest::Method;
use tua_test_support::TestApp;

#[tokio::test]
async fn a_path_with_other_slashes_is_named_with_the_route_that_was_meant() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (sent, meant) in [
        ("/v1//checkout", "/v1/checkout"),
        ("//v1/checkout", "/v1/checkout"),
        ("/v1/checkout/", "/v1/checkout"),
        ("/v1checkout", "/v1/checkout"),
        ("/v1/v1/checkout", "/v1/checkout"),
        ("/checkout", "/v1/checkout"),
        ("/v1/status/", "/v1/status/{transactionId}"),
        ("/v1/status//txn_1", "/v1/status/txn_1"),
        ("/v1/statustxn_1", "/v1/status/txn_1"),
        ("/readyz/", "/readyz"),
    ] {
        for method in [Method::GET, Method::POST] {
            let answer =
                shop.send(method, sent, &[], Some("{}")).await.is_problem(404, "not_found");
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.starts_with(&format!("The path {sent} does not exist.")), "{detail}");
            assert!(detail.ends_with(&format!(" {meant}")), "{sent}: {detail}");
        }
    }
    for sent in ["/v2/charge", "/wp-login.php", "/v1/nothing//here"] {
        let detail = shop.get(sent).await.is_problem(404, "not_found").json()["detail"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            detail.contains(sent) && detail.ends_with("/docs/api lists every route."),
            "{detail}"
        );
    }
    // A token is in the query, which is never repeated.
    let answer = shop.get("/pays?key=tua_checkout_secret").await.is_problem(404, "not_found");
    assert!(!answer.text.contains("secret"), "{answer:?}");
}
