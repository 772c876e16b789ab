//! What those who manage people see and change of a member's access: the last sign-in, the sessions
//! and the link of an invitation.

use super::administration::shown;
use tua_domain::{AccountId, Mode, people::Role, ports::RoleError};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, cookie_token, page},
    enrolment::PASSWORD,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
    test_database,
};

const EMAIL: &str = "ama@example.com";

struct Shop {
    app: TestApp,
    account: AccountId,
    owner: Browser,
}

impl Shop {
    async fn start() -> Self {
        Self::of(TestApp::start().await).await
    }

    async fn of(app: TestApp) -> Self {
        let account = app.account("Adom Stores").await;
        let owner = app.browser_of(&account, Role::Owner).await;
        Self { app, account, owner }
    }

    fn page(&self, path: &str) -> String {
        page(&self.account, Mode::Test, path)
    }

    async fn people(&self, browser: &Browser) -> String {
        browser.get(&self.page("/people")).await.is(200).text
    }

    async fn invite(&self, role: &str) -> Response {
        let fields = [("email", EMAIL), ("role", role)];
        self.owner.post(&self.page("/people/invite"), &fields).await.is(200)
    }

    async fn enrol(&self, invited: &Response) -> Browser {
        let link = path_of(invited);
        let code = self.app.code_of_link(&link, 0);
        let fields = [("name", "Ama"), ("password", PASSWORD), ("code", &*code)];
        let done = self.app.signed_out().post(&link, &fields).await.is(200);
        Browser { token: cookie_token(&done), ..self.app.signed_out() }
    }

    async fn address_of(&self, action: &str) -> String {
        let members = self.app.running().store.members(&self.account).await.unwrap();
        let member = members.iter().find(|one| one.user.email.as_str() == EMAIL).unwrap();
        self.page(&format!("/people/{}/{action}", member.user.id))
    }
}

fn path_of(invited: &Response) -> String {
    let link = shown(&invited.text);
    link[link.find("/dashboard/enrol/").unwrap()..].to_owned()
}

#[tokio::test]
async fn an_invitation_has_its_end_and_a_new_link_ends_the_old_one() {
    let shop = Shop::start().await;
    let first = shop.invite("viewer").await;
    assert!(first.text.contains("data-copy="), "{}", first.text);
    let people = shop.people(&shop.owner).await;
    assert!(people.contains("The link works until"), "{people}");
    assert!(people.contains("New link for ama@example.com; the old one ends"), "{people}");
    let second = shop.invite("viewer").await;
    assert_ne!(path_of(&first), path_of(&second));
    shop.app.signed_out().get(&path_of(&first)).await.is(404);
    shop.app.signed_out().get(&path_of(&second)).await.is(200);
    shop.app.advance(61 * 60);
    let owner = shop.app.browser_of(&shop.account, Role::Owner).await;
    let people = shop.people(&owner).await;
    assert!(people.contains("The link has ended"), "{people}");
}

#[tokio::test]
async fn a_person_is_signed_out_everywhere_by_those_who_manage_people() {
    let shop = Shop::start().await;
    let ama = shop.enrol(&shop.invite("viewer").await).await;
    ama.get(&shop.page("/home")).await.is(200);
    let people = shop.people(&shop.owner).await;
    assert!(people.contains("Last signed in") && people.contains("with password and code"));
    assert_eq!(people.matches(">Sign this person out<").count(), 1, "nobody else has enrolled");

    let sign_out = shop.address_of("sign-out").await;
    shop.app.browser_of(&shop.account, Role::Developer).await.post(&sign_out, &[]).await.is(403);
    ama.get(&shop.page("/home")).await.is(200);
    let done = shop.owner.post(&sign_out, &[]).await.is(303);
    let shown = shop.owner.get(done.header("location")).await.is(200).text;
    assert!(shown.contains("The person is signed out everywhere"), "{shown}");
    ama.get(&shop.page("/home")).await.is(303);
    let ended = "SELECT count(*) FROM audit_log WHERE action = 'session.ended'";
    assert_eq!(shop.app.query_number(ended), 1);
    // The last sign-in is known without a session.
    assert!(shop.people(&shop.owner).await.contains("with password and code"));
}

#[tokio::test]
async fn an_admin_signs_no_owner_out() {
    let shop = Shop::start().await;
    let ama = shop.enrol(&shop.invite("owner").await).await;
    let admin = shop.app.browser_of(&shop.account, Role::Admin).await;
    let people = shop.people(&admin).await;
    assert!(!people.contains("Sign this person out"), "{people}");
    admin.post(&shop.address_of("sign-out").await, &[]).await.is(403);
    ama.get(&shop.page("/home")).await.is(200);
}

#[tokio::test]
async fn an_owner_of_another_account_is_not_signed_out() {
    let shop = Shop::start().await;
    let ama = shop.enrol(&shop.invite("viewer").await).await;
    let other = shop.app.account("Kasoa Stores").await;
    let join = format!(
        "INSERT INTO memberships (user_id, account_id, role, created_at)
         SELECT id, '{}', 'owner', created_at FROM users WHERE email = '{EMAIL}'",
        other.as_str()
    );
    test_database::execute(shop.app.folder.path(), &join);
    let people = shop.people(&shop.owner).await;
    assert!(!people.contains("Sign this person out"), "{people}");
    shop.owner.post(&shop.address_of("sign-out").await, &[]).await.is(403);
    ama.get(&shop.page("/home")).await.is(200);
}

