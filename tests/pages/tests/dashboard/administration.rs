//! People, keys, audit log and settings, as an owner uses them.

use tua_domain::{
    AccountId, Mode,
    people::{Role, RoleChanger, StaffEmail},
};
use tua_test_support::{
    ApiClient, TestApp,
    dashboard::{Browser, page},
};

/// The secret that a page shows once.
#[track_caller]
pub fn shown(text: &str) -> String {
    let found = text.split(r#"<p class="secret">"#).nth(1).and_then(|rest| rest.split('<').next());
    found.unwrap_or_else(|| panic!("no secret: {text}")).to_owned()
}

async fn owner() -> (TestApp, AccountId, Browser) {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    (app, account, owner)
}

#[tokio::test]
async fn an_owner_invites_and_only_an_owner_makes_owners() {
    let (app, account, owner) = owner().await;
    let people = page(&account, Mode::Test, "/people");
    let invited = owner
        .post(&format!("{people}/invite"), &[("email", "kofi@example.com"), ("role", "admin")])
        .await;
    let link = shown(&invited.is(200).text);
    // On loopback over HTTP.
    let origin = app.origin.replace("127.0.0.1", "localhost");
    assert!(link.starts_with(&format!("{origin}/dashboard/enrol/")), "{link}");
    owner.get(link.strip_prefix(&origin).unwrap()).await.is(200);
    owner
        .post(&format!("{people}/invite"), &[("email", "<script>"), ("role", "admin")])
        .await
        .is(422);

    let kofi: StaffEmail = "kofi@example.com".parse().unwrap();
    let admin = app.browser_of_person(&kofi, &account, Role::Admin).await;
    admin
        .post(&format!("{people}/invite"), &[("email", "a@example.com"), ("role", "owner")])
        .await
        .is(403);
    admin
        .post(&format!("{people}/invite"), &[("email", "owner@example.com"), ("role", "viewer")])
        .await
        .is(403);
    let members = app.running().store.members(&account).await.unwrap();
    let id = |role| members.iter().find(|one| one.role == role).unwrap().user.id.clone();
    admin.post(&format!("{people}/{}/remove", id(Role::Owner)), &[]).await.is(403);
    admin.post(&format!("{people}/{}/role", id(Role::Admin)), &[("role", "owner")]).await.is(403);
    let last =
        owner.post_confirmed(&format!("{people}/{}/remove", id(Role::Owner)), &[]).await.is(422);
    assert!(last.text.contains("at least one owner"), "{}", last.text);

    let change = format!("{people}/{}/role", id(Role::Admin));
    let question = owner.post(&change, &[("role", "viewer")]).await.is(200).text;
    assert!(question.contains("Give kofi@example.com the role Viewer?"), "{question}");
    owner.post_confirmed(&change, &[("role", "viewer")]).await.is(303);
    admin.get(&people).await.is(403);
    owner.post_confirmed(&format!("{people}/{}/remove", id(Role::Admin)), &[]).await.is(303);
    admin.get(&people).await.is(303);
    app.advance(301);
    let stale = owner
        .post(&format!("{people}/invite"), &[("email", "b@example.com"), ("role", "viewer")])
        .await
        .is(303);
    assert!(stale.header("location").starts_with("/dashboard/proof?return="), "{stale:?}");
}

#[tokio::test]
async fn a_key_works_from_its_creation_to_its_revocation() {
    let (app, account, owner) = owner().await;
    let keys = page(&account, Mode::Test, "/keys");
    owner.post(&format!("{keys}/create"), &[("name", "shop")]).await.is(422);
    let fields = [("name", "<b>shop</b>"), ("scope", "collect"), ("scope", "read")];
    let created = owner.post(&format!("{keys}/create"), &fields).await.is(200);
    let client: ApiClient = app.actor(&shown(&created.text));
    client.get("/v1/transactions").await.is(200);
    let listed = owner.get(&keys).await.is(200);
    assert!(
        listed.text.contains("&lt;b&gt;shop&lt;") && !listed.text.contains(&client.credential),
        "{}",
        listed.text
    );
    let live = owner.get(&page(&account, Mode::Live, "/keys")).await.is(200);
    assert!(
        !live.text.contains("&lt;b&gt;shop"),
        "a page shows the keys of its mode: {}",
        live.text
    );
    let key = app.running().store.keys(Some(&account)).await.unwrap().remove(0);
    owner
        .post(&format!("{}/{}/revoke", page(&account, Mode::Live, "/keys"), key.id), &[])
        .await
        .is(404);
    owner.post_confirmed(&format!("{keys}/{}/revoke", key.id), &[]).await.is(303);
    client.get("/v1/transactions").await.is(401);
}

#[tokio::test]
async fn a_replaced_key_works_until_its_overlap_ends() {
    let (app, account, owner) = owner().await;
    let keys = page(&account, Mode::Test, "/keys");
    let fields = [("name", "shop"), ("scope", "collect"), ("scope", "read")];
    let created = owner.post(&format!("{keys}/create"), &fields).await.is(200);
    let old: ApiClient = app.actor(&shown(&created.text));
    let id = app.running().store.keys(Some(&account)).await.unwrap().remove(0).id;
    let rotate = format!("{keys}/{id}/rotate");

    let live = page(&account, Mode::Live, "/keys");
    owner.post(&format!("{live}/{id}/rotate"), &[("overlap", "24")]).await.is(404);
    for overlap in ["", "0", "2", "9999999999999999999"] {
        let asked = owner.post(&rotate, &[("overlap", overlap)]).await.is(200);
        assert!(asked.text.contains("name=\"overlap\""), "{overlap}: {}", asked.text);
    }
    assert_eq!(app.query_number("SELECT count(*) FROM api_keys"), 1);

    let rotated = owner.post(&rotate, &[("overlap", "1")]).await.is(200);
    let new: ApiClient = app.actor(&shown(&rotated.text));
    assert_ne!(new.credential, old.credential);
    old.get("/v1/transactions").await.is(200);
    new.get("/v1/transactions").await.is(200);
    let keys = app.running().store.keys(Some(&account)).await.unwrap();
    assert_eq!(keys[0].scopes, keys[1].scopes);
    assert_eq!(keys[0].name, keys[1].name);
    app.advance(3600);
    old.get("/v1/transactions").await.is(401);
    new.get("/v1/transactions").await.is(200);
    let later = app.browser_of(&account, Role::Owner).await;
    let ended = later.post(&rotate, &[("overlap", "1")]).await.is(422);
    assert!(ended.text.contains("cannot be replaced"), "{}", ended.text);
}

#[tokio::test]
async fn who_may_not_decide_about_payouts_makes_no_key_that_pays() {
    let (app, account, _) = owner().await;
    let developer = app.browser_of(&account, Role::Developer).await;
    let keys = page(&account, Mode::Live, "/keys");
    let shown = developer.get(&keys).await.is(200);
    assert!(
        shown.text.contains(r#"value="collect""#) && !shown.text.contains(r#"value="payout""#),
        "{}",
        shown.text
    );
    for scope in ["payout", "refund"] {
        let fields = [("name", "shop"), ("scope", "collect"), ("scope", scope)];
        developer.post(&format!("{keys}/create"), &fields).await.is(403);
    }
    assert_eq!(app.query_number("SELECT count(*) FROM api_keys"), 0);
}

#[tokio::test]
async fn the_audit_log_of_an_account_has_no_roles_of_its_people_elsewhere() {
    let (app, account, owner) = owner().await;
    let foreign = app.account("Other shop").await;
    let kofi: StaffEmail = "kofi@example.com".parse().unwrap();
    for account in [&account, &foreign] {
        let by = app.audit();
        let set = app.running().store.set_role(
            &kofi,
            account,
            Role::Viewer,
            &RoleChanger::CommandLine,
            &by,
        );
        set.await.unwrap();
    }
    let log = owner.get(&page(&account, Mode::Test, "/audit?before=nothing")).await.is(200);
    assert!(
        log.text.contains("kofi@example.com") && !log.text.contains(foreign.as_str()),
        "{}",
        log.text
    );
}

#[tokio::test]
async fn the_audit_log_names_who_changed_what_and_shows_the_own_account_only() {
    let (app, account, owner) = owner().await;
    let foreign = app.account("Other shop").await;
    let settings = page(&account, Mode::Test, "/settings");
    let limits = |limit| [("limit", limit), ("daily-limit", ""), ("approval-above", "20")];
    owner.post(&format!("{settings}/payouts"), &limits("ten")).await.is(422);
    owner.post(&format!("{settings}/payouts"), &limits("10.50")).await.is(303);
    owner.post(&format!("{settings}/name"), &[("name", "")]).await.is(422);
    owner.post(&format!("{settings}/name"), &[("name", "Adom & Daughters")]).await.is(303);
    let shown = owner.get(&settings).await.is(200);
    assert!(shown.text.contains("may be erased as soon as the payment is final"), "{}", shown.text);
    let live = owner.get(&page(&account, Mode::Live, "/settings")).await.is(200).text;
    assert!(live.contains("may be erased 7 years after"), "{live}");
    assert!(
        shown.text.contains(r#"value="10.5""#) && shown.text.contains("Adom &amp; Daughters"),
        "{}",
        shown.text
    );

    let audit = page(&account, Mode::Test, "/audit");
    let log = owner.get(&audit).await.is(200);
    assert!(log.text.contains("owner@example.com (127.0.0.1)"), "{}", log.text);
    assert!(
        log.text.contains("<code>payout_limits.changed</code>")
            && !log.text.contains(foreign.as_str()),
        "{}",
        log.text
    );
    let folded = log.text.split("<details>").nth(1).unwrap();
    assert!(folded.contains("Dashboard: owner@example.com (127.0.0.1)"), "{}", log.text);
    let filtered = owner.get(&format!("{audit}?action=account.renamed")).await.is(200);
    assert!(!filtered.text.contains("<code>payout_limits.changed</code>"), "{}", filtered.text);
    let verified = owner.post(&format!("{audit}/verify"), &[]).await.is(200);
    assert!(verified.text.contains("The log is unbroken"), "{}", verified.text);
    app.running()
        .store
        .set_role(
            &"owner@example.com".parse().unwrap(),
            &foreign,
            Role::Owner,
            &RoleChanger::CommandLine,
            &app.audit(),
        )
        .await
        .unwrap();
    let all = owner.get(&audit).await.is(200);
    assert!(
        all.text.contains(foreign.as_str()),
        "an owner of every account sees every entry: {}",
        all.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_a_person_ends_is_in_the_audit_log() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let lost = app.browser_of(&account, Role::Owner).await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let listed = owner.get("/dashboard/security").await.is(200).text;
    let forms = listed.split("/dashboard/security/sessions/").skip(1);
    let others: Vec<&str> =
        forms.filter(|form| form.contains("<button class=\"danger\">")).collect();
    let [form] = others[..] else { panic!("the other session alone can be ended: {listed}") };
    let (ended, _) = form.split_once("/end").unwrap();
    let end = format!("/dashboard/security/sessions/{ended}/end");
    let done = owner.post(&end, &[]).await.is(303).header("location").to_owned();
    let shown = owner.get(&done).await.is(200).text;
    assert!(shown.contains("That session has ended"), "{shown}");
    lost.get("/dashboard/security").await.is(303);
    let log = app.running().store.audit_entries(0, 100).await.unwrap();
    let entry = log.iter().find(|entry| entry.action == "session.ended").unwrap();
    assert!(entry.before.as_ref().is_some_and(|before| before.contains(ended)), "{entry:?}");
    let missing = owner.post(&format!("/dashboard/security/sessions/{ended}/end"), &[]).await;
    assert_eq!(missing.status, 404);
    let log = app.running().store.audit_entries(0, 100).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.action == "session.ended").count(), 1);
}
