//! Passkeys of people: added, used for a sign-in and for a proof, removed; and signatures that do
//! not count.

use super::software_passkey::{Asked, SoftwarePasskey};
use tua_domain::{
    AccountId,
    people::{Role, RoleChanger},
};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, cookie_token},
};

const SECURITY: &str = "/dashboard/security";

/// The origin to which browsers bind passkeys.
pub(super) fn passkey_origin(app: &TestApp) -> String {
    app.origin.replace("127.0.0.1", "localhost")
}

async fn owner_with_passkey(app: &TestApp) -> (AccountId, Browser, SoftwarePasskey) {
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let passkey = add_passkey(app, &owner).await;
    (account, owner, passkey)
}

pub(super) async fn add_passkey(app: &TestApp, browser: &Browser) -> SoftwarePasskey {
    let asked =
        Asked::on(&browser.post(&format!("{SECURITY}/passkeys/new"), &[]).await.is(200).text);
    let passkey = SoftwarePasskey::new(&passkey_origin(app), &asked);
    send(browser, &format!("{SECURITY}/passkeys"), &asked, &passkey.attest(&asked)).await.is(303);
    passkey
}

pub(super) async fn send(
    browser: &Browser,
    path: &str,
    asked: &Asked,
    credential: &str,
) -> Response {
    let fields = [
        ("challenge", &*asked.challenge),
        ("credential", credential),
        ("return", "/dashboard/security"),
    ];
    browser.post(path, &fields).await
}

async fn ask(browser: &Browser, path: &str) -> Asked {
    Asked::on(&browser.post(path, &[("return", "/dashboard/security")]).await.is(200).text)
}

async fn sign_in(browser: &Browser, asked: &Asked, credential: &str) -> Response {
    send(browser, "/dashboard/sign-in/passkey/finish", asked, credential).await
}

#[tokio::test]
async fn a_passkey_signs_in_and_proves() {
    let app = TestApp::start().await;
    let (_, owner, mut passkey) = owner_with_passkey(&app).await;
    let shown = owner.get(SECURITY).await.is(200).text;
    assert!(shown.contains("/remove") && !shown.contains("Last used"), "{shown}");

    let page = app.signed_out().post("/dashboard/sign-in/passkey", &[]).await.is(200);
    assert!(page.header("content-security-policy").contains("script-src 'self';"), "{page:?}");
    let asked = Asked::on(&page.text);
    assert_eq!(asked.options["userVerification"], "required");
    let done = sign_in(&app.signed_out(), &asked, &passkey.sign(&asked)).await.is(303);
    assert_eq!(done.header("location"), SECURITY);
    let browser = Browser { token: cookie_token(&done), ..app.signed_out() };
    assert!(browser.get(SECURITY).await.is(200).text.contains("Last used"));

    app.advance(6 * 60);
    let refused = browser.post(&format!("{SECURITY}/passkeys/new"), &[]).await.is(303);
    assert!(refused.header("location").starts_with("/dashboard/proof"), "{refused:?}");
    let asked = ask(&browser, "/dashboard/proof/passkey").await;
    let proven = send(&browser, "/dashboard/proof/passkey/finish", &asked, &passkey.sign(&asked))
        .await
        .is(303);
    let browser = Browser { token: cookie_token(&proven), ..browser };
    browser.post(&format!("{SECURITY}/passkeys/new"), &[]).await.is(200);
}

#[tokio::test]
async fn a_signature_counts_once_at_this_origin_and_with_the_person_recognised() {
    let app = TestApp::start().await;
    let (_, owner, mut passkey) = owner_with_passkey(&app).await;
    let stranger = app.signed_out();
    let begin = async || ask(&stranger, "/dashboard/sign-in/passkey").await;

    let first = begin().await;
    let signed = passkey.sign(&first);
    sign_in(&stranger, &first, &signed).await.is(303);
    sign_in(&stranger, &first, &signed).await.is(422);
    // Of another challenge.
    sign_in(&stranger, &begin().await, &signed).await.is(422);
    // With a counter that was seen: a copy of the passkey.
    passkey.counter = 0;
    let asked = begin().await;
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(422);
    passkey.counter = 9;
    passkey.is_user_verified = false;
    let asked = begin().await;
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(422);
    passkey.is_user_verified = true;
    let origin = std::mem::replace(&mut passkey.origin, "https://evil.example".to_owned());
    let asked = begin().await;
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(422);
    passkey.origin = origin;
    let asked = begin().await;
    app.advance(5 * 60);
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(422);
    for garbage in ["", "{}", "null", "\u{0}"] {
        sign_in(&stranger, &begin().await, garbage).await.is(422);
    }
    // The challenge of a session is none of a sign-in.
    let asked = ask(&owner, "/dashboard/proof/passkey").await;
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(422);
    let asked = begin().await;
    sign_in(&stranger, &asked, &passkey.sign(&asked)).await.is(303);
}

