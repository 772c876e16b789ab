//! Enrolment with a passkey and no password: the way through, and responses that enrol nobody.

use super::{
    passkeys::{passkey_origin, send},
    software_passkey::{Asked, SoftwarePasskey},
};
use reqwest::Method;
use tua_config::Config;
use tua_domain::{
    AccountId,
    people::{OtherAccess, Role, RoleChanger},
    ports::Clock,
    public_url::PublicUrl,
};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, cookie_token},
};
use tua_use_cases::Inviter;

const SECURITY: &str = "/dashboard/security";
const EMAIL: &str = "esi@example.com";

async fn link_of(app: &TestApp, email: &str, account: &AccountId) -> String {
    let inviter = Inviter {
        changer: RoleChanger::CommandLine,
        other_access: OtherAccess::Undecided,
        language: None,
    };
    let enrolments = &app.running().enrolments;
    let link = enrolments
        .invite(&email.parse().unwrap(), account, Role::Owner, &inviter, &app.audit())
        .await;
    link.unwrap().unwrap()
}

async fn ask_for_passkey(app: &TestApp, link: &str) -> Asked {
    Asked::on(
        &app.signed_out().post(&format!("{link}/passkey"), &[("name", "Esi")]).await.is(200).text,
    )
}

async fn finish(app: &TestApp, link: &str, asked: &Asked, credential: &str) -> Response {
    let fields = [("name", "Esi"), ("challenge", &*asked.challenge), ("credential", credential)];
    app.signed_out().post(&format!("{link}/passkey/finish"), &fields).await
}

/// Enrols with a passkey. Returns the link, the passkey, the browser and the page with the
/// recovery codes.
pub(super) async fn enrolled_with_passkey(
    app: &TestApp,
) -> (String, SoftwarePasskey, Browser, Response) {
    let account = app.account("Adom Stores").await;
    let link = link_of(app, EMAIL, &account).await;
    let asked = ask_for_passkey(app, &link).await;
    let passkey = SoftwarePasskey::new(&passkey_origin(app), &asked);
    let done = finish(app, &link, &asked, &passkey.attest(&asked)).await.is(200);
    let browser = Browser { token: cookie_token(&done), ..app.signed_out() };
    (link, passkey, browser, done)
}

