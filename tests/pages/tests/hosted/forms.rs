//! The hosted page without script: its forms, their results, and every screen.

use super::at_page::{AtPage, REFRESHES, assert_hides, assert_shows};
use reqwest::Method;
use serde_json::{Value, json};
use tua_domain::rate_limit::Rate;
use tua_net::limits::{Limits, Rates};
use tua_test_support::{TestApp, hosted_page::assert_page};

#[tokio::test]
async fn a_payer_can_pay_by_approval_without_script() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let form = assert_page(payer.load().await, 200).text;
    assert_shows(
        &form,
        &[
            "Adom Stores",
            "GH₵10.50",
            "name=\"phoneNumber\"",
            "value=\"MTN\"",
            "method=\"post\"",
            "Test mode",
        ],
    );
    assert_hides(&form, &[REFRESHES, "aria-invalid"]);
    payer.post_accepted("phoneNumber=%2B233+24+123+4567&network=MTN").await;
    let paid = payer.wait_for_text("Payment successful").await;
    assert_shows(&paid, &["•••••••567", "MTN MoMo", "GH₵10.50"]);
    assert_hides(&paid, &[REFRESHES, "0241234567"]);
    payer.post_accepted("phoneNumber=0241234567&network=MTN").await;
    assert_eq!(payer.charges().await, 1, "a paid session is not paid again");
}

#[tokio::test]
async fn the_form_and_both_outcomes_lead_back_to_the_shop_and_a_screen_that_waits_does_not() {
    const BACK: &str = "Back to Adom Stores";
    let app = TestApp::start().await;
    let cart = json!({
        "amount": 10.5, "email": "ama@example.com", "reference": "order 17&",
        "returnUrl": "https://shop.example/orders?id=%2017#paid",
    });
    let opened = app.shop().await.post("/v1/checkout", &cart).await.json();
    let token = opened["checkoutToken"].as_str().unwrap().to_owned();
    let payer = AtPage { app: &app, path: format!("/pay?key={token}"), token };
    let form = payer.load().await.text;
    let id = opened["checkoutId"].as_str().unwrap();
    let address = format!(
        "https://shop.example/orders?id=%2017&amp;checkoutId={id}&amp;reference=order+17%26#paid"
    );
    assert_shows(&form, &[BACK, &format!("href=\"{address}\""), "name=\"phoneNumber\""]);
    payer.post_accepted("phoneNumber=0240000002&network=MTN").await;
    assert_hides(&payer.load().await.text, &[BACK]);
    assert_shows(&payer.wait_for_text("Payment not completed").await, &[BACK, "name=\"again\""]);
    payer.post("change=").await.is(303);
    payer.post_accepted("phoneNumber=0241234567&network=MTN").await;
    assert_shows(&payer.wait_for_text("Payment successful").await, &[BACK]);
}

#[tokio::test]
async fn an_expired_page_leads_back_to_the_shop_in_every_language() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let with_url = json!({
        "amount": 10.5,
        "email": "ama@example.com",
        "returnUrl": "https://shop.example/orders/17",
    });
    let without = json!({ "amount": 10.5, "email": "ama@example.com" });
    let mut opened = Vec::new();
    for cart in [&with_url, &with_url, &without] {
        opened.push(shop.post("/v1/checkout", cart).await.is(201).json());
    }
    let path = |session: &Value, language: &str| {
        format!("/pay?key={}&lang={language}", session["checkoutToken"].as_str().unwrap())
    };
    let page = async |session: &Value, language: &str| {
        assert_page(app.actor("").get(&path(session, language)).await, 401).text
    };
    let pending = app.actor(opened[1]["checkoutToken"].as_str().unwrap());
    pending.charge("0240000007", "MTN").await.is(202);
    app.advance(30 * 60);
    for session in &opened[..2] {
        let [id, reference] =
            ["checkoutId", "reference"].map(|name| session[name].as_str().unwrap());
        let address =
            format!("https://shop.example/orders/17?checkoutId={id}&amp;reference={reference}");
        for (language, text) in [
            ("en", "Back to Adom Stores"),
            ("fr", "Retour à Adom Stores"),
            ("ar", "العودة إلى Adom Stores"),
        ] {
            let page = page(session, language).await;
            assert_shows(&page, &[&format!("href=\"{address}\""), text]);
            assert_hides(&page, &["<script", "tua_checkout_"]);
        }
        for language in ["tw", "ee", "ha"] {
            let page = page(session, language).await;
            assert_shows(&page, &[&format!("href=\"{address}\"")]);
        }
    }
    assert_hides(&page(&opened[2], "en").await, &["Back to"]);
}

