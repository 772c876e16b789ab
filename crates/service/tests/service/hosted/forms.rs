//! The hosted page without script: its forms, what they come to, and every screen on the way.

use crate::support::{
    Response, TestApp, eventually,
    hosted_page::{is_page, send_form},
};
use reqwest::Method;
use serde_json::json;
use tua_service::{
    domain::{Generation, Mode, rate_limit::Rate},
    limits::{Limits, Rates},
};

/// A payer at the page of a session of 10.50 cedis.
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

    async fn look(&self) -> Response {
        self.app.actor("").get(&self.path).await
    }

    async fn post(&self, fields: &str) -> Response {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        send_form(&self.app.actor(""), &self.path, fields, &form).await
    }

    /// A form that is taken: the browser is sent back to the page.
    async fn posts(&self, fields: &str) {
        let answer = self.post(fields).await.is(303);
        assert_eq!(answer.header("location"), self.path);
        assert_eq!(answer.header("cache-control"), "no-store");
    }

    /// A form that is shown again.
    async fn is_refused(&self, fields: &str, status: u16) -> String {
        let page = is_page(self.post(fields).await, status).text;
        assert!(!page.contains("<script"), "the component would lose the faults: {page}");
        page
    }

    async fn comes_to_say(&self, words: &str) -> String {
        // As long as the sandbox takes to decide.
        self.app.advance(2);
        eventually(words, async || self.look().await.text.contains(words)).await;
        self.look().await.text
    }

    async fn charges(&self) -> u64 {
        let session = self.app.actor(&self.token).get("/v1/checkout").await.json();
        5 - session["attemptsLeft"].as_u64().unwrap()
    }
}

/// All of these words stand on the page.
#[track_caller]
fn says(page: &str, all: &[&str]) {
    for words in all {
        assert!(page.contains(words), "{words:?} is not in {page}");
    }
}

#[track_caller]
fn says_nothing_of(page: &str, all: &[&str]) {
    for words in all {
        assert!(!page.contains(words), "{words:?} is in {page}");
    }
}

const REFRESHES: &str = "<noscript><meta http-equiv=\"refresh\"";

#[tokio::test]
async fn a_payer_can_pay_by_approval_without_script() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let form = is_page(payer.look().await, 200).text;
    says(&form, &["Adom Stores", "GH₵10.50", "name=\"phoneNumber\"", "value=\"MTN\"", "method=\"post\"", "Test mode"]);
    says_nothing_of(&form, &[REFRESHES, "aria-invalid"]);
    payer.posts("phoneNumber=%2B233+24+123+4567&network=MTN").await;
    let paid = payer.comes_to_say("Payment successful").await;
    says(&paid, &["•••••••567", "MTN MoMo", "GH₵10.50"]);
    says_nothing_of(&paid, &[REFRESHES, "0241234567"]);
    payer.posts("phoneNumber=0241234567&network=MTN").await;
    assert_eq!(payer.charges().await, 1, "what is paid is not paid again");
}

#[tokio::test]
async fn the_page_refreshes_while_an_approval_is_pending() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.posts("phoneNumber=0240000007&network=MTN").await;
    let page = is_page(payer.look().await, 200).text;
    says(&page, &["Approve on your phone", "*170#", "name=\"check\"", REFRESHES]);
    payer.posts("check=").await;
    payer.posts("phoneNumber=0241234567&network=MTN").await;
    payer.posts("otp=123456").await;
    payer.posts("again=").await;
    assert_eq!(payer.charges().await, 1, "one charge at a time");
}

#[tokio::test]
async fn all_form_errors_are_shown_and_the_input_is_kept() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let page = payer.is_refused("phoneNumber=02412%22%3E%3Cb%3E&network=", 422).await;
    says(&page, &["value=\"02412&quot;", "Use digits only", "Choose your network.", "aria-invalid=\"true\""]);
    says_nothing_of(&page, &["\"><b>", REFRESHES]);
    let page = payer.is_refused("phoneNumber=024123&network=TELECEL", 422).await;
    says(&page, &["value=\"024123\"", "Enter all 10 digits", " checked"]);
    says_nothing_of(&page, &["Choose your network."]);
    let page = payer.is_refused("phoneNumber=0241234567", 422).await;
    says(&page, &["Choose your network."]);
    says_nothing_of(&page, &[" checked"]);
    says(&payer.is_refused("phoneNumber=", 422).await, &["Enter your mobile money number.", "Choose your network."]);
    assert_eq!(payer.charges().await, 0);
}

#[tokio::test]
async fn a_wrong_voucher_shows_the_attempts_left() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.posts("phoneNumber=0201234567&network=TELECEL").await;
    let page = payer.comes_to_say("Enter your voucher code").await;
    says(&page, &["name=\"otp\"", "*110#"]);
    says_nothing_of(&page, &[REFRESHES]);
    let page = payer.is_refused("otp=12", 422).await;
    says(&page, &["value=\"12\"", "The code has 4 to 10 letters or digits."]);
    let page = payer.is_refused("otp=000000", 422).await;
    says(&page, &["Tries left: 4"]);
    says_nothing_of(&page, &["000000"]);
    payer.posts("otp=000000").await;
    says(&payer.is_refused("otp=000001", 422).await, &["Tries left: 3"]);
    payer.posts("otp=123456").await;
    payer.comes_to_say("Payment successful").await;
}