fn recovery_code(page: &Response) -> String {
    page.text.split("<code>").nth(1).unwrap().split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_enrols_signs_in_and_proves_with_a_passkey_alone() {
    let app = TestApp::start().await;
    app.running().store.set_mail(true).await.unwrap();
    let (link, mut passkey, browser, done) = enrolled_with_passkey(&app).await;
    assert_eq!(done.text.matches("<li><code>").count(), 10, "{}", done.text);
    assert!(
        done.text.contains("without a password") && done.text.contains("ask an owner of your shop"),
        "{}",
        done.text
    );
    assert_eq!(app.notices().await, ["ENROLLED"]);
    app.signed_out().get(&link).await.is(404);
    let shown = browser.get(SECURITY).await.is(200).text;
    assert!(shown.contains("Add a password") && !shown.contains("Change password"), "{shown}");
    browser
        .post(&format!("{SECURITY}/password"), &[("password", "correct horse battery")])
        .await
        .is(403);

    let asked =
        Asked::on(&app.signed_out().post("/dashboard/sign-in/passkey", &[]).await.is(200).text);
    let done =
        send(&app.signed_out(), "/dashboard/sign-in/passkey/finish", &asked, &passkey.sign(&asked))
            .await;
    let browser = Browser { token: cookie_token(&done.is(303)), ..app.signed_out() };
    app.advance(6 * 60);
    browser.post(&format!("{SECURITY}/recovery-codes"), &[]).await.is(303);
    let proof = browser.get("/dashboard/proof").await.is(200).text;
    assert!(!proof.contains(r#"name="password""#) && proof.contains("Recovery code"), "{proof}");
    let asked = Asked::on(&browser.post("/dashboard/proof/passkey", &[]).await.is(200).text);
    let done = send(&browser, "/dashboard/proof/passkey/finish", &asked, &passkey.sign(&asked))
        .await
        .is(303);
    let browser = Browser { token: cookie_token(&done), ..browser };
    browser.post(&format!("{SECURITY}/recovery-codes"), &[]).await.is(200);
}

#[tokio::test]
async fn a_recovery_code_signs_in_who_has_only_passkeys_and_lost_the_device() {
    let app = TestApp::start().await;
    let (_, _, _, done) = enrolled_with_passkey(&app).await;
    let code = recovery_code(&done);
    let sign_in = async |email: &str, password: &str| {
        let fields = [("email", email), ("password", password), ("code", &*code)];
        app.signed_out().post("/dashboard/sign-in", &fields).await
    };
    sign_in("nobody@example.com", "").await.is(422);
    sign_in(EMAIL, "correct horse battery").await.is(422);
    let done = sign_in(EMAIL, "").await.is(303);
    sign_in(EMAIL, "").await.is(422);
    let browser = Browser { token: cookie_token(&done), ..app.signed_out() };
    browser.post(&format!("{SECURITY}/passkeys/new"), &[]).await.is(200);
}

#[tokio::test]
async fn the_last_passkey_stays_until_there_is_a_password() {
    let app = TestApp::start().await;
    let (_, _, browser, done) = enrolled_with_passkey(&app).await;
    let shown = browser.get(SECURITY).await.is(200).text;
    let remove = shown.split('"').find(|part| part.ends_with("/remove")).unwrap();
    let refused = browser.post(remove, &[]).await.is(422);
    assert!(refused.text.contains("your only way to sign in"), "{}", refused.text);
    let path = format!("{SECURITY}/password/new");
    let wrong = browser.post(&path, &[("password", "short"), ("code", "000000")]).await.is(422);
    assert!(
        wrong.text.contains("password-fault") && wrong.text.contains("code-fault"),
        "{}",
        wrong.text
    );
    browser.get(&format!("{path}/code.svg")).await.is(200);
    let session = app.running().store.session(browser.token.digest()).await.unwrap().unwrap();
    let code = app.running().enrolments.totp_of(&session).code(app.test_clock.now()).unwrap();
    let fields = [("password", "correct horse battery"), ("code", &*code)];
    browser.post(&path, &fields).await.is(303);
    browser.post(&path, &fields).await.is(403);
    browser.post(remove, &[]).await.is(303);
    // With a password, a recovery code alone is not enough.
    let code = recovery_code(&done);
    let sign_in = async |password: &str| {
        let fields = [("email", EMAIL), ("password", password), ("code", &*code)];
        app.signed_out().post("/dashboard/sign-in", &fields).await
    };
    sign_in("").await.is(422);
    sign_in("correct horse battery").await.is(303);
}

#[tokio::test]
async fn only_a_new_passkey_of_this_origin_and_link_enrols() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let link = link_of(&app, EMAIL, &account).await;
    let other = link_of(&app, "yaw@example.com", &account).await;
    app.signed_out().post(&format!("{link}/passkey"), &[]).await.is(422);
    let asked = ask_for_passkey(&app, &link).await;
    let foreign = SoftwarePasskey::new("https://evil.example", &asked);
    finish(&app, &link, &asked, &foreign.attest(&asked)).await.is(422);
    // The challenge is used up.
    let passkey = SoftwarePasskey::new(&passkey_origin(&app), &asked);
    finish(&app, &link, &asked, &passkey.attest(&asked)).await.is(422);
    let of_other = ask_for_passkey(&app, &other).await;
    let passkey = SoftwarePasskey::new(&passkey_origin(&app), &of_other);
    finish(&app, &link, &of_other, &passkey.attest(&of_other)).await.is(422);
    for garbage in ["", "{}", "null"] {
        let asked = ask_for_passkey(&app, &link).await;
        finish(&app, &link, &asked, garbage).await.is(422);
    }
    let asked = ask_for_passkey(&app, &link).await;
    let late = SoftwarePasskey::new(&passkey_origin(&app), &asked);
    app.advance(5 * 60);
    finish(&app, &link, &asked, &late.attest(&asked)).await.is(422);

    // Two tabs: the first one that finishes uses up the link.
    let first = ask_for_passkey(&app, &link).await;
    let second = ask_for_passkey(&app, &link).await;
    let passkey = SoftwarePasskey::new(&passkey_origin(&app), &first);
    finish(&app, &link, &first, &passkey.attest(&first)).await.is(200);
    let late = SoftwarePasskey::new(&passkey_origin(&app), &second);
    finish(&app, &link, &second, &late.attest(&second)).await.is(404);
    assert_eq!(app.query_number("SELECT count(*) FROM passkeys"), 1);

    // A new link ends the old one; a challenge of the old one is none of the new one, although both
    // are of one person.
    let user = app.running().store.user_by_email(&EMAIL.parse().unwrap()).await.unwrap().unwrap();
    let reset = app.running().enrolments.reset(&user, &app.audit()).await.unwrap();
    let old = ask_for_passkey(&app, &reset).await;
    let renewed = app.running().enrolments.reset(&user, &app.audit()).await.unwrap();
    let made = SoftwarePasskey::new(&passkey_origin(&app), &old);
    finish(&app, &reset, &old, &made.attest(&old)).await.is(404);
    finish(&app, &renewed, &old, &made.attest(&old)).await.is(422);
    let asked = ask_for_passkey(&app, &renewed).await;
    let made = SoftwarePasskey::new(&passkey_origin(&app), &asked);
    finish(&app, &renewed, &asked, &made.attest(&asked)).await.is(200);
    assert_eq!(app.query_number("SELECT count(*) FROM passkeys"), 1, "the earlier passkey ended");
}

#[tokio::test]
async fn the_first_person_sets_up_everything_with_a_passkey() {
    let app = TestApp::start().await;
    let first = app.running().enrolments.first_set_up(&app.audit()).await.unwrap().unwrap();
    let person = [("name", "Esi"), ("email", EMAIL), ("account", "Adom")];
    let asked =
        Asked::on(&app.signed_out().post(&format!("{first}/passkey"), &person).await.is(200).text);
    let mut passkey = SoftwarePasskey::new(&passkey_origin(&app), &asked);
    let made = passkey.attest(&asked);
    let fields = [&person[..], &[("challenge", &asked.challenge), ("credential", &made)]].concat();
    app.signed_out().post(&format!("{first}/passkey/finish"), &fields).await.is(200);
    assert!(app.running().enrolments.first_set_up(&app.audit()).await.unwrap().is_none());
    let asked =
        Asked::on(&app.signed_out().post("/dashboard/sign-in/passkey", &[]).await.is(200).text);
    let signed = passkey.sign(&asked);
    send(&app.signed_out(), "/dashboard/sign-in/passkey/finish", &asked, &signed).await.is(303);
}

#[tokio::test]
async fn at_an_ip_address_the_page_says_why_there_are_no_passkeys_and_what_to_do() {
    let at_address =
        |config: &mut Config| config.public_url = PublicUrl::parse("http://192.0.2.7:8080");
    let app = TestApp::with(at_address, |operators| operators).await;
    let account = app.account("Adom Stores").await;
    let link = link_of(&app, EMAIL, &account).await;
    let stranger = app.signed_out();
    let request =
        |language| stranger.request(Method::GET, &link).header("accept-language", language).send();
    for (language, texts) in [
        (
            "en",
            ["not offered at this address", "Enrol with a password and a code", "(--public-url)"],
        ),
        (
            "fr",
            ["pas proposées", "Inscrivez-vous avec un mot de passe et un code", "(--public-url)"],
        ),
    ] {
        let shown = Response::read(request(language).await.unwrap()).await.is(200).text;
        assert!(texts.iter().all(|text| shown.contains(text)), "{shown}");
        assert!(!shown.contains("passkey-help"), "a button that could not work: {shown}");
    }
    stranger.post(&format!("{link}/passkey"), &[("name", "Esi")]).await.is(404);

    let enrolments = &app.running().enrolments;
    let open = enrolments.open(link.rsplit_once('/').unwrap().1).await.unwrap().unwrap();
    let code = open.totp.code(app.test_clock.now()).unwrap();
    let fields = [("name", "Esi"), ("password", "correct horse battery"), ("code", &*code)];
    let done = stranger.post(&link, &fields).await.is(200);
    let browser = Browser { token: cookie_token(&done), ..stranger };
    assert!(!browser.get(SECURITY).await.is(200).text.contains("/passkeys/new"));
}

#[tokio::test]
async fn a_page_at_another_name_leads_to_the_one_where_passkeys_work() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let link = link_of(&app, EMAIL, &account).await;
    let shown = app.signed_out().get(&link).await.is(200).text;
    assert!(shown.contains("passkey-help") && !shown.contains("--public-url"), "{shown}");
    // The browser refuses passkeys at the address of this test, and the script shows this text
    // then.
    let asks =
        app.signed_out().post(&format!("{link}/passkey"), &[("name", "Esi")]).await.is(200).text;
    let elsewhere =
        asks.split("id=\"elsewhere\" hidden>").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(elsewhere.contains("do not work at the address of this page"), "{elsewhere}");
    assert!(elsewhere.contains(&format!("href=\"{}{link}?", passkey_origin(&app))), "{elsewhere}");
}
