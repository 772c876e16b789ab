//! The mistakes that developers make first. Each answer says what is wrong and what to send
//! instead, and so does the page at its `type`.

use reqwest::{Method, header::HeaderValue};
use tua_domain::{Generation, Mode};
use tua_test_support::{ApiClient, Response, TestApp, hosted_page::assert_page};

const CHECKOUT: &str = r#"{"amount":10.5,"email":"ama@example.com"}"#;

fn charge(amount: &str, phone: &str, network: &str) -> String {
    format!(r#"{{"amount":{amount},"phoneNumber":"{phone}","network":"{network}"}}"#)
}

/// Asserts that the detail of the only fault, or of the whole problem, contains this, and that the
/// page at its `type` explains the code.
async fn assert_explained(
    nobody: &ApiClient,
    answer: Response,
    status: u16,
    code: &str,
    says: &str,
) {
    let problem = answer.is_problem(status, code).json();
    let detail =
        problem["errors"][0]["detail"].as_str().or(problem["detail"].as_str()).unwrap().to_owned();
    assert!(detail.contains(says), "{code}: {detail:?} does not say {says:?}");
    let page = problem["type"].as_str().unwrap().strip_prefix(&nobody.origin).unwrap();
    let page = assert_page(nobody.get(page).await, 200).text;
    for word in [code, "Did money move?", "What to do"] {
        assert!(page.contains(word), "{word} in {page}");
    }
}

#[tokio::test]
async fn the_first_mistakes_of_a_newcomer_are_answered_with_what_to_do() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let first_generation = app.key(&account, Mode::Test, Generation::V1).await;
    let nobody = app.actor("");
    let post =
        async |caller: &ApiClient, path: &str, body: &str| caller.post_text(path, body).await;
    let good = charge("10.5", "0241234567", "MTN");

    // 1. The path without its version.
    let answer = post(&shop, "/charge", &good).await;
    assert_explained(&nobody, answer, 404, "not_found", "/v1/charge").await;

    // 2. The number in its international form.
    let answer = post(&shop, "/v1/charge", &charge("10.5", "+233241234567", "MTN")).await;
    assert_explained(&nobody, answer, 422, "invalid_phone_number", "send 0241234567").await;

    // 3. The network by the name that people use.
    for (network, meant) in [("mtn", "MTN"), ("AT", "AIRTELTIGO"), ("Vodafone", "TELECEL")] {
        let answer = post(&shop, "/v1/charge", &charge("10.5", "0241234567", network)).await;
        assert_explained(&nobody, answer, 422, "unsupported_network", &format!("send {meant}"))
            .await;
    }

    // 4. A sum of floats.
    let answer =
        post(&shop, "/v1/charge", &charge(&(0.1 + 0.2).to_string(), "0241234567", "MTN")).await;
    assert_explained(&nobody, answer, 422, "invalid_amount", "round it before sending").await;

    // 5. The amount as a text.
    let answer = post(&shop, "/v1/charge", &charge("\"10.50\"", "0241234567", "MTN")).await;
    assert_explained(&nobody, answer, 422, "invalid_type", "JSON number").await;

    // 6. A misspelt member.
    let answer = post(
        &shop,
        "/v1/checkout",
        &CHECKOUT.replace("}", r#","returnURL":"https://shop.example"}"#),
    )
    .await;
    assert_eq!(answer.json()["errors"][0]["pointer"], "/returnURL");
    assert_explained(&nobody, answer, 422, "unknown_field", "does not exist").await;
    let snake = CHECKOUT.replace("}", r#","return_url":"https://shop.example"}"#);
    let answer = post(&shop, "/v1/checkout", &snake).await;
    assert_explained(&nobody, answer, 422, "unknown_field", "Its name is returnUrl").await;

    // 7. A form in place of JSON, which is what curl -d sends.
    let form = shop
        .request(Method::POST, "/v1/charge")
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = Response::read(form.body("amount=10.5&network=MTN").send().await.unwrap()).await;
    assert_explained(&nobody, answer, 415, "unsupported_media_type", "application/json").await;

    // 8. No key, half a key, and what only looks like a key.
    let answer = post(&nobody, "/v1/charge", &good).await;
    assert_explained(&nobody, answer, 401, "missing_credentials", "x-api-key").await;
    let half = &shop.credential[..shop.credential.len() - 4];
    let quoted = format!("\"{}\"", shop.credential);
    for (sent, says) in [
        (half, "the whole key"),
        (&*quoted, "quotation marks"),
        ("key_01a2", "id of a key"),
        ("whsec_c2VjcmV0", "webhook endpoint"),
    ] {
        let answer = post(&app.actor(sent), "/v1/charge", &good).await;
        assert_explained(&nobody, answer, 401, "invalid_credentials", says).await;
    }

    let key = shop.credential.as_str();
    for sent in [
        format!("\"Bearer {key}\""),
        format!("\"{key}\""),
        format!("'{key}'"),
        format!("Bearer \"{key}\""),
        format!("Bearer \u{201c}{key}\u{201d}"),
        format!("\u{201c}Bearer {key}\u{201d}"),
    ] {
        let request = nobody.request(Method::POST, "/v1/charge").body(good.clone());
        let value = HeaderValue::from_bytes(sent.as_bytes()).unwrap();
        let request = request.header("authorization", value);
        let answer = Response::read(request.send().await.unwrap()).await;
        let says = "has quotation marks around it";
        assert_explained(&nobody, answer, 401, "invalid_credentials", says).await;
    }

    // 9. A key of the first generation for a checkout.
    let answer = post(&first_generation, "/v1/checkout", CHECKOUT).await;
    assert_explained(&nobody, answer, 403, "credential_not_allowed", "tua_test_v2_").await;

    // 10. The secret key in a page, as the checkout's token. The page does not repeat it.
    let page = assert_page(nobody.get(&format!("/pay?key={}", shop.credential)).await, 404).text;
    assert!(
        page.contains("This payment link is not valid") && page.contains("Go back to the shop"),
        "{page}"
    );
    assert!(!page.contains(&shop.credential), "{page}");

    assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 0);
}
