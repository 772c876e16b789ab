//! Errors of the hosted page: a page in the payer's language, never JSON.

use tua_domain::rate_limit::Rate;
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp,
    failing_plan::{Fault, Moment, Plan, SECRET},
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
};

const PAYS: &str = "phoneNumber=0240000007&network=MTN";

/// Asserts a page that says whether money moved and what to do, without internal details.
#[track_caller]
fn assert_error_page(answer: Response, status: u16, all: &[&str]) -> Response {
    let page = assert_page(answer, status);
    for words in all {
        assert!(page.text.contains(words), "{words:?} is not in {}", page.text);
    }
    for odd in [SECRET, "<script", "name=\"phoneNumber\"", "tua_checkout_"] {
        assert!(!page.text.contains(odd), "{odd:?} is in {}", page.text);
    }
    page
}

async fn post(payer: &ApiClient, fields: &str, headers: &[(&str, &str)]) -> Response {
    send_form(payer, &format!("/pay?key={}", payer.credential), fields, headers).await
}

async fn load(payer: &ApiClient) -> Response {
    payer.get(&format!("/pay?key={}", payer.credential)).await
}

async fn rate_limited_service(rates: Rates) -> TestApp {
    TestApp::with_clock(
        OffsetClock::stopped(),
        |config| config.limits = Limits::On(rates),
        |operators| operators,
    )
    .await
}

#[tokio::test]
async fn a_rate_limited_page_shows_when_to_try_again() {
    let app = rate_limited_service(Rates {
        checkout_token: Rate::new(3, 60).unwrap(),
        ..Rates::default()
    })
    .await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let other = app.payer(&shop).await;
    for _ in 0..3 {
        assert_page(load(&payer).await, 200);
    }
    for answer in [load(&payer).await, post(&payer, PAYS, &[FORM_CONTENT_TYPE]).await] {
        let page = assert_error_page(
            answer,
            429,
            &["Too many tries for now", "Nothing was charged by this.", "Look again"],
        );
        assert_eq!(page.header("retry-after"), "20");
    }
    payer.get("/v1/checkout").await.is_problem(429, "rate_limited");
    assert_page(load(&other).await, 200);
    app.advance(20);
    assert_page(load(&payer).await, 200);
}

#[tokio::test]
async fn guessing_tokens_limits_the_address_but_not_valid_tokens() {
    let four = Rate::new(4, 60).unwrap();
    let app =
        rate_limited_service(Rates { address: four, checkout_token: four, ..Rates::default() })
            .await;
    let payer = app.payer(&app.shop().await).await;
    let nobody = app.actor("tua_checkout_x");
    assert_page(nobody.get("/pay").await, 404);
    assert_page(load(&nobody).await, 404);
    assert_page(post(&nobody, PAYS, &[FORM_CONTENT_TYPE]).await, 404);
    app.actor("").get("/v1/checkout").await.is(401);
    for answer in [
        load(&nobody).await,
        nobody.get("/pay").await,
        post(&nobody, PAYS, &[FORM_CONTENT_TYPE]).await,
    ] {
        assert_eq!(
            assert_error_page(answer, 429, &["Too many tries for now"]).header("retry-after"),
            "15"
        );
    }
    assert_page(load(&payer).await, 200);
    app.advance(31 * 60);
    for _ in 0..4 {
        assert_page(load(&payer).await, 401);
    }
    assert_error_page(load(&payer).await, 429, &["do not pay again"]);
}

#[tokio::test]
async fn a_store_error_page_is_in_the_payers_language() {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::default(), |_| {}, |operators| operators, &plan).await;
    let payer = app.payer(&app.shop().await).await;
    let down = |method| plan.set(Some(Fault { method, moment: Moment::Before, times: usize::MAX }));
    down(Some("caller"));
    for (language, dir, words) in [
        ("en", "ltr", ["cannot be shown right now", "Nothing was charged by this.", "Look again"]),
        ("fr", "ltr", ["ne peut pas être affiché", "Cela n’a rien débité.", "Regarder à nouveau"]),
        ("ar", "rtl", ["تعذّر عرض الدفع الآن", "لم يُسحب أي مبلغ", "انظر من جديد"]),
        ("tw", "ltr", ["cannot be shown right now", "do not pay again", "<html lang=\"en-GH\""]),
    ] {
        let path = format!("/pay?key={}&lang={language}", payer.credential);
        let page = assert_error_page(payer.get(&path).await, 503, &words);
        assert!(page.text.contains(&format!("dir=\"{dir}\"")));
        assert_eq!(page.header("retry-after"), "30");
    }
    assert_error_page(
        post(&payer, PAYS, &[FORM_CONTENT_TYPE]).await,
        503,
        &["Nothing was charged by this."],
    );

    down(Some("begin"));
    let words = ["We do not know yet", "You will not be charged twice.", "Look again"];
    assert_error_page(post(&payer, PAYS, &[FORM_CONTENT_TYPE]).await, 503, &words);
    plan.set(None);
    post(&payer, PAYS, &[FORM_CONTENT_TYPE]).await.is(303);
    assert_page(load(&payer).await, 200);
}

#[tokio::test]
async fn forms_from_other_origins_are_rejected() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let words = ["This could not be taken", "no money was taken", "Back to the checkout"];
    for site in ["cross-site", "same-site"] {
        assert_error_page(
            post(&payer, PAYS, &[FORM_CONTENT_TYPE, ("sec-fetch-site", site)]).await,
            403,
            &words,
        );
    }
    for origin in ["https://evil.example", "http://127.0.0.1", "https://127.0.0.1.evil.example"] {
        let sent = post(&payer, PAYS, &[FORM_CONTENT_TYPE, ("origin", origin)]).await;
        assert_error_page(sent, 403, &words);
    }
    for kind in ["application/json", "multipart/form-data; boundary=x", "text/plain", "%"] {
        assert_error_page(post(&payer, PAYS, &[("content-type", kind)]).await, 415, &words);
    }
    assert_error_page(post(&payer, PAYS, &[]).await, 415, &words);
    let huge = format!("phoneNumber={}", "0".repeat(40 << 10));
    assert_error_page(post(&payer, &huge, &[FORM_CONTENT_TYPE]).await, 413, &words);
    assert_page(post(&app.actor("tua_checkout_x"), PAYS, &[FORM_CONTENT_TYPE]).await, 404);
    let session = payer.get("/v1/checkout").await.json();
    assert_eq!(session["attemptsLeft"], 5, "no transaction was created");
    post(&payer, PAYS, &[FORM_CONTENT_TYPE, ("sec-fetch-site", "same-origin")]).await.is(303);
    assert_eq!(payer.get("/v1/checkout").await.json()["attemptsLeft"], 4);
}

#[tokio::test]
async fn an_address_with_a_slash_behind_it_leads_to_the_page() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let path = format!("/pay/?key={}", payer.credential);
    assert_page(payer.get(&path).await, 200);
    send_form(&payer, &path, PAYS, &[FORM_CONTENT_TYPE]).await.is(303);
    assert_page(app.actor("").get("/l/").await, 200);
}

/// The page sends no referrer, so an old browser sends its forms with the origin `null`.
#[tokio::test]
async fn a_form_of_a_browser_that_names_no_origin_is_accepted() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for origin in [&[][..], &[("origin", "null")]] {
        let payer = app.payer(&shop).await;
        post(&payer, PAYS, &[&[FORM_CONTENT_TYPE], origin].concat()).await.is(303);
        assert_eq!(payer.get("/v1/checkout").await.json()["attemptsLeft"], 4, "{origin:?}");
    }
}
