//! `POST /pay` with the token in the form: what was typed into a merchant's page is shown, and
//! nothing is charged.

use tua_domain::rate_limit::Rate;
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
};

const FROM_A_SHOP: [(&str, &str); 3] =
    [FORM_CONTENT_TYPE, ("sec-fetch-site", "cross-site"), ("origin", "https://shop.example")];

async fn hand_over(client: &ApiClient, fields: &str) -> Response {
    send_form(client, "/pay", fields, &FROM_A_SHOP).await
}

fn form_of(payer: &ApiClient, more: &str) -> String {
    format!("key={}&phoneNumber=024+123+4567&network=TELECEL{more}", payer.credential)
}

async fn attempts_left(payer: &ApiClient) -> u64 {
    payer.get("/v1/checkout").await.json()["attemptsLeft"].as_u64().unwrap()
}

/// Where the form on the page is posted.
fn action(page: &str) -> String {
    let (_, rest) = page.split_once(" action=\"").expect("a form with an action");
    rest.split('"').next().unwrap().replace("&amp;", "&")
}

#[tokio::test]
async fn the_form_is_shown_filled_in_and_nothing_is_charged() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let page = assert_page(hand_over(&app.actor(""), &form_of(&payer, "&lang=fr")).await, 200).text;
    for text in ["value=\"024 123 4567\"", "<html lang=\"fr\"", "10,50\u{a0}GHS", "Adom Stores"] {
        assert!(page.contains(text), "{text:?} is not in {page}");
    }
    let chosen: Vec<&str> =
        page.split("<input").filter(|input| input.contains(" checked")).collect();
    assert!(matches!(chosen[..], [input] if input.contains("TELECEL")), "{chosen:?}");
    assert!(!page.contains("aria-invalid"), "nothing was sent yet: {page}");
    assert_eq!(attempts_left(&payer).await, 5);

    let action = action(&page);
    assert_eq!(action, format!("/pay?key={}&lang=fr", payer.credential));
    let own = [FORM_CONTENT_TYPE, ("sec-fetch-site", "same-origin")];
    send_form(&app.actor(""), &action, "phoneNumber=0240000007&network=MTN", &own).await.is(303);
    assert_eq!(attempts_left(&payer).await, 4);
}

#[tokio::test]
async fn no_way_of_sending_it_charges_anything() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for site in [None, Some("none"), Some("same-origin"), Some("same-site"), Some("cross-site")] {
        let headers: Vec<_> = [FORM_CONTENT_TYPE]
            .into_iter()
            .chain(site.map(|site| ("sec-fetch-site", site)))
            .collect();
        for fields in [form_of(&payer, ""), form_of(&payer, "&otp=123456&again=&pay=")] {
            assert_page(send_form(&app.actor(""), "/pay", &fields, &headers).await, 200);
        }
    }
    assert_eq!(attempts_left(&payer).await, 5);
}

#[tokio::test]
async fn typed_text_is_escaped() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let typed = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E%7B%7B7*7%7D%7D";
    let fields =
        format!("key={}&phoneNumber={typed}&network=%22%3E%3Cb%3E&lang=%22%3E", payer.credential);
    let page = assert_page(hand_over(&app.actor(""), &fields).await, 200).text;
    for markup in ["<script>", "\"><b", "{{49", "<b>"] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
    assert!(page.contains("&lt;script&gt;"), "{page}");
    let long = format!("key={}&phoneNumber={}", payer.credential, "0".repeat(30_000));
    let page = assert_page(hand_over(&app.actor(""), &long).await, 200).text;
    assert!(page.contains(&format!("value=\"{}\"", "0".repeat(65))), "{page}");
}

