//! The hosted page without script: its forms, their results, and every screen.

use crate::support::{
    Response, TestApp, eventually,
    failing_plan::{Fault, Moment, Plan},
    hosted_page::{assert_page, send_form},
    scripted_operator::ScriptedOperator,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_contract::{Step, lifecycle::Observation};
use tua_service::{
    clock::OffsetClock,
    domain::{
        ports::{Answer, CodeAnswer},
        rate_limit::Rate,
    },
    limits::{Limits, Rates},
};

/// A payer on the page of a session of GHS 10.50.
struct AtPage<'a> {
    app: &'a TestApp,
    token: String,
    path: String,
}

impl<'a> AtPage<'a> {
    async fn of(app: &'a TestApp) -> Self {
        let token = app.payer(&app.shop().await).await.credential;
        Self { app, path: format!("/pay?key={token}"), token }
    }

    async fn load(&self) -> Response {
        self.app.actor("").get(&self.path).await
    }

    async fn post(&self, fields: &str) -> Response {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        send_form(&self.app.actor(""), &self.path, fields, &form).await
    }

    /// Sends a form that is accepted: the browser is redirected to the page.
    async fn post_accepted(&self, fields: &str) {
        let answer = self.post(fields).await.is(303);
        assert_eq!(answer.header("location"), self.path);
        assert_eq!(answer.header("cache-control"), "no-store");
    }

    /// Sends a form that is shown again.
    async fn post_rejected(&self, fields: &str, status: u16) -> String {
        let page = assert_page(self.post(fields).await, status).text;
        assert!(!page.contains("<script"), "the component would lose the errors: {page}");
        page
    }

    async fn wait_for_text(&self, words: &str) -> String {
        // The delay of the sandbox.
        self.app.advance(2);
        eventually(words, async || self.load().await.text.contains(words)).await;
        self.load().await.text
    }

    async fn charges(&self) -> u64 {
        let session = self.app.actor(&self.token).get("/v1/checkout").await.json();
        5 - session["attemptsLeft"].as_u64().unwrap()
    }
}

/// Asserts that all of these texts are on the page.
#[track_caller]
fn assert_shows(page: &str, all: &[&str]) {
    for words in all {
        assert!(page.contains(words), "{words:?} is not in {page}");
    }
}

#[track_caller]
fn assert_hides(page: &str, all: &[&str]) {
    for words in all {
        assert!(!page.contains(words), "{words:?} is in {page}");
    }
}

const REFRESHES: &str = "<noscript><meta http-equiv=\"refresh\"";

