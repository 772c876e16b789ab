//! Sign-ins in the audit log: who, when, how, and with which device.

use tua_domain::{AccountId, Mode, people::Role};
use tua_test_support::{
    TestApp,
    dashboard::{Browser, cookie_token, page},
    enrolment::PASSWORD,
    eventually,
};

const EMAIL: &str = "ama@example.com";

/// Signs Ama in with the code of the link, so many seconds from now.
async fn sign_in(app: &TestApp, link: &str, password: &str, seconds: i64) -> u16 {
    let code = app.code_of_link(link, seconds);
    let fields = [("email", EMAIL), ("password", password), ("code", &*code)];
    app.signed_out().post("/dashboard/sign-in", &fields).await.status.as_u16()
}

async fn log(owner: &Browser, account: &AccountId, action: &str) -> String {
    let path = page(account, Mode::Test, &format!("/audit?action={action}"));
    owner.get(&path).await.is(200).text
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_see_who_signed_in_when_and_how() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let (_, link, _) = app.enrolled(EMAIL, &account, Role::Finance).await;
    let enrolled = log(&owner, &account, "session.begun").await;
    assert_eq!(enrolled.matches(">Signed in<br>").count(), 1, "{enrolled}");
    assert!(enrolled.contains(EMAIL) && enrolled.contains("With password and code"), "{enrolled}");

    // A browser without the cookie of the first one is a new device.
    assert_eq!(sign_in(&app, &link, PASSWORD, 30).await, 303);
    let new = log(&owner, &account, "session.begun_on_new_device").await;
    assert!(new.contains(">Signed in on a new device<br>") && new.contains(EMAIL), "{new}");
    let french = owner.request(reqwest::Method::GET, &page(&account, Mode::Test, "/audit"));
    let french = french.header("accept-language", "fr").send().await.unwrap().text().await.unwrap();
    assert!(french.contains(">Connexion avec un nouvel appareil<br>"), "{french}");
    assert!(french.contains("Avec mot de passe et code"), "{french}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_code_is_recorded_only_behind_the_right_password() {
    let app = TestApp::with_stopped_clock(|all| all).await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let (browser, link, _) = app.enrolled(EMAIL, &account, Role::Finance).await;
    let refused = "SELECT count(*) FROM audit_log WHERE action = 'session.code_refused'";
    let count = async |wanted: i64| {
        eventually("refused codes are recorded", async || app.query_number(refused) == wanted)
            .await;
    };
    assert_eq!(sign_in(&app, &link, "wrong horse battery", 30).await, 422);
    let unknown = [("email", "nobody@example.com"), ("password", PASSWORD), ("code", "123456")];
    app.signed_out().post("/dashboard/sign-in", &unknown).await.is(422);
    // The code of the enrolment was used.
    assert_eq!(sign_in(&app, &link, PASSWORD, 0).await, 422);
    count(1).await;
    let wrong = [("password", PASSWORD), ("code", "000000")];
    browser.post("/dashboard/proof", &wrong).await.is(422);
    count(2).await;
    // A recovery code alone proves nothing of somebody who has a password.
    let guessed = [("email", EMAIL), ("password", ""), ("code", "aaaa-aaaa-aaaa-aaaa")];
    app.signed_out().post("/dashboard/sign-in", &guessed).await.is(422);
    let shown = log(&owner, &account, "session.code_refused").await;
    assert_eq!(shown.matches(">Right password, wrong code<br>").count(), 2, "{shown}");
    assert!(shown.contains(EMAIL) && !shown.contains("000000"), "{shown}");
    let proven = app.code_of_link(&link, 30);
    let proven = browser
        .post("/dashboard/proof", &[("password", PASSWORD), ("code", &proven)])
        .await
        .is(303);
    assert!(!cookie_token(&proven).as_str().is_empty());
    count(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_of_others_are_for_their_own_accounts() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let other = app.account("Kasoa Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let (theirs, ..) = app.enrolled(EMAIL, &other, Role::Owner).await;
    let shown = log(&theirs, &other, "session.begun").await;
    assert!(shown.contains(">Signed in<br>") && shown.contains(EMAIL), "{shown}");
    let shown = log(&owner, &account, "session.begun").await;
    assert!(!shown.contains(EMAIL), "{shown}");
}
