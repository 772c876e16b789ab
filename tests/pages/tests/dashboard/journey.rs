//! From the first set-up to a team, as a browser without script does it.

use reqwest::Method;
use tua_domain::{
    Mode,
    people::{OtherAccess, Role, RoleChanger},
};
use tua_test_support::{
    TestApp,
    dashboard::{Browser, cookie_token, page},
    enrolment::PASSWORD,
};
use tua_use_cases::Inviter;

#[tokio::test]
async fn the_first_person_sets_up_everything_and_the_link_works_once() {
    let app = TestApp::start().await;
    let first = app.running().enrolments.first_set_up(&app.audit()).await.unwrap().unwrap();
    let form = app.signed_out().get(&first).await.is(200);
    assert!(
        form.text.contains(r#"name="account""#) && form.text.contains("code.svg"),
        "{}",
        form.text
    );
    let image = app.signed_out().get(&format!("{first}/code.svg")).await.is(200);
    assert_eq!(image.header("content-type"), "image/svg+xml");
    let faults = app
        .signed_out()
        .post(&first, &[("name", "Esi"), ("password", "short"), ("code", "000000")])
        .await
        .is(422);
    for fault in ["email-fault", "account-fault", "password-fault", "code-fault"] {
        assert!(faults.text.contains(&format!(r#"id="{fault}""#)), "{fault}: {}", faults.text);
    }
    let code = app.code_of_link(&first, 0);
    let fields = [
        ("name", "Esi"),
        ("email", "Esi@example.com"),
        ("account", "Adom"),
        ("password", PASSWORD),
        ("code", &*code),
    ];
    let done = app.signed_out().post(&first, &fields).await.is(200);
    assert_eq!(done.text.matches("<li><code>").count(), 10, "{}", done.text);
    assert!(done.header("set-cookie").contains("HttpOnly; SameSite=Lax"), "{done:?}");
    let owner = Browser { token: cookie_token(&done), ..app.signed_out() };
    let home = owner.get("/dashboard").await.is(303);
    assert!(home.header("location").contains("/test/"), "{home:?}");
    app.signed_out().get(&first).await.is(404);
    app.signed_out().post(&first, &fields).await.is(404);
    assert!(app.running().enrolments.first_set_up(&app.audit()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_link_that_was_replaced_or_used_is_not_sent_any_more() {
    let app = TestApp::start().await;
    app.running().store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    let inviter = Inviter {
        changer: RoleChanger::CommandLine,
        other_access: OtherAccess::Undecided,
        language: None,
    };
    let email = "esi@example.com".parse().unwrap();
    let enrolments = &app.running().enrolments;
    let mut newest = String::new();
    for _ in 0..2 {
        let invited =
            enrolments.invite(&email, &account, Role::Owner, &inviter, &app.audit()).await;
        newest = invited.unwrap().unwrap();
        assert_eq!(
            app.query_number("SELECT count(*) FROM mail_messages WHERE kind = 'INVITATION'"),
            1
        );
    }
    let code = app.code_of_link(&newest, 0);
    app.signed_out()
        .post(&newest, &[("name", "Esi"), ("password", PASSWORD), ("code", &code)])
        .await
        .is(200);
    assert_eq!(app.query_number("SELECT count(*) FROM mail_messages WHERE kind = 'INVITATION'"), 0);
}

#[tokio::test]
async fn only_the_right_password_with_an_unused_code_signs_in() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (_, path, recovery) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    let stranger = app.signed_out();
    let sign_in = async |password: &str, code: &str| {
        let fields = [
            ("email", "\u{feff}ESI@exam\u{ad}ple.com\u{200b}"),
            ("password", password),
            ("code", code),
        ];
        stranger.post("/dashboard/sign-in", &fields).await
    };
    sign_in(PASSWORD, &app.code_of_link(&path, 0)).await.is(422);
    let next = app.code_of_link(&path, 30);
    sign_in("wrong horse battery", &next).await.is(422);
    let signed_in = sign_in(PASSWORD, &next).await.is(303);
    assert_eq!(signed_in.header("location"), "/dashboard");
    sign_in(PASSWORD, &next).await.is(422);
    let recovery_code = recovery.text.split("<code>").nth(1).unwrap().split('<').next().unwrap();
    sign_in(PASSWORD, recovery_code).await.is(303);
    sign_in(PASSWORD, recovery_code).await.is(422);
    let nobody = [("email", "nobody@example.com"), ("password", PASSWORD), ("code", "123456")];
    stranger.post("/dashboard/sign-in", &nobody).await.is(422);
    for _ in 0..4 {
        sign_in("wrong horse battery", "123456").await.is(422);
    }
    let limited = sign_in(PASSWORD, &app.code_of_link(&path, 30)).await.is(429);
    assert!(!limited.header("retry-after").is_empty(), "{limited:?}");
}

#[tokio::test]
async fn a_proof_renews_the_token_and_a_password_change_ends_other_sessions() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (browser, path, _) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    let other =
        app.browser_of_person(&"esi@example.com".parse().unwrap(), &account, Role::Owner).await;
    app.advance(600);
    let refused = browser
        .post("/dashboard/security/password", &[("password", "another long one")])
        .await
        .is(303);
    assert_eq!(refused.header("location"), "/dashboard/proof?return=%2Fdashboard%2Fsecurity");
    let code = app.code_of_link(&path, 0);
    let fields = [("password", PASSWORD), ("code", &*code), ("return", "/dashboard/security")];
    let proven = browser.post("/dashboard/proof", &fields).await.is(303);
    assert_eq!(proven.header("location"), "/dashboard/security");
    browser.get("/dashboard/security").await.is(303);
    let browser = Browser { token: cookie_token(&proven), ..browser };
    let security = browser.get("/dashboard/security").await.is(200);
    assert!(security.text.contains("10 codes are left"), "{}", security.text);
    other.get("/dashboard/security").await.is(200);
    browser.post("/dashboard/security/password", &[("password", "too short")]).await.is(422);
    let user = app
        .running()
        .store
        .user_by_email(&"esi@example.com".parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    let open_link = app.running().enrolments.reset(&user, &app.audit()).await.unwrap();
    browser.get(&open_link).await.is(200);
    let changed = browser
        .post("/dashboard/security/password", &[("password", "another long one")])
        .await
        .is(303);
    browser.get(&open_link).await.is(404);
    let shown = browser.get(changed.header("location")).await.is(200);
    assert!(
        shown.text.contains("Your passkeys, linked accounts and recovery codes still open"),
        "{}",
        shown.text
    );
    let signed_out = other.get("/dashboard/security").await.is(303);
    assert!(signed_out.header("location").starts_with("/dashboard/sign-in"), "{signed_out:?}");
    browser.post("/dashboard/security/recovery-codes", &[]).await.is(200);
}

#[tokio::test]
async fn the_last_owner_stays_and_who_is_removed_is_signed_out() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let (browser, ..) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    let store = &app.running().store;
    let esi = "esi@example.com".parse().unwrap();
    assert!(
        store.remove_member(&esi, &account, &RoleChanger::CommandLine, &app.audit()).await.is_err()
    );
    assert!(
        store
            .set_role(&esi, &account, Role::Viewer, &RoleChanger::CommandLine, &app.audit())
            .await
            .is_err()
    );
    store
        .set_role(
            &"kofi@example.com".parse().unwrap(),
            &account,
            Role::Owner,
            &RoleChanger::CommandLine,
            &app.audit(),
        )
        .await
        .unwrap();
    store.remove_member(&esi, &account, &RoleChanger::CommandLine, &app.audit()).await.unwrap();
    let request = browser.request(Method::GET, &page(&account, Mode::Test, "/people"));
    assert_eq!(request.send().await.unwrap().status(), 303);
    assert_eq!(app.query_number("SELECT count(*) FROM users WHERE email = 'esi@example.com'"), 0);
}

#[tokio::test]
async fn a_person_is_told_about_each_change_of_the_own_access_and_about_a_new_browser_once() {
    let app = TestApp::start().await;
    app.running().store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    let (browser, path, _) = app.enrolled("esi@example.com", &account, Role::Owner).await;
    assert_eq!(app.notices().await, ["ENROLLED"], "the browser of the enrolment is known");
    browser.post("/dashboard/security/password", &[("password", PASSWORD)]).await.is(303);
    let codes = browser.post("/dashboard/security/recovery-codes", &[]).await.is(200);
    let code = codes.text.split("<code>").nth(1).unwrap().split('<').next().unwrap();

    let fields = [("email", "esi@example.com"), ("password", PASSWORD), ("code", code)];
    let signed_in = app.signed_out().post("/dashboard/sign-in", &fields).await.is(303);
    let told = [
        "ENROLLED",
        "NEW_BROWSER",
        "PASSWORD_CHANGED",
        "RECOVERY_CODES_REPLACED",
        "RECOVERY_CODE_USED",
    ];
    assert_eq!(app.notices().await, told);
    let cookies = signed_in.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap());
    let known = cookies
        .filter_map(|one| one.split(';').next())
        .find(|one| one.starts_with("tua-browser="))
        .unwrap();
    let code = app.code_of_link(&path, 30);
    let body =
        format!("email=esi%40example.com&password={}&code={code}", PASSWORD.replace(' ', "+"));
    let again = app.http.post(format!("{}/dashboard/sign-in", app.origin)).header("cookie", known);
    let again = again
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(again.body(body).send().await.unwrap().status(), 303);
    assert_eq!(app.notices().await, told, "the browser is known now");
}