#[tokio::test]
async fn a_payer_can_pay_by_approval_without_script() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let form = assert_page(payer.load().await, 200).text;
    assert_shows(
        &form,
        &["Adom Stores", "GH₵10.50", "name=\"phoneNumber\"", "value=\"MTN\"", "method=\"post\"", "Test mode"],
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
    let address = format!("https://shop.example/orders?id=%2017&amp;checkoutId={id}&amp;reference=order+17%26#paid");
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
    let with_url = json!({ "amount": 10.5, "email": "ama@example.com", "returnUrl": "https://shop.example/orders/17" });
    let without = json!({ "amount": 10.5, "email": "ama@example.com" });
    let mut opened = Vec::new();
    for cart in [&with_url, &with_url, &without] {
        opened.push(shop.post("/v1/checkout", cart).await.is(201).json());
    }
    let path = |session: &Value, language: &str| {
        format!("/pay?key={}&lang={language}", session["checkoutToken"].as_str().unwrap())
    };
    let page = async |session: &Value, language: &str| {
        let page = assert_page(app.actor("").get(&path(session, language)).await, 401).text;
        page.replace("&#x2f;", "/")
    };
    let pending = app.actor(opened[1]["checkoutToken"].as_str().unwrap());
    pending.charge("0240000007", "MTN").await.is(202);
    app.advance(30 * 60);
    for session in &opened[..2] {
        let [id, reference] = ["checkoutId", "reference"].map(|name| session[name].as_str().unwrap());
        let address = format!("https://shop.example/orders/17?checkoutId={id}&amp;reference={reference}");
        for (language, text) in
            [("en", "Back to Adom Stores"), ("fr", "Retour à Adom Stores"), ("ar", "العودة إلى Adom Stores")]
        {
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
    // Who typed a wrong number reads what happens to the request, and when another one can be tried.
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
    assert_shows(&page, &["value=\"02412&quot;", "Use digits only", "Choose your network.", "aria-invalid=\"true\""]);
    assert_hides(&page, &["\"><b>", REFRESHES]);
    let page = payer.post_rejected("phoneNumber=024123&network=TELECEL", 422).await;
    assert_shows(&page, &["value=\"024123\"", "Enter all 10 digits", " checked"]);
    assert_hides(&page, &["Choose your network."]);
    // The form showed no network, so none is charged. Now it shows the one that the prefix suggests.
    let page = payer.post_rejected("phoneNumber=0241234567", 422).await;
    assert_shows(&page, &["Choose your network.", "value=\"MTN\" checked"]);
    assert_shows(
        &payer.post_rejected("phoneNumber=", 422).await,
        &["Enter your mobile money number.", "Choose your network."],
    );
    assert_eq!(payer.charges().await, 0);
}

#[tokio::test]
async fn a_number_and_a_code_are_read_as_people_type_and_paste_them() {
    let app = TestApp::start().await;
    let numbers = [
        "%D9%A0%D9%A2%D9%A0+%D9%A1%D9%A2%D9%A3+%D9%A4%D9%A5%D9%A6%D9%A7",
        "%EF%BC%90%EF%BC%92%EF%BC%90%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96%EF%BC%97",
        "%EF%BB%BF020%E2%80%8B123%E2%81%A04567%C2%AD",
    ];
    let codes =
        ["123+456", "123-456", "Your+code+is+123456.+It+ends+in+10+minutes.", "%DB%B1%DB%B2%DB%B3%DB%B4%DB%B5%DB%B6"];
    for (place, code) in codes.into_iter().enumerate() {
        let payer = AtPage::of(&app).await;
        payer.post_accepted(&format!("phoneNumber={}&network=TELECEL", numbers[place % 3])).await;
        payer.wait_for_text("Enter your voucher code").await;
        for unsent in
            ["otp=123.456.789", "otp=Your+code+is+123456+or+654321", &format!("otp={}123456", "+".repeat(500))]
        {
            payer.post_rejected(unsent, 422).await;
        }
        // Each of these has a part that looks like a code. It would cost a try.
        for cut in ["ABCD-1234", "TX4829+is+your+code", "OTP+is+48291O", "1234_56", "1234%3A56", "Code+4829+1000+cedis"]
        {
            let page = payer.post_rejected(&format!("otp={cut}"), 422).await;
            assert_shows(&page, &["Paste the code alone"]);
            assert_hides(&page, &["Tries left"]);
        }
        payer.post_accepted(&format!("otp={code}")).await;
        payer.wait_for_text("Payment successful").await;
    }
    let payer = AtPage::of(&app).await;
    assert_shows(&payer.post_rejected("phoneNumber=024.123.4567&network=MTN", 422).await, &["Use digits only"]);
}

#[tokio::test]
async fn a_wrong_voucher_shows_the_attempts_left() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    let page = payer.wait_for_text("Enter your voucher code").await;
    assert_shows(&page, &["name=\"otp\"", "*110#", "Not your number?", "ending in 567. Nobody can cancel"]);
    assert_hides(&page, &[REFRESHES]);
    let page = payer.post_rejected("otp=12", 422).await;
    assert_shows(&page, &["value=\"12\"", "The code has 4 to 10 letters or digits."]);
    let page = payer.post_rejected("otp=000000", 422).await;
    assert_shows(&page, &["Tries left: 4"]);
    assert_hides(&page, &["000000"]);
    // The same form again, or the same code typed again: the same verdict, and no attempt is used up.
    assert_shows(&payer.post_rejected("otp=000000", 422).await, &["Tries left: 4"]);
    assert_shows(&payer.post_rejected("otp=000001", 422).await, &["Tries left: 3"]);
    assert_shows(&payer.post_rejected("otp=000000", 422).await, &["Tries left: 3"]);
    payer.post_accepted("otp=123456").await;
    payer.post_accepted("otp=000000").await;
    payer.wait_for_text("Payment successful").await;
}

#[tokio::test]
async fn a_right_code_that_was_counted_and_not_delivered_can_be_typed_again() {
    let plan = Plan::default();
    let app = TestApp::with_store(OffsetClock::default(), |_| {}, |operators| operators, plan.wrap()).await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    payer.wait_for_text("Enter your voucher code").await;
    plan.begin(Some(Fault { method: Some("count_code_attempt"), moment: Moment::After, times: 1 }));
    assert_page(payer.post("otp=123456").await, 503);
    plan.set(None);
    payer.post_accepted("otp=123456").await;
    payer.wait_for_text("Payment successful").await;
}

#[tokio::test]
async fn a_right_code_whose_verdict_timed_out_can_be_typed_again() {
    let asks_voucher = Observation::Awaits(Step::EnterVoucher);
    let operator = ScriptedOperator::new().sends(move |_| Some(asks_voucher));
    let operator = operator.asks(move |_| Some(Answer::known(asks_voucher)));
    let codes = |time| (time > 1).then_some(CodeAnswer::accepted(Observation::Succeeded));
    let operator = Arc::new(operator.codes(codes));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    let timed_out = async {
        app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
        app.advance(30);
    };
    tokio::join!(payer.post_accepted("otp=123456"), timed_out);
    app.wait_for_due_work().await;
    app.advance(20);
    app.wait_for_due_work().await;
    assert_shows(&payer.load().await.text, &["name=\"otp\""]);
    payer.post_accepted("otp=123456").await;
    assert_shows(&payer.load().await.text, &["Payment successful"]);
    assert_eq!(operator.count("code"), 2);
}

#[tokio::test]
async fn after_a_failure_the_payer_can_retry_with_the_same_or_another_number() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0240000001&network=MTN").await;
    let page = payer.wait_for_text("Payment not completed").await;
    assert_shows(
        &page,
        &["There is not enough money", "No money was taken.", "name=\"again\"", "name=\"change\"", "Attempts left: 4"],
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
    let app = TestApp::with(|config| config.limits = Limits::On(rates), |operators| operators).await;
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
    assert_shows(&assert_page(answer, 429).text, &["That was too many tries", "value=\"0241230001\""]);
    first.wait_for_text("Payment not completed").await;
    let again = assert_page(first.post("again=").await, 429).text;
    assert_shows(&again, &["That was too many tries", "name=\"phoneNumber\""]);
    assert_hides(&again, &["0241230001"]);
}

#[tokio::test]
async fn an_expired_page_shows_the_sessions_status_and_rejects_forms() {
    let app = TestApp::start().await;
    let (open, pending, paid) = (AtPage::of(&app).await, AtPage::of(&app).await, AtPage::of(&app).await);
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
            assert_hides(&page, &["name=\"phoneNumber\"", "<script", "•567", "1234567", "123 4567", "receipt", "GH₵"]);
        }
    }
}