#[tokio::test]
async fn the_page_refreshes_while_an_approval_is_pending() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0240000007&network=MTN").await;
    let page = assert_page(payer.load().await, 200).text;
    assert_shows(&page, &["Approve on your phone", "*170#", "name=\"check\"", REFRESHES]);
    // Who typed a wrong number reads what happens to the request, and when another one can be
    // tried.
    assert_shows(
        &page,
        &[
            "<details open=\"open\" class=\"tua-help\">",
            "Not your number?",
            "ending in 007. Nobody can cancel",
            "by itself",
            "enter another number",
        ],
    );
    payer.post_accepted("check=").await;
    payer.post_accepted("phoneNumber=0241234567&network=MTN").await;
    payer.post_accepted("otp=123456").await;
    payer.post_accepted("again=").await;
    assert_eq!(payer.charges().await, 1, "one charge at a time");
}

#[tokio::test]
async fn all_form_errors_are_shown_and_the_input_is_kept() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let page = payer.post_rejected("phoneNumber=02412%22%3E%3Cb%3E&network=", 422).await;
    assert_shows(
        &page,
        &[
            "value=\"02412&quot;",
            "Use digits only",
            "Choose your network.",
            "aria-invalid=\"true\"",
        ],
    );
    assert_hides(&page, &["\"><b>", REFRESHES]);
    let page = payer.post_rejected("phoneNumber=024123&network=TELECEL", 422).await;
    assert_shows(&page, &["value=\"024123\"", "Enter all 10 digits", " checked"]);
    assert_hides(&page, &["Choose your network."]);
    // The form showed no network, so none is charged. Now it shows the one that the prefix
    // suggests.
    let page = payer.post_rejected("phoneNumber=0241234567", 422).await;
    assert_shows(&page, &["Choose your network.", "value=\"MTN\" checked"]);
    assert_shows(
        &payer.post_rejected("phoneNumber=", 422).await,
        &["Enter your mobile money number.", "Choose your network."],
    );
    assert_eq!(payer.charges().await, 0);
}

#[tokio::test]
async fn after_a_failure_the_payer_can_retry_with_the_same_or_another_number() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0240000001&network=MTN").await;
    let page = payer.wait_for_text("Payment not completed").await;
    assert_shows(
        &page,
        &[
            "There is not enough money",
            "No money was taken.",
            "name=\"again\"",
            "name=\"change\"",
            "Attempts left: 4",
        ],
    );
    payer.post_accepted("again=").await;
    payer.wait_for_text("Attempts left: 3").await;
    let change = payer.post("change=").await.is(303).header("location").to_owned();
    let form = assert_page(app.actor("").get(&change).await, 200).text;
    assert_shows(&form, &["name=\"phoneNumber\""]);
    assert_hides(&form, &["0240000001", "<script"]);
    payer.post_accepted("phoneNumber=0241234567&network=MTN").await;
    payer.wait_for_text("Payment successful").await;
}

#[tokio::test]
async fn a_session_without_attempts_left_shows_no_form() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0240000001&network=MTN").await;
    for left in (1..5).rev() {
        payer.wait_for_text(&format!("Attempts left: {left}")).await;
        payer.post_accepted("again=").await;
    }
    let page = payer.wait_for_text("no attempts left").await;
    assert_hides(&page, &["name=\"again\"", "name=\"change\"", "name=\"phoneNumber\""]);
    payer.post_accepted("again=").await;
    payer.post_accepted("phoneNumber=0241234567&network=MTN").await;
    assert_eq!(payer.charges().await, 5);
}