/// What a page has checked may have changed when the sessions are deleted.
#[tokio::test]
async fn the_store_signs_nobody_out_for_one_who_no_longer_manages_the_person() {
    let shop = Shop::start().await;
    let ama = shop.enrol(&shop.invite("viewer").await).await;
    let store = &shop.app.running().store;
    let members = store.members(&shop.account).await.unwrap();
    let person = &members.iter().find(|one| one.user.email.as_str() == EMAIL).unwrap().user;
    let owner = &members.iter().find(|one| one.role == Role::Owner).unwrap().user;
    let by = shop.app.audit();
    let demote = "UPDATE memberships SET role = 'viewer' WHERE role = 'owner'";
    test_database::execute(shop.app.folder.path(), demote);
    let refused = store.sign_out(person, &owner.id, &by).await;
    assert!(matches!(refused, Err(RoleError::Refused(_))), "{refused:?}");
    ama.get(&shop.page("/home")).await.is(200);
    let restore =
        format!("UPDATE memberships SET role = 'owner' WHERE user_id = '{}'", owner.id.as_str());
    test_database::execute(shop.app.folder.path(), &restore);
    assert_eq!(store.sign_out(person, &owner.id, &by).await.unwrap(), 1);
    ama.get(&shop.page("/home")).await.is(303);
}

#[tokio::test]
async fn who_has_lost_the_device_gets_a_new_link_and_every_session_ends() {
    let shop = Shop::start().await;
    let first = shop.invite("finance").await;
    let ama = shop.enrol(&first).await;
    let people = shop.people(&shop.owner).await;
    assert_eq!(people.matches(">New sign-in link<").count(), 1, "not for oneself: {people}");
    let reset = shop.address_of("reset").await;
    shop.app.browser_of(&shop.account, Role::Developer).await.post(&reset, &[]).await.is(403);
    let question = shop.owner.post(&reset, &[]).await.is(200).text;
    assert!(question.contains("Make a new sign-in link for ama@example.com?"), "{question}");
    ama.get(&shop.page("/home")).await.is(200);

    let made = shop.owner.post_confirmed(&reset, &[]).await.is(200);
    assert!(made.text.contains("A new link was made"), "{}", made.text);
    ama.get(&shop.page("/home")).await.is(303);
    for (action, count) in [("session.ended", 1), ("enrolment_link.created", 2)] {
        let sql = format!("SELECT count(*) FROM audit_log WHERE action = '{action}'");
        assert_eq!(shop.app.query_number(&sql), count, "{action}");
    }
    // Until the link is used, password and code are those of before.
    let sign_in = async |link: &str, password: &str, seconds: i64| {
        let code = shop.app.code_of_link(link, seconds);
        let fields = [("email", EMAIL), ("password", password), ("code", &*code)];
        shop.app.signed_out().post("/dashboard/sign-in", &fields).await.status.as_u16()
    };
    assert_eq!(sign_in(&path_of(&first), PASSWORD, 30).await, 303);
    let link = path_of(&made);
    let code = shop.app.code_of_link(&link, 0);
    let fields = [("name", "Ama"), ("password", "another long password"), ("code", &*code)];
    shop.app.signed_out().post(&link, &fields).await.is(200);
    shop.app.advance(60);
    assert_eq!(sign_in(&path_of(&first), PASSWORD, 0).await, 422);
    assert_eq!(sign_in(&link, "another long password", 0).await, 303);
}

/// With the link, who makes it could approve in the other account as the person.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_link_is_not_shown_where_the_person_approves_in_another_account() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let mail = server.settings(Encrypted::Never);
    let app = TestApp::with(|config| config.mail = Some(mail), |operators| operators).await;
    let shop = Shop::of(app).await;
    shop.enrol(&shop.invite("admin").await).await;
    let other = shop.app.account("Kasoa Stores").await;
    let join = format!(
        "INSERT INTO memberships (user_id, account_id, role, created_at)
         SELECT user_id, '{}', role, created_at FROM memberships",
        other.as_str()
    );
    test_database::execute(shop.app.folder.path(), &join);
    let reset = shop.address_of("reset").await;
    let shown = shop.owner.post_confirmed(&reset, &[]).await.is(200).text;
    assert!(shown.contains("/enrol/"), "nobody approves anything: {shown}");
    let limits = [("refund-approval-above", "20")];
    shop.owner.post(&page(&other, Mode::Live, "/settings/payouts"), &limits).await.is(303);
    let mailed = shop.owner.post_confirmed(&reset, &[]).await.is(200).text;
    assert!(mailed.contains("The new link was sent to the address"), "{mailed}");
    assert!(!mailed.contains("/enrol/"), "{mailed}");
}

#[tokio::test]
async fn nobody_makes_a_link_for_one_whom_they_do_not_manage_everywhere() {
    let shop = Shop::start().await;
    let ama = shop.enrol(&shop.invite("owner").await).await;
    let reset = shop.address_of("reset").await;
    let admin = shop.app.browser_of(&shop.account, Role::Admin).await;
    admin.post_confirmed(&reset, &[]).await.is(403);
    assert!(!shop.people(&admin).await.contains("New sign-in link"));
    ama.get(&shop.page("/home")).await.is(200);
    let links = "SELECT count(*) FROM audit_log WHERE action = 'enrolment_link.created'";
    assert_eq!(shop.app.query_number(links), 1, "that of the invitation");
    shop.app.advance(301);
    let proof = shop.owner.post_confirmed(&reset, &[]).await.is(303);
    assert!(proof.header("location").starts_with("/dashboard/proof"), "{proof:?}");
}