#[tokio::test]
async fn the_page_uses_the_lang_parameter_or_else_accept_language() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let nobody = app.actor("");
    let liked = async |list| nobody.send(Method::GET, &payer.path, &[("accept-language", list)], None).await.text;
    assert_shows(&liked("fr-CI, en;q=0.5").await, &["<html lang=\"fr\" dir=\"ltr\">", "10,50\u{a0}GHS", "Payer"]);
    assert_shows(&liked("ar").await, &["<html lang=\"ar-u-nu-latn\" dir=\"rtl\">", "aria-current=\"true\">العربية"]);
    assert_shows(&liked("tw, ee, ha").await, &["<html lang=\"en-GH\" dir=\"ltr\">"]);
    let asked = async |tag: &str| nobody.get(&format!("{}&lang={tag}", payer.path)).await.text;
    assert_shows(&asked("tw").await, &["Mobile money nɔma", "<html lang=\"ak\""]);
    assert_shows(&asked("xx").await, &["<html lang=\"en-GH\""]);
    let french = AtPage { app: &app, path: format!("{}&lang=fr", payer.path), token: payer.token.clone() };
    assert_shows(&french.post_rejected("phoneNumber=&network=", 422).await, &["<html lang=\"fr\""]);
    french.post_accepted("check=").await;
}