#[tokio::test]
async fn a_rate_limited_form_shows_when_to_try_again() {
    let once = Rate::new(1, 600).unwrap();
    let rates = Rates { prompt_test: once, passcode: once, ..Rates::default() };
    let app =
        TestApp::with(|config| config.limits = Limits::On(rates), |operators| operators).await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201230001&network=TELECEL").await;
    payer.post_rejected("otp=000000", 422).await;
    let answer = payer.post("otp=000001").await;
    assert_eq!(answer.header("retry-after"), "600");
    assert_shows(&assert_page(answer, 429).text, &["That was too many tries", "name=\"otp\""]);

    let shop = app.shop().await;
    let payers = [app.payer(&shop).await, app.payer(&shop).await];
    let [first, second] = payers.map(|payer| AtPage {
        app: &app,
        path: format!("/pay?key={}", payer.credential),
        token: payer.credential,
    });
    first.post_accepted("phoneNumber=0241230001&network=MTN").await;
    let answer = second.post("phoneNumber=0241230001&network=MTN").await;
    assert_eq!(answer.header("retry-after"), "600");
    assert_shows(
        &assert_page(answer, 429).text,
        &["That was too many tries", "value=\"0241230001\""],
    );
    first.wait_for_text("Payment not completed").await;
    let again = assert_page(first.post("again=").await, 429).text;
    assert_shows(&again, &["That was too many tries", "name=\"phoneNumber\""]);
    assert_hides(&again, &["0241230001"]);
}

#[tokio::test]
async fn an_expired_page_shows_the_sessions_status_and_rejects_forms() {
    let app = TestApp::start().await;
    let open = AtPage::of(&app).await;
    let pending = AtPage::of(&app).await;
    let paid = AtPage::of(&app).await;
    pending.post_accepted("phoneNumber=0240000007&network=MTN").await;
    paid.post_accepted("phoneNumber=0241234567&network=MTN").await;
    paid.wait_for_text("Payment successful").await;
    app.advance(30 * 60);
    for (payer, words) in [
        (&open, ["This checkout has expired", "No money was taken."]),
        (&pending, ["Your payment is still being confirmed", "Do not pay again."]),
        (&paid, ["Payment successful", "This checkout has been paid."]),
    ] {
        for answer in [payer.load().await, payer.post("phoneNumber=0241234567&network=MTN").await] {
            let page = assert_page(answer, 401).text;
            assert_shows(&page, &words);
            assert_shows(&page, &["Adom Stores"]);
            assert_hides(
                &page,
                &[
                    "name=\"phoneNumber\"",
                    "<script",
                    "•567",
                    "1234567",
                    "123 4567",
                    "receipt",
                    "GH₵",
                ],
            );
        }
    }
}

#[tokio::test]
async fn the_page_uses_the_lang_parameter_or_else_accept_language() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let nobody = app.actor("");
    let liked = async |list| {
        nobody.send(Method::GET, &payer.path, &[("accept-language", list)], None).await.text
    };
    assert_shows(
        &liked("fr-CI, en;q=0.5").await,
        &["<html lang=\"fr\" dir=\"ltr\">", "10,50\u{a0}GHS", "Payer"],
    );
    assert_shows(
        &liked("ar").await,
        &["<html lang=\"ar-u-nu-latn\" dir=\"rtl\">", "aria-current=\"true\">العربية"],
    );
    assert_shows(&liked("tw, ee, ha").await, &["<html lang=\"en-GH\" dir=\"ltr\">"]);
    let asked = async |tag: &str| nobody.get(&format!("{}&lang={tag}", payer.path)).await.text;
    assert_shows(&asked("tw").await, &["Mobile money nɔma", "<html lang=\"ak\""]);
    assert_shows(&asked("xx").await, &["<html lang=\"en-GH\""]);
    let french =
        AtPage { app: &app, path: format!("{}&lang=fr", payer.path), token: payer.token.clone() };
    assert_shows(&french.post_rejected("phoneNumber=&network=", 422).await, &["<html lang=\"fr\""]);
    french.post_accepted("check=").await;
}
