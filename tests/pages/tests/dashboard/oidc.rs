//! People who sign in with a provider: by claims, by invitation and by a link.

use super::sign_in_provider::{SignInProvider, address};
use reqwest::{Method, header};
use serde_json::{Value, json};
use tua_domain::{
    AccountId,
    people::{OtherAccess, Role, RoleChanger, SessionToken},
    ports::Clock,
};
use tua_oidc::OidcSettings;
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, cookie_token},
    test_database,
};
use tua_use_cases::Inviter;

const CALLBACK: &str = "/dashboard/oidc/callback";
pub(super) const SECURITY: &str = "/dashboard/security";
const ACCOUNT: &str = "acc_00000000000000000000000000000001";

pub(super) struct Rig {
    pub(super) app: TestApp,
    pub(super) provider: SignInProvider,
    pub(super) account: AccountId,
}

/// A sign-in that has begun in a browser.
pub(super) struct Begun {
    browser: Browser,
    /// The cookie of the sign-in.
    cookie: String,
    pub(super) url: url::Url,
}

impl Rig {
    pub(super) async fn start() -> Self {
        let provider = SignInProvider::start().await;
        let mapping = |group: &str, role: &str| {
            format!("[[roles]]\ngroup = {group:?}\naccount = {ACCOUNT:?}\nrole = {role:?}\n")
        };
        let roles = mapping("heads", "admin")
            + &mapping("staff", "viewer")
            + "[[roles]]\ngroup = \"staff\"\n"
            + "account = \"acc_missing\"\nrole = \"owner\"\n";
        let settings = OidcSettings::read(provider.settings(&roles)).unwrap();
        let app = TestApp::with(|config| config.oidc = Some(settings), |operators| operators).await;
        let account = AccountId::new(ACCOUNT);
        app.account_with_id("Adom Stores", account.clone()).await;
        Self { app, provider, account }
    }

    pub(super) fn stranger(&self) -> Browser {
        Browser {
            origin: self.app.origin.clone(),
            http: self.app.http.clone(),
            token: SessionToken::new(""),
        }
    }

    pub(super) async fn begin(&self, browser: &Browser, path: &str) -> Begun {
        let shown = browser.post(path, &[("return", SECURITY)]).await.is(200);
        let cookie = shown.header("set-cookie").split(';').next().unwrap().to_owned();
        assert!(cookie.starts_with("tua-oidc="), "{shown:?}");
        Begun { browser: browser.clone(), cookie, url: address(&shown) }
    }

    /// A whole sign-in of a stranger's browser.
    pub(super) async fn sign_in(&self, claims: Value) -> Response {
        let begun = self.begin(&self.stranger(), "/dashboard/sign-in/oidc").await;
        let query = self.provider.approve(&begun.url, claims);
        begun.finish(&query).await
    }

    /// In seconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.app.test_clock.now().as_second()
    }

    pub(super) fn browser_with(&self, response: &Response) -> Browser {
        Browser { token: cookie_token(response), ..self.stranger() }
    }

    async fn actions(&self) -> Vec<String> {
        let entries = self.app.running().store.audit_entries(0, 100).await.unwrap();
        entries.into_iter().map(|one| one.action.as_str().to_owned()).collect()
    }

    async fn role_of(&self, email: &str) -> Option<Role> {
        let members = self.app.running().store.members(&self.account).await.unwrap();
        members.into_iter().find(|one| one.user.email.as_str() == email).map(|one| one.role)
    }
}

impl Begun {
    /// The browser comes back, with the cookie of the sign-in.
    pub(super) async fn finish(&self, query: &str) -> Response {
        self.finish_with(query, &self.cookie).await
    }

    pub(super) async fn finish_with(&self, query: &str, cookie: &str) -> Response {
        let browser = &self.browser;
        let cookies = format!("tua-session={}; {cookie}", browser.token.as_str());
        let request =
            browser.http.request(Method::GET, format!("{}{CALLBACK}?{query}", browser.origin));
        Response::read(request.header(header::COOKIE, cookies).send().await.unwrap()).await
    }
}

/// What the provider says about Ama, with these members added or replaced.
pub(super) fn ama(more: Value) -> Value {
    let mut claims = json!({
        "sub": "ama-1",
        "email": "Ama@example.com",
        "email_verified": true,
        "name": "Ama",
        "groups": ["staff"],
    });
    for (name, value) in more.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
}

#[tokio::test]
async fn where_people_sign_in_with_the_provider_no_link_makes_a_stranger_the_owner() {
    let rig = Rig::start().await;
    let enrolments = &rig.app.running().enrolments;
    let before = enrolments.first_set_up(&rig.app.audit()).await.unwrap().unwrap();
    rig.stranger().get(&before).await.is(200);
    rig.sign_in(ama(json!({}))).await.is(303);
    assert_eq!(enrolments.first_set_up(&rig.app.audit()).await.unwrap(), None);
    rig.stranger().get(&before).await.is(404);
}

