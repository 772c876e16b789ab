//! People of several accounts: whom a link makes whom, and what one shop learns of the people of
//! another.

use super::administration::shown;
use tua_domain::{
    AccountId, Mode,
    people::{Membership, Role, RoleChanger, StaffEmail},
};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, cookie_token, page},
    enrolment::PASSWORD,
    eventually,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
};

/// Two shops on one service.
struct Shops {
    app: TestApp,
    here: AccountId,
    there: AccountId,
}

impl Shops {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let here = app.account("Adom Stores").await;
        let there = app.account("Other shop").await;
        Self { app, here, there }
    }

    /// A person with a role in both shops.
    async fn browser_of_both(&self, email: &str, here: Role, there: Role) -> Browser {
        let email: StaffEmail = email.parse().unwrap();
        self.app.browser_of_person(&email, &self.there, there).await;
        self.app.browser_of_person(&email, &self.here, here).await
    }

    /// An owner of a shop, who was invited in the dashboard of that shop.
    async fn invited_owner(&self, account: &AccountId, email: &str) -> Membership {
        let owner = self.app.browser_of(account, Role::Owner).await;
        self.invite(&owner, account, &[("email", email), ("role", "owner")]).await.is(200);
        self.member(account, email).await.unwrap()
    }

    async fn invite(
        &self,
        browser: &Browser,
        account: &AccountId,
        fields: &[(&str, &str)],
    ) -> Response {
        browser.post(&page(account, Mode::Test, "/people/invite"), fields).await
    }

    async fn member(&self, account: &AccountId, email: &str) -> Option<Membership> {
        let members = self.app.running().store.members(account).await.unwrap();
        members.into_iter().find(|one| one.user.email.as_str() == email)
    }

    /// Enrols with the link on a page.
    async fn enrol(&self, invited: &Response) -> Browser {
        let link = shown(&invited.text);
        let path = &link[link.find("/dashboard/enrol/").unwrap()..];
        let code = self.app.code_of_link(path, 0);
        let fields = [("name", "Esi"), ("password", PASSWORD), ("code", &*code)];
        let done = self.app.signed_out().post(path, &fields).await.is(200);
        Browser { token: cookie_token(&done), ..self.app.signed_out() }
    }

    async fn status(&self, browser: &Browser, account: &AccountId) -> u16 {
        browser.get(&page(account, Mode::Live, "/home")).await.status.as_u16()
    }
}

#[tokio::test]
async fn an_admin_of_two_accounts_becomes_owner_of_none_by_an_invitation() {
    let shops = Shops::start().await;
    let admin = shops.browser_of_both("kofi@example.com", Role::Admin, Role::Admin).await;
    let owner = shops.invited_owner(&shops.there, "ama@example.com").await;
    let invited = shops
        .invite(&admin, &shops.here, &[("email", "ama@example.com"), ("role", "viewer")])
        .await
        .is(200);
    let browser = shops.enrol(&invited).await;
    assert_eq!(shops.status(&browser, &shops.here).await, 200);
    assert_eq!(
        shops.status(&browser, &shops.there).await,
        404,
        "the link opens the inviter's account alone"
    );
    let still = shops.member(&shops.there, "ama@example.com").await.unwrap();
    assert!(still.user.id == owner.user.id && !still.user.is_enrolled, "{still:?}");

    // As an owner of both it is the same hand.
    let both = shops.browser_of_both("esi@example.com", Role::Owner, Role::Owner).await;
    let invited = shops
        .invite(&both, &shops.there, &[("email", "yaw@example.com"), ("role", "owner")])
        .await
        .is(200);
    let again = shops
        .invite(&both, &shops.here, &[("email", "yaw@example.com"), ("role", "viewer")])
        .await
        .is(200);
    assert_ne!(shown(&invited.text), shown(&again.text));
    let browser = shops.enrol(&again).await;
    assert_eq!(shops.status(&browser, &shops.there).await, 200);
}