#[tokio::test]
async fn a_passkey_proves_only_its_own_person() {
    let app = TestApp::start().await;
    let (account, owner, mut passkey) = owner_with_passkey(&app).await;
    let viewer = app.browser_of(&account, Role::Viewer).await;
    let asked = ask(&viewer, "/dashboard/proof/passkey").await;
    send(&viewer, "/dashboard/proof/passkey/finish", &asked, &passkey.sign(&asked)).await.is(422);
    // Another person's challenge, and another person's passkey.
    let asked = ask(&owner, "/dashboard/proof/passkey").await;
    send(&viewer, "/dashboard/proof/passkey/finish", &asked, &passkey.sign(&asked)).await.is(422);
    add_passkey(&app, &owner).await;
    let shown = owner.get(SECURITY).await.text;
    let path = shown.split('"').find(|part| part.ends_with("/remove")).unwrap();
    viewer.post(path, &[]).await.is(404);
    owner.post(path, &[]).await.is(303);
    let asked = ask(&app.signed_out(), "/dashboard/sign-in/passkey").await;
    sign_in(&app.signed_out(), &asked, &passkey.sign(&asked)).await.is(422);
    let actions: Vec<String> = app
        .running()
        .store
        .audit_entries(0, 100)
        .await
        .unwrap()
        .into_iter()
        .map(|one| one.action.as_str().to_owned())
        .collect();
    assert!(actions.contains(&"passkey.added".to_owned()), "{actions:?}");
    assert_eq!(actions.last().map(String::as_str), Some("passkey.removed"));
}

#[tokio::test]
async fn one_credential_is_added_once_and_ends_with_the_person() {
    let app = TestApp::start().await;
    let (account, owner, mut passkey) = owner_with_passkey(&app).await;
    let viewer = app.browser_of(&account, Role::Viewer).await;
    let asked = ask(&viewer, &format!("{SECURITY}/passkeys/new")).await;
    assert!(
        asked.options["excludeCredentials"].as_array().is_none_or(Vec::is_empty),
        "{}",
        asked.options
    );
    let added = send(&viewer, &format!("{SECURITY}/passkeys"), &asked, &passkey.attest(&asked))
        .await
        .is(422);
    assert!(added.text.contains("This passkey was not added"), "{}", added.text);
    let asked = ask(&owner, &format!("{SECURITY}/passkeys/new")).await;
    assert_eq!(asked.options["excludeCredentials"].as_array().unwrap().len(), 1);

    let email = "owner@example.com".parse().unwrap();
    let store = &app.running().store;
    let second = "second@example.com".parse().unwrap();
    store
        .set_role(&second, &account, Role::Owner, &RoleChanger::CommandLine, &app.audit())
        .await
        .unwrap();
    store.remove_member(&email, &account, &RoleChanger::CommandLine, &app.audit()).await.unwrap();
    let asked = ask(&app.signed_out(), "/dashboard/sign-in/passkey").await;
    sign_in(&app.signed_out(), &asked, &passkey.sign(&asked)).await.is(422);
}

#[tokio::test]
async fn challenges_are_limited_by_address() {
    let app = TestApp::start().await;
    let stranger = app.signed_out();
    for _ in 0..50 {
        ask(&stranger, "/dashboard/sign-in/passkey").await;
    }
    let limited = stranger.post("/dashboard/sign-in/passkey", &[]).await.is(429);
    assert!(!limited.header("retry-after").is_empty());
}

#[tokio::test]
async fn a_person_is_told_about_passkeys_that_are_added_and_removed() {
    let app = TestApp::start().await;
    app.running().store.set_mail(true).await.unwrap();
    let (_, owner, _) = owner_with_passkey(&app).await;
    assert_eq!(app.notices().await, ["PASSKEY_ADDED"]);
    add_passkey(&app, &owner).await;
    let shown = owner.get(SECURITY).await.is(200).text;
    let id = shown
        .split("/passkeys/")
        .find(|part| part.contains("/remove"))
        .unwrap()
        .split('/')
        .next()
        .unwrap();
    owner.post(&format!("{SECURITY}/passkeys/{id}/remove"), &[]).await.is(303);
    assert_eq!(app.notices().await, ["PASSKEY_ADDED", "PASSKEY_ADDED", "PASSKEY_REMOVED"]);
}