#[tokio::test]
async fn after_a_failure_the_payer_can_retry_with_the_same_or_another_number() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.posts("phoneNumber=0240000001&network=MTN").await;
    let page = payer.comes_to_say("Payment not completed").await;
    says(
        &page,
        &["There is not enough money", "No money was taken.", "name=\"again\"", "name=\"change\"", "Attempts left: 4"],
    );
    payer.posts("again=").await;
    payer.comes_to_say("Attempts left: 3").await;
    let change = payer.post("change=").await.is(303).header("location").to_owned();
    let form = is_page(app.actor("").get(&change).await, 200).text;
    says(&form, &["name=\"phoneNumber\""]);
    says_nothing_of(&form, &["0240000001", "<script"]);
    payer.posts("phoneNumber=0241234567&network=MTN").await;
    payer.comes_to_say("Payment successful").await;
}

#[tokio::test]
async fn a_session_without_attempts_left_shows_no_form() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.posts("phoneNumber=0240000001&network=MTN").await;
    for left in (1..5).rev() {
        payer.comes_to_say(&format!("Attempts left: {left}")).await;
        payer.posts("again=").await;
    }
    let page = payer.comes_to_say("no attempts left").await;
    says_nothing_of(&page, &["name=\"again\"", "name=\"change\"", "name=\"phoneNumber\""]);
    payer.posts("again=").await;
    payer.posts("phoneNumber=0241234567&network=MTN").await;
    assert_eq!(payer.charges().await, 5);
}

#[tokio::test]
async fn a_rate_limited_form_shows_when_to_try_again() {
    let once = Rate::new(1, 600).unwrap();
    let rates = Rates { prompt_test: once, passcode: once, ..Rates::default() };
    let app = TestApp::with(|config| config.limits = Limits::On(rates), |operators| operators).await;
    let payer = AtPage::of(&app).await;
    payer.posts("phoneNumber=0201230001&network=TELECEL").await;
    payer.is_refused("otp=000000", 422).await;
    let answer = payer.post("otp=000001").await;
    assert_eq!(answer.header("retry-after"), "600");
    says(&is_page(answer, 429).text, &["That was too many tries", "name=\"otp\""]);

    let shop = app.shop().await;
    let payers = [app.payer(&shop).await, app.payer(&shop).await];
    let [first, second] = payers.map(|payer| AtPage {
        app: &app,
        path: format!("/pay?key={}", payer.credential),
        token: payer.credential,
    });
    first.posts("phoneNumber=0241230001&network=MTN").await;
    let answer = second.post("phoneNumber=0241230001&network=MTN").await;
    assert_eq!(answer.header("retry-after"), "600");
    says(&is_page(answer, 429).text, &["That was too many tries", "value=\"0241230001\""]);
    first.comes_to_say("Payment not completed").await;
    let again = is_page(first.post("again=").await, 429).text;
    says(&again, &["That was too many tries", "name=\"phoneNumber\""]);
    says_nothing_of(&again, &["0241230001"]);
}

#[tokio::test]
async fn an_unavailable_network_is_explained_beside_the_form() {
    let app = TestApp::start().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 10.5, "email": "ama@example.com" });
    let token = shop.post("/v1/checkout", &body).await.is(201).json()["checkoutToken"].as_str().unwrap().to_owned();
    let payer = AtPage { app: &app, path: format!("/pay?key={token}"), token };
    says_nothing_of(&payer.look().await.text, &["Test mode"]);
    let page = payer.is_refused("phoneNumber=0241234567&network=MTN", 503).await;
    says(&page, &["This network is not available right now.", "value=\"0241234567\""]);
}

#[tokio::test]
async fn an_expired_page_shows_the_sessions_status_and_rejects_forms() {
    let app = TestApp::start().await;
    let (open, pending, paid) = (AtPage::of(&app).await, AtPage::of(&app).await, AtPage::of(&app).await);
    pending.posts("phoneNumber=0240000007&network=MTN").await;
    paid.posts("phoneNumber=0241234567&network=MTN").await;
    paid.comes_to_say("Payment successful").await;
    app.advance(30 * 60);
    for (payer, words) in [
        (&open, ["This checkout has expired", "No money was taken."]),
        (&pending, ["Your payment is still being confirmed", "Do not pay again."]),
        (&paid, ["Payment successful", "This checkout has been paid."]),
    ] {
        for answer in [payer.look().await, payer.post("phoneNumber=0241234567&network=MTN").await] {
            let page = is_page(answer, 401).text;
            says(&page, &words);
            says(&page, &["Adom Stores"]);
            says_nothing_of(
                &page,
                &["name=\"phoneNumber\"", "<script", "•567", "1234567", "123 4567", "receipt", "GH₵"],
            );
        }
    }
}

#[tokio::test]
async fn the_page_uses_the_lang_parameter_or_else_accept_language() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    let nobody = app.actor("");
    let liked = async |list| nobody.send(Method::GET, &payer.path, &[("accept-language", list)], None).await.text;
    says(&liked("fr-CI, en;q=0.5").await, &["<html lang=\"fr\" dir=\"ltr\">", "10,50\u{a0}GHS", "Payer"]);
    says(&liked("ar").await, &["<html lang=\"ar-u-nu-latn\" dir=\"rtl\">", "aria-current=\"true\">العربية"]);
    says(&liked("tw, ee, ha").await, &["<html lang=\"en-GH\" dir=\"ltr\">"]);
    let asked = async |tag: &str| nobody.get(&format!("{}&lang={tag}", payer.path)).await.text;
    says(&asked("tw").await, &["Mobile money nɔma", "<html lang=\"ak\""]);
    says(&asked("xx").await, &["<html lang=\"en-GH\""]);
    let french = AtPage { app: &app, path: format!("{}&lang=fr", payer.path), token: payer.token.clone() };
    says(&french.is_refused("phoneNumber=&network=", 422).await, &["<html lang=\"fr\""]);
    french.posts("check=").await;
}