#[tokio::test]
async fn a_link_ends_when_its_person_gets_another_role() {
    let shops = Shops::start().await;
    let owner = shops.app.browser_of(&shops.here, Role::Owner).await;
    let admin = shops.app.browser_of(&shops.here, Role::Admin).await;
    let invited = shops
        .invite(&admin, &shops.here, &[("email", "ama@example.com"), ("role", "viewer")])
        .await
        .is(200);
    let link = shown(&invited.text);
    let path = &link[link.find("/dashboard/enrol/").unwrap()..];
    shops.app.signed_out().get(path).await.is(200);
    let member = shops.member(&shops.here, "ama@example.com").await.unwrap();
    let role = page(&shops.here, Mode::Test, &format!("/people/{}/role", member.user.id));
    let changed = owner.post_confirmed(&role, &[("role", "owner")]).await.is(303);
    assert!(changed.header("location").ends_with("/people?done=link-ended"), "{changed:?}");
    shops.app.signed_out().get(path).await.is(404);
    // And only an owner invites an owner again.
    shops
        .invite(&admin, &shops.here, &[("email", "ama@example.com"), ("role", "owner")])
        .await
        .is(403);
    shops
        .invite(&owner, &shops.here, &[("email", "ama@example.com"), ("role", "owner")])
        .await
        .is(200);
}

#[tokio::test]
async fn no_shop_learns_of_the_people_of_another_or_blocks_an_address() {
    let shops = Shops::start().await;
    let owner = shops
        .app
        .browser_of_person(&"ama@example.com".parse().unwrap(), &shops.here, Role::Owner)
        .await;
    let (theirs, ..) =
        shops.app.enrolled("enrolled@example.com", &shops.there, Role::Finance).await;
    shops.invited_owner(&shops.there, "waiting@example.com").await;
    let mut pages = Vec::new();
    for email in ["enrolled@example.com", "waiting@example.com", "nobody@example.com"] {
        let fields = [("email", email), ("role", "finance")];
        shops.invite(&owner, &shops.here, &fields).await.is(200);
        let invited = shops.invite(&owner, &shops.here, &fields).await.is(200);
        let member = shops.member(&shops.here, email).await.unwrap();
        let link = shown(&invited.text);
        let id = member.user.id.as_str();
        pages.push(invited.text.replace(&link, "LINK").replace(id, "ID").replace(email, "EMAIL"));
        let browser = shops.enrol(&invited).await;
        assert_eq!(
            (shops.status(&browser, &shops.here).await, shops.status(&browser, &shops.there).await),
            (200, 404)
        );
        owner
            .post_confirmed(&page(&shops.here, Mode::Test, &format!("/people/{id}/remove")), &[])
            .await
            .is(303);
    }
    assert_eq!(pages[0], pages[2], "of an address that has enrolled there");
    assert_eq!(pages[1], pages[2], "of an address that was invited there");
    assert_eq!(
        shops.status(&theirs, &shops.there).await,
        200,
        "who was there before has the access still"
    );
    assert_eq!(shops.status(&theirs, &shops.here).await, 404);
}

#[tokio::test]
async fn two_people_with_one_address_sign_in_each_to_the_own_account() {
    let shops = Shops::start().await;
    let (_, path_there, _) = shops.app.enrolled("cfo@example.com", &shops.there, Role::Owner).await;
    let owner = shops.app.browser_of(&shops.here, Role::Owner).await;
    let invited = shops
        .invite(&owner, &shops.here, &[("email", "cfo@example.com"), ("role", "owner")])
        .await
        .is(200);
    let link = shown(&invited.text);
    let path_here = &link[link.find("/dashboard/enrol/").unwrap()..];
    let code = shops.app.code_of_link(path_here, 0);
    let fields = [("name", "Esi"), ("password", "another long password"), ("code", &*code)];
    shops.app.signed_out().post(path_here, &fields).await.is(200);
    let salts =
        "SELECT count(DISTINCT substr(password, 1, 53)) FROM users WHERE password IS NOT NULL";
    assert_eq!(
        shops.app.query_number(salts),
        1,
        "a sign-in takes as long for two people as for one"
    );
    for (path, password, own, other) in [
        (path_there.as_str(), PASSWORD, &shops.there, &shops.here),
        (path_here, "another long password", &shops.here, &shops.there),
    ] {
        let code = shops.app.code_of_link(path, 30);
        let fields = [("email", "cfo@example.com"), ("password", password), ("code", &*code)];
        let signed_in = shops.app.signed_out().post("/dashboard/sign-in", &fields).await.is(303);
        let browser = Browser { token: cookie_token(&signed_in), ..shops.app.signed_out() };
        assert_eq!(
            (shops.status(&browser, own).await, shops.status(&browser, other).await),
            (200, 404)
        );
        // The password of one with the code of the other.
        let wrong = if password == PASSWORD { path_here } else { path_there.as_str() };
        let code = shops.app.code_of_link(wrong, 30);
        let fields = [("email", "cfo@example.com"), ("password", password), ("code", &*code)];
        shops.app.signed_out().post("/dashboard/sign-in", &fields).await.is(422);
    }
}

