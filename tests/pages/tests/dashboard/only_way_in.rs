//! The last way in: which passkeys of a person are not removed.

use super::{
    passkey_enrolment::enrolled_with_passkey, passkeys::add_passkey,
    sign_in_provider::SignInProvider,
};
use tua_oidc::OidcSettings;
use tua_test_support::{
    TestApp, dashboard::Browser, open_transaction::OpenTransaction, test_database,
};

const SECURITY: &str = "/dashboard/security";

/// The addresses that remove the passkeys of a person.
async fn removals(browser: &Browser) -> Vec<String> {
    let shown = browser.get(SECURITY).await.is(200).text;
    let addresses =
        shown.split('"').filter(|part| part.contains("/passkeys/") && part.ends_with("/remove"));
    addresses.map(str::to_owned).collect()
}

/// Links the only person to an identity at this provider, instead of an earlier one.
fn link_identity(app: &TestApp, issuer: &str) {
    let folder = app.folder.path();
    test_database::execute(folder, "DELETE FROM identities");
    let insert = format!(
        "INSERT INTO identities (id, user_id, issuer, subject, manages_roles, created_at)
         SELECT 'idn_1', id, '{issuer}', 'esi', 0, 0 FROM users"
    );
    assert_eq!(test_database::execute(folder, &insert), 1);
}

#[tokio::test]
async fn an_identity_is_a_way_in_only_at_the_provider_of_the_settings() {
    let provider = SignInProvider::start().await;
    let settings = OidcSettings::read(provider.settings("")).unwrap();
    let app = TestApp::with(|config| config.oidc = Some(settings), |operators| operators).await;
    let (_, _, browser, _) = enrolled_with_passkey(&app).await;
    let remove = removals(&browser).await.remove(0);
    link_identity(&app, "https://before.example");
    let refused = browser.post(&remove, &[]).await.is(422);
    assert!(refused.text.contains("your only way to sign in"), "{}", refused.text);
    link_identity(&app, &provider.issuer);
    browser.post(&remove, &[]).await.is(303);
}

#[tokio::test]
async fn without_a_provider_in_the_settings_no_identity_is_a_way_in() {
    let app = TestApp::start().await;
    let (_, _, browser, _) = enrolled_with_passkey(&app).await;
    link_identity(&app, "https://before.example");
    let remove = removals(&browser).await.remove(0);
    browser.post(&remove, &[]).await.is(422);
    assert_eq!(app.query_number("SELECT count(*) FROM passkeys"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_passkeys_that_are_removed_at_once_one_stays() {
    let app = TestApp::start().await;
    let (_, _, browser, _) = enrolled_with_passkey(&app).await;
    add_passkey(&app, &browser).await;
    let [one, other] = removals(&browser).await.try_into().unwrap();
    // Both requests begin before either has removed its passkey.
    let held = if test_database::is_sqlite() {
        None
    } else {
        Some(OpenTransaction::begin(&app, "SELECT id FROM passkeys FOR UPDATE").await)
    };
    let release = async {
        if let Some(held) = held {
            held.commit_when_waited_for(&app, 2).await;
        }
    };
    let (first, second, ()) =
        tokio::join!(browser.post(&one, &[]), browser.post(&other, &[]), release);
    let mut statuses = [first.status, second.status].map(|status| status.as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 422]);
    assert_eq!(app.query_number("SELECT count(*) FROM passkeys"), 1);
    assert_eq!(removals(&browser).await.len(), 1, "the person is still signed in");
}