#[tokio::test]
async fn a_form_without_one_token_of_ours_is_unknown() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let unknown = assert_page(app.actor("").get("/pay").await, 404).text;
    for fields in [
        "".to_owned(),
        "phoneNumber=0241234567&network=MTN".to_owned(),
        "key=&phoneNumber=1".to_owned(),
        "key=tua_checkout_x".to_owned(),
        format!("key={}", shop.credential),
        format!("key={0}&key={0}", payer.credential),
        format!("key={}A", payer.credential),
        "%ff%00=&&&".to_owned(),
    ] {
        assert_eq!(
            assert_page(hand_over(&app.actor(""), &fields).await, 404).text,
            unknown,
            "{fields}"
        );
    }
    // A header is no key of this page's, nor is a token in the form where the address has one.
    assert_page(hand_over(&payer, "phoneNumber=0241234567&network=MTN").await, 404);
    let path = "/pay?key=tua_checkout_x";
    assert_page(
        send_form(&app.actor(""), path, &form_of(&payer, ""), &[FORM_CONTENT_TYPE]).await,
        404,
    );
    assert_eq!(attempts_left(&payer).await, 5);
}

#[tokio::test]
async fn an_invalid_form_is_rejected_with_an_explanation() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for kind in ["application/json", "multipart/form-data; boundary=x", "text/plain"] {
        let page = assert_page(
            send_form(&app.actor(""), "/pay", &form_of(&payer, ""), &[("content-type", kind)])
                .await,
            415,
        );
        assert!(page.text.contains("no money was taken"), "{}", page.text);
    }
    assert_page(
        hand_over(&app.actor(""), &form_of(&payer, &format!("&x={}", "0".repeat(40 << 10)))).await,
        413,
    );
}

#[tokio::test]
async fn a_payment_that_goes_on_or_is_over_has_its_own_page() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let pending = app.payer(&shop).await;
    let failed = app.payer(&shop).await;
    pending.charge("0240000007", "MTN").await.is(202);
    let answer = hand_over(&app.actor(""), &form_of(&pending, "&lang=ar")).await.is(303);
    assert_eq!(answer.header("location"), format!("/pay?key={}&lang=ar", pending.credential));
    assert_eq!(answer.header("cache-control"), "no-store");

    failed.charge("0240000001", "MTN").await.is(202);
    app.advance(2);
    tua_test_support::eventually("a failed charge", async || {
        failed.get("/v1/checkout").await.json()["transaction"]["status"] == "FAILED"
    })
    .await;
    let page = assert_page(hand_over(&app.actor(""), &form_of(&failed, "")).await, 200).text;
    assert!(page.contains("value=\"024 123 4567\""), "what was typed is tried next: {page}");
    assert!(!page.contains("<script"), "the component would begin with the failure: {page}");
    assert_eq!(action(&page), format!("/pay?key={}&change", failed.credential));
    assert_eq!(attempts_left(&failed).await, 4);

    app.advance(30 * 60);
    let page = assert_page(hand_over(&app.actor(""), &form_of(&pending, "")).await, 401).text;
    assert!(page.contains("Do not pay again."), "{page}");
    assert!(!page.contains("024 123 4567"), "{page}");
}

#[tokio::test]
async fn it_is_counted_as_any_other_request() {
    let rates = Rates {
        checkout_token: Rate::new(2, 60).unwrap(),
        address: Rate::new(3, 60).unwrap(),
        ..Rates::default()
    };
    let on = |config: &mut tua_config::Config| config.limits = Limits::On(rates);
    let app = TestApp::with_clock(OffsetClock::stopped(), on, |operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    for _ in 0..2 {
        assert_page(hand_over(&app.actor(""), &form_of(&payer, "")).await, 200);
    }
    let page = assert_page(hand_over(&app.actor(""), &form_of(&payer, "")).await, 429);
    assert_eq!(page.header("retry-after"), "30");
    // The template writes the slash as a character reference.
    assert!(page.text.contains(&format!("pay?key={}\"", payer.credential)), "{}", page.text);
    assert_page(hand_over(&app.actor(""), "key=tua_checkout_x").await, 404);
    assert_page(hand_over(&app.actor(""), "").await, 404);
    assert_page(
        send_form(&app.actor(""), "/pay", "{}", &[("content-type", "application/json")]).await,
        415,
    );
    assert_page(hand_over(&app.actor(""), "key=tua_checkout_y").await, 429);
}