#[tokio::test]
async fn who_manages_both_accounts_is_asked_whether_it_is_the_same_person() {
    let shops = Shops::start().await;
    let both = shops.browser_of_both("esi@example.com", Role::Owner, Role::Owner).await;
    let (theirs, ..) = shops.app.enrolled("cfo@example.com", &shops.there, Role::Finance).await;
    let fields = [("email", "cfo@example.com"), ("role", "finance")];
    let asked = shops.invite(&both, &shops.here, &fields).await.is(422);
    assert!(
        asked.text.contains("Is it the same person?") && asked.text.contains("<li>Other shop: "),
        "{}",
        asked.text
    );
    assert!(
        !asked.text.contains("/enrol/")
            && shops.member(&shops.here, "cfo@example.com").await.is_none()
    );
    let apart = [fields[0], fields[1], ("elsewhere", "apart")];
    let apart = shops.invite(&both, &shops.here, &apart).await.is(200);
    assert_eq!(shops.status(&shops.enrol(&apart).await, &shops.there).await, 404);
    let member = shops.member(&shops.here, "cfo@example.com").await.unwrap();
    let remove = format!("/people/{}/remove", member.user.id);
    both.post_confirmed(&page(&shops.here, Mode::Test, &remove), &[]).await.is(303);
    let join = [fields[0], fields[1], ("elsewhere", "join")];
    let joined = shops.invite(&both, &shops.here, &join).await.is(200);
    assert!(
        joined.text.contains("can open this account now") && !joined.text.contains("/enrol/"),
        "{}",
        joined.text
    );
    assert_eq!(shops.status(&theirs, &shops.here).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_second_person_approves_a_link_goes_to_the_address_alone() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let mail = server.settings(Encrypted::Never);
    let app = TestApp::with(|config| config.mail = Some(mail), |operators| operators).await;
    let here = app.account("Adom Stores").await;
    let owner = app.browser_of(&here, Role::Owner).await;
    let invite = async |email: &str| {
        let fields = [("email", email), ("role", "admin")];
        owner.post(&page(&here, Mode::Test, "/people/invite"), &fields).await.is(200).text
    };
    assert!(
        invite("ama@example.com").await.contains(r#"<p class="secret">"#),
        "nobody approves anything here"
    );
    let limits = [("refund-approval-above", "20")];
    owner.post(&page(&here, Mode::Live, "/settings/payouts"), &limits).await.is(303);
    let invited = invite("kofi@example.com").await;
    assert!(
        invited.contains("sent to the address") && !invited.contains(r#"<p class="secret">"#),
        "{invited}"
    );
    eventually("both links were sent", async || server.received().len() == 2).await;
    assert!(
        server
            .received()
            .iter()
            .any(|one| one.contains("To: kofi@example.com") && one.contains("/enrol/"))
    );
}

#[tokio::test]
async fn a_person_keeps_the_link_when_another_shop_invites_the_same_address() {
    let shops = Shops::start().await;
    let waiting = shops.invited_owner(&shops.there, "ama@example.com").await;
    let links = "SELECT count(*) FROM enrolment_links";
    assert_eq!(shops.app.query_number(links), 1);
    let owner = shops
        .app
        .browser_of_person(&"esi@example.com".parse().unwrap(), &shops.here, Role::Owner)
        .await;
    shops
        .invite(&owner, &shops.here, &[("email", "ama@example.com"), ("role", "viewer")])
        .await
        .is(200);
    assert_eq!(shops.app.query_number(links), 2);
    let store = &shops.app.running().store;
    // The command line put the person into both: the shop's invitation makes two people of it.
    let email = "yaw@example.com".parse().unwrap();
    let by = shops.app.audit();
    for account in [&shops.here, &shops.there] {
        store
            .set_role(&email, account, Role::Viewer, &RoleChanger::CommandLine, &by)
            .await
            .unwrap();
    }
    let of = async |account| shops.member(account, "yaw@example.com").await.unwrap().user.id;
    assert_eq!(of(&shops.here).await, of(&shops.there).await);
    shops
        .invite(&owner, &shops.here, &[("email", "yaw@example.com"), ("role", "viewer")])
        .await
        .is(200);
    assert_ne!(of(&shops.here).await, of(&shops.there).await);
    assert_eq!(
        shops.member(&shops.there, "ama@example.com").await.unwrap().user.id,
        waiting.user.id
    );
}