#[tokio::test]
async fn people_who_come_by_claims_have_exactly_the_mapped_roles() {
    let rig = Rig::start().await;
    let done = rig.sign_in(ama(json!({}))).await.is(303);
    assert_eq!(done.header("location"), SECURITY);
    assert_eq!(rig.role_of("ama@example.com").await, Some(Role::Viewer));
    let browser = rig.browser_with(&done);
    let shown = browser.get(SECURITY).await.is(200).text;
    assert!(
        shown.contains("Adom &lt;ID&gt; decides your roles") && !shown.contains("/passkeys/new"),
        "{shown}"
    );
    // A sign-in is no fresh proof where the provider does not say when it asked for credentials.
    // And no passkey outlives what the provider says.
    assert!(
        browser
            .post(&format!("{SECURITY}/passkeys/new"), &[])
            .await
            .is(303)
            .header("location")
            .contains("/proof")
    );
    browser
        .post(&format!("{SECURITY}/password"), &[("password", "correct horse battery")])
        .await
        .is(403);

    rig.sign_in(ama(json!({ "groups": "heads", "email": "other@example.com" }))).await.is(303);
    assert_eq!(rig.role_of("ama@example.com").await, Some(Role::Admin));
    assert_eq!(rig.role_of("other@example.com").await, None);
    let owner = rig.app.browser_of(&rig.account, Role::Owner).await;
    let user = rig
        .app
        .running()
        .store
        .user_by_email(&"ama@example.com".parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    let path = format!("/dashboard/accounts/{ACCOUNT}/test/people/{}/role", user.id);
    let refused = owner.post_confirmed(&path, &[("role", "viewer")]).await.is(422);
    assert!(refused.text.contains("the sign-in provider decides the roles"), "{}", refused.text);

    browser.get(SECURITY).await.is(200);
    let gone = rig.sign_in(ama(json!({ "groups": ["strangers"] }))).await.is(403);
    assert!(gone.text.contains("You have no role here"), "{}", gone.text);
    assert_eq!(rig.role_of("ama@example.com").await, None);
    browser.get(SECURITY).await.is(303);
    let actions = rig.actions().await;
    for action in ["identity.linked", "role.set", "role.removed"] {
        assert!(actions.iter().any(|one| one == action), "{action}: {actions:?}");
    }
}

#[tokio::test]
async fn an_address_alone_links_nobody_and_a_fresh_session_does() {
    let rig = Rig::start().await;
    let email = "ama@example.com".parse().unwrap();
    let browser = rig.app.browser_of_person(&email, &rig.account, Role::Finance).await;
    let taken = rig.sign_in(ama(json!({}))).await.is(403);
    assert!(taken.text.contains("not linked yet"), "{}", taken.text);
    for claims in
        [json!({ "email_verified": false }), json!({ "email": null }), json!({ "email": "x" })]
    {
        let nameless = rig.sign_in(ama(claims)).await.is(403);
        assert!(nameless.text.contains("Your e-mail address is missing"), "{}", nameless.text);
    }

    let link = rig.begin(&browser, "/dashboard/security/identities").await;
    let query = rig.provider.approve(&link.url, ama(json!({ "groups": [], "email": null })));
    // Another session's browser does not end it.
    let other = rig.app.browser_of(&rig.account, Role::Owner).await;
    Begun { browser: other, cookie: link.cookie.clone(), url: link.url.clone() }
        .finish(&query)
        .await
        .is(400);
    let query = rig.provider.approve(&link.url, ama(json!({ "groups": [], "email": null })));
    link.finish(&query).await.is(303);
    let signed_in = rig.sign_in(ama(json!({ "groups": ["heads"], "email": null }))).await.is(303);
    assert_eq!(
        rig.role_of("ama@example.com").await,
        Some(Role::Finance),
        "linked people keep their roles"
    );

    // One identity is one person's, and a person has one of a provider.
    let owner = rig.app.browser_of(&rig.account, Role::Owner).await;
    let link = rig.begin(&owner, "/dashboard/security/identities").await;
    link.finish(&rig.provider.approve(&link.url, ama(json!({})))).await.is(403);
    let link = rig.begin(&browser, "/dashboard/security/identities").await;
    link.finish(&rig.provider.approve(&link.url, ama(json!({ "sub": "ama-2" })))).await.is(403);
    rig.app.advance(301);
    assert!(
        browser
            .post("/dashboard/security/identities", &[])
            .await
            .is(303)
            .header("location")
            .contains("/proof")
    );

    let out = rig.browser_with(&signed_in).post("/dashboard/sign-out", &[]).await.is(200);
    assert!(
        out.text.contains("sign-out?client_id=tua&amp;post_logout_redirect_uri="),
        "{}",
        out.text
    );
    assert!(out.header("set-cookie").contains("Max-Age=0"), "{out:?}");
}

#[tokio::test]
async fn an_invitation_is_used_with_the_provider_once() {
    let rig = Rig::start().await;
    let inviter = Inviter {
        changer: RoleChanger::CommandLine,
        other_access: OtherAccess::Undecided,
        language: None,
    };
    let enrolments = &rig.app.running().enrolments;
    let email = "kofi@example.com".parse().unwrap();
    let path = enrolments
        .invite(&email, &rig.account, Role::Owner, &inviter, &rig.app.audit())
        .await
        .unwrap()
        .unwrap();
    assert!(rig.stranger().get(&path).await.is(200).text.contains("Enrol with Adom &lt;ID&gt;"));
    let begun = rig.begin(&rig.stranger(), &format!("{path}/oidc")).await;
    let again = rig.begin(&rig.stranger(), &format!("{path}/oidc")).await;
    let now = rig.now();
    let kofi = || json!({ "sub": "kofi-1", "name": "Kofi", "groups": ["staff"], "auth_time": now });
    let done = begun.finish(&rig.provider.approve(&begun.url, kofi())).await.is(303);
    assert_eq!(
        rig.role_of("kofi@example.com").await,
        Some(Role::Owner),
        "an invitation decides the role"
    );
    let browser = rig.browser_with(&done);
    let shown = browser.get(SECURITY).await.is(200).text;
    assert!(!shown.contains("/security/password"), "{shown}");
    // It is the only way in.
    let remove = shown
        .split('"')
        .find(|part| part.ends_with("/remove") && part.contains("identities"))
        .unwrap();
    browser.post(remove, &[]).await.is(404);
    again.finish(&rig.provider.approve(&again.url, kofi())).await.is(404);
    rig.stranger().post(&format!("{path}/oidc"), &[]).await.is(404);

    // A link of `tua user reset` ends the identity, where a password is set with it.
    let user = rig.app.running().store.user_by_email(&email).await.unwrap().unwrap();
    assert!(user.needs_provider() && user.is_enrolled);
    let reset = enrolments.reset(&user, &rig.app.audit()).await.unwrap();
    let begun = rig.begin(&rig.stranger(), &format!("{reset}/oidc")).await;
    let other = json!({ "sub": "kofi-2", "groups": [] });
    begun.finish(&rig.provider.approve(&begun.url, other)).await.is(303);
    rig.sign_in(json!({ "sub": "kofi-1", "groups": [] })).await.is(403);
    browser.get(SECURITY).await.is(303);
}

/// Where the form of a person's page removes an identity.
fn removal(shown: &str) -> &str {
    let mut parts = shown.split('"');
    parts.find(|part| part.ends_with("/remove") && part.contains("identities")).unwrap()
}

#[tokio::test]
async fn an_identity_is_removed_by_its_own_person_alone_and_opens_nothing_afterwards() {
    let rig = Rig::start().await;
    let claims = || ama(json!({ "groups": [], "email": null }));
    let (browser, ..) = rig.app.enrolled("ama@example.com", &rig.account, Role::Finance).await;
    let link = rig.begin(&browser, "/dashboard/security/identities").await;
    link.finish(&rig.provider.approve(&link.url, claims())).await.is(303);
    let shown = browser.get(SECURITY).await.is(200).text;
    // Another person, who has a password too.
    let (other, ..) = rig.app.enrolled("esi@example.com", &rig.account, Role::Owner).await;
    other.post(removal(&shown), &[]).await.is(404);
    rig.sign_in(claims()).await.is(303);
    browser.post(removal(&shown), &[]).await.is(303);
    rig.sign_in(claims()).await.is(403);
    assert!(rig.actions().await.iter().any(|one| one == "identity.removed"));

    // The provider decides the roles of who came by claims: with a password, too, that one stays.
    let kofi = json!({ "sub": "kofi-1", "email": "kofi@example.com", "auth_time": rig.now() });
    let done = rig.sign_in(ama(kofi)).await.is(303);
    let managed = rig.browser_with(&done);
    let password = "UPDATE users SET password = 'x' WHERE email = 'kofi@example.com'";
    assert_eq!(test_database::execute(rig.app.folder.path(), password), 1);
    let shown = managed.get(SECURITY).await.is(200).text;
    managed.post(removal(&shown), &[]).await.is(404);
}
