//! Sessions that end between the check of a request and its write, as when a link of `tua user
//! reset` is used then.

use tua_domain::{
    PasskeyId,
    people::{Passkey, Password, PasswordChange, PasswordHash, Role, Session},
    secret::SecretDigest,
};
use tua_test_support::{TestApp, dashboard::Browser, test_database};

/// A person's browser, and its session, which has ended.
async fn ended_session(app: &TestApp) -> (Browser, Session) {
    let owner = app.browser_of(&app.account("Adom Stores").await, Role::Owner).await;
    let store = &app.running().store;
    let session = store.session(owner.token.digest()).await.unwrap().unwrap();
    assert!(store.delete_session(&session.user, &session.id, &app.audit()).await.unwrap());
    (owner, session)
}

#[tokio::test]
async fn an_ended_session_changes_no_password_and_no_recovery_codes() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let (_, session) = ended_session(&app).await;
    test_database::execute(app.folder.path(), "UPDATE users SET password = 'of the enrolment'");
    let password = PasswordHash::of(&Password::new("correct horse battery").unwrap());
    let change = PasswordChange { password, kept: session.clone() };
    assert!(!store.change_password(change, &app.audit()).await.unwrap());
    assert_eq!(
        app.query_number("SELECT count(*) FROM users WHERE password = 'of the enrolment'"),
        1
    );
    let codes = vec![SecretDigest::of("code")];
    assert!(!store.replace_recovery_codes(&session, codes, &app.audit()).await.unwrap());
    assert_eq!(app.query_number("SELECT count(*) FROM recovery_codes"), 0);
    assert!(app.notices().await.is_empty(), "nothing has changed");
    let changes = "SELECT count(*) FROM audit_log WHERE action IN ('user.password_changed', \
        'user.codes_replaced')";
    assert_eq!(app.query_number(changes), 0);
}

#[tokio::test]
async fn an_ended_session_adds_no_passkey() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    let (owner, session) = ended_session(&app).await;
    let passkey = Passkey {
        id: PasskeyId::mint(),
        user: session.user.id.clone(),
        credential_id: vec![7],
        credential: "{}".to_owned(),
        device: "Firefox, Linux".to_owned(),
        created_at: session.created_at,
        used_at: None,
    };
    assert!(!store.add_passkey(passkey.clone(), &session, &app.audit()).await.unwrap());
    assert!(store.passkeys(&session.user.id).await.unwrap().is_empty());
    let begins = Some((session.clone(), app.audit()));
    assert!(
        !store
            .note_passkey(&passkey.id, "{}".to_owned(), session.created_at, begins)
            .await
            .unwrap()
    );
    assert!(store.session(owner.token.digest()).await.unwrap().is_none());
}
