//! Who may see and change the mail server of an account.

use tua_domain::{Mode, people::Role};
use tua_test_support::{TestApp, dashboard::page};

const FORM: [(&str, &str); 7] = [
    ("host", "smtp.example.com"),
    ("port", "587"),
    ("encryption", "starttls"),
    ("user", "shop"),
    ("credential.password", "hunter2"),
    ("from-address", "pay@shop.example"),
    ("from-name", "Adom Stores"),
];

#[tokio::test(flavor = "multi_thread")]
async fn only_owners_see_store_test_and_remove_it() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let path = page(&account, Mode::Live, "/settings/mail");
    let test = format!("{path}/test");
    let remove = format!("{path}/remove");
    let settings = page(&account, Mode::Live, "/settings");
    let form_of = |version| [&[("version", version)][..], &FORM].concat();
    owner.post(&path, &form_of("0")).await.is(303);
    let version = [("version", "1")];
    for role in Role::ALL.iter().copied().filter(|role| *role != Role::Owner) {
        let person = app.browser_of(&account, role).await;
        person.get(&path).await.is(403);
        person.post(&path, &form_of("1")).await.is(403);
        person.post(&test, &version).await.is(403);
        person.post_confirmed(&remove, &version).await.is(403);
        let shown = person.get(&settings).await.text;
        assert!(!shown.contains("/settings/mail"), "{role:?}: {shown}");
    }
    let stored = app.running().store.mail_server(&account).await.unwrap();
    assert_eq!(stored.version, 1, "nobody has changed it");
    assert!(owner.get(&settings).await.is(200).text.contains("/settings/mail"));
    owner.post_confirmed(&remove, &version).await.is(303);
}
