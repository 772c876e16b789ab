//! People who enrol or sign in for the first time on two nodes at once.

use futures_util::future::join_all;
use std::{collections::BTreeMap, net::Ipv4Addr};
use tua_domain::{
    Account, UserId,
    encrypted_secret::EncryptedSecret,
    people::{
        Device, Enrolment, EnrolmentLink, FirstPerson, Identity, IdentityClaims, NewCredential,
        NewPassword, PasswordChange, PasswordHash, Role, Session, SessionStart,
    },
    ports::Clock,
    secret::{SecretDigest, ServerKey},
};
use tua_test_support::{TestApp, open_transaction::OpenTransaction, test_database};

/// How many sign-ins of a person are sent at once.
const AT_ONCE: usize = 4;

fn start(app: &TestApp, token: &str) -> SessionStart {
    let device = Device {
        name: "Firefox on Linux".to_owned(),
        browser: SecretDigest::of(token),
        address: Some(Ipv4Addr::LOCALHOST.into()),
    };
    SessionStart {
        digest: SecretDigest::of(token),
        device,
        language: None,
        proven_at: app.clock.now(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_first_sign_ins_of_the_same_person_both_succeed() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    let by = app.audit();
    let roles = BTreeMap::from([(app.account("Adom Stores").await, Role::Viewer)]);
    for person in 0..10 {
        let identity = Identity {
            issuer: "https://login.example".to_owned(),
            subject: format!("person {person}"),
        };
        let claims = IdentityClaims {
            identity,
            email: Some(format!("person{person}@example.com").parse().unwrap()),
            name: None,
            groups: Vec::new(),
            authenticated_at: None,
        };
        let starts: Vec<_> =
            (0..AT_ONCE).map(|one| start(&app, &format!("{person} {one}"))).collect();
        let begun = join_all(
            starts.iter().map(|one| store.sign_in_with_identity(&claims, &roles, one, &by)),
        )
        .await;
        let people: Vec<UserId> = begun.into_iter().map(|one| one.unwrap().user.id).collect();
        assert!(people.iter().all(|one| *one == people[0]), "{people:?}");
    }
    assert_eq!(app.query_number("SELECT count(*) FROM users"), 10);
}

/// What the first person sets with a link.
fn enrolment(app: &TestApp, link: &EnrolmentLink, email: &str) -> Enrolment {
    let key = ServerKey::parse(&"A".repeat(43)).unwrap();
    Enrolment {
        link: link.digest,
        name: "Esi".to_owned(),
        first: Some(FirstPerson {
            email: email.parse().unwrap(),
            account: Some(Account::new("Adom Stores".to_owned(), app.clock.now())),
        }),
        credential: NewCredential::Password(NewPassword {
            password: PasswordHash::dummy(),
            totp: EncryptedSecret::encrypt_for(b"test", &key, "secret"),
            totp_step: 0,
        }),
        recovery: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_links_of_the_first_set_up_enrol_one_person() {
    if test_database::skip_on_sqlite("its writes are never concurrent") {
        return;
    }
    for _ in 0..5 {
        let app = TestApp::start().await;
        let store = &app.running().store;
        let by = app.audit();
        let links = [(); 2].map(|()| EnrolmentLink::generate(None, app.clock.now()).0);
        let added =
            join_all(links.iter().map(|link| store.add_link(link.clone(), None, &by))).await;
        assert!(added.into_iter().all(|one| one.is_ok()));
        assert_eq!(
            app.query_number("SELECT count(*) FROM enrolment_links"),
            1,
            "the later one replaces the other"
        );

        // Both links, as a node of another version may have left them.
        store.add_link(links[0].clone(), None, &by).await.unwrap();
        let digest: String = links[1].digest.0.iter().map(|byte| format!("{byte:02x}")).collect();
        app.query_number(&format!(
            "INSERT INTO enrolment_links (digest, user_id, expires_at)
             SELECT '\\x{digest}'::bytea, NULL, expires_at FROM enrolment_links RETURNING CAST(1 \
             AS BIGINT)"
        ));
        let forms = [
            enrolment(&app, &links[0], "esi@example.com"),
            enrolment(&app, &links[1], "kofi@example.com"),
        ];
        let enrolled = join_all(forms.into_iter().map(|form| store.enrol(form, &by))).await;
        let enrolled = enrolled.into_iter().filter(|one| one.as_ref().unwrap().is_some()).count();
        let counts = ["users", "accounts"]
            .map(|table| app.query_number(&format!("SELECT count(*) FROM {table}")));
        assert_eq!((enrolled, counts), (1, [1, 1]));
    }
}

/// Does this with a person's session while an enrolment has ended it, and is not committed yet.
async fn during_enrolment(app: &TestApp, change: impl AsyncFnOnce(Session) -> bool) -> bool {
    let owner = app.browser_of(&app.account("Adom Stores").await, Role::Owner).await;
    let session = app.running().store.session(owner.token.digest()).await.unwrap().unwrap();
    let enrol = "UPDATE users SET password = 'of the enrolment'; DELETE FROM dashboard_sessions";
    let enrolment = OpenTransaction::begin(app, enrol).await;
    tokio::join!(change(session), enrolment.commit_when_waited_for(app, 1)).0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_an_enrolment_ends_changes_nothing_of_it() {
    if test_database::skip_on_sqlite("its writes are never concurrent") {
        return;
    }
    let app = TestApp::start().await;
    let store = &app.running().store;
    let by = app.audit();
    let change_password = async |kept: Session| {
        let change = PasswordChange { password: PasswordHash::dummy(), kept };
        store.change_password(change, &by).await.unwrap()
    };
    assert!(!during_enrolment(&app, change_password).await);
    let kept = "SELECT count(*) FROM users WHERE password = 'of the enrolment'";
    assert_eq!(app.query_number(kept), 1);
    let replace_codes = async |session: Session| {
        store.replace_recovery_codes(&session, vec![SecretDigest::of("code")], &by).await.unwrap()
    };
    assert!(!during_enrolment(&app, replace_codes).await);
    assert_eq!(app.query_number("SELECT count(*) FROM recovery_codes"), 0);
}
