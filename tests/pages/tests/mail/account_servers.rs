//! The mail server of an account, which an owner sets up in the dashboard.

use tua_domain::{
    AccountId, Generation, Mode,
    account_mail_server::{AcceptedServer, MailServerChange, MailServerRefusal},
    mail::{MailFilter, QueuedMail},
    people::Role,
    ports::ChangeMailServerError,
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    Response, TestApp,
    connected_shop::version_of,
    dashboard::{Browser, page},
    eventually,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
};

/// A service without a mail server in its settings, and an account with an owner.
pub(super) struct Shop {
    pub(super) app: TestApp,
    pub(super) account: AccountId,
    pub(super) owner: Browser,
}

impl Shop {
    pub(super) async fn start() -> Self {
        let allow = |config: &mut tua_config::Config| config.allow_private_webhooks = true;
        let app = TestApp::with_clock(OffsetClock::stopped(), allow, |all| all).await;
        let account = app.account("Adom Stores").await;
        let owner = app.browser_of(&account, Role::Owner).await;
        Self { app, account, owner }
    }

    /// Waits until a failed message of the account holds its place until the next interval, and the
    /// worker waits for that too.
    pub(super) async fn wait_for_pause(&self) {
        let clock = &self.app.test_clock;
        clock.wait_for_sleepers(clock.now_plus_milliseconds(2500), 2).await;
    }

    pub(super) fn page(&self, path: &str) -> String {
        page(&self.account, Mode::Live, &format!("/settings/mail{path}"))
    }

    pub(super) async fn show(&self) -> Response {
        self.owner.get(&self.page("")).await.is(200)
    }

    pub(super) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let version = version_of(&self.show().await);
        let fields = [&[("version", version.as_str())], fields].concat();
        self.owner.post_confirmed(&self.page(path), &fields).await
    }

    pub(super) async fn save(&self, port: u16, password: &str) -> Response {
        let port = port.to_string();
        self.post("", &fields(&port, password)).await
    }

    /// Sends a test, after the time in which only one may be sent.
    pub(super) async fn test(&self) -> Response {
        self.app.advance(16);
        self.post("/test", &[]).await
    }

    /// The same owner in another account.
    pub(super) async fn switch_account(&mut self, name: &str) {
        self.account = self.app.account(name).await;
        self.owner = self.app.browser_of(&self.account, Role::Owner).await;
    }

    /// Lets the owner get security notices.
    pub(super) fn enrol(&self) {
        self.app.query_number(
            "UPDATE users SET password = 'x' WHERE email = 'owner@example.com'
             RETURNING CAST(1 AS BIGINT)",
        );
    }

    pub(super) async fn use_server(&self, server: &SmtpServer) {
        self.save(server.port, "hunter2").await.is(303);
        let tested = self.test().await.is(303);
        assert!(tested.header("location").contains("mail-server-accepted"), "{tested:?}");
    }

    /// Makes a live key, of which the owner gets a notice.
    pub(super) async fn make_key(&self) {
        self.app.key(&self.account, Mode::Live, Generation::V2).await;
    }

    pub(super) async fn invite(&self, email: &str) -> Response {
        let people = page(&self.account, Mode::Live, "/people/invite");
        self.owner.post(&people, &[("email", email), ("role", "viewer")]).await
    }

    pub(super) async fn messages(&self) -> Vec<QueuedMail> {
        self.app.running().store.mail(&MailFilter::default(), 50).await.unwrap()
    }
}

fn fields<'a>(port: &'a str, password: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("host", "127.0.0.1"),
        ("port", port),
        ("encryption", "none"),
        ("user", "shop"),
        ("credential.password", password),
        ("from-address", "pay@shop.example"),
        ("from-name", "Adom Stores"),
    ]
}

pub(super) async fn server() -> SmtpServer {
    SmtpServer::start(Encrypted::NeverWithSignIn, Behaviour::Accepts).await
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_in_use_after_a_test_and_send_the_accounts_messages_alone() {
    let shop = Shop::start().await;
    let server = server().await;
    let other = shop.app.account("Other Shop").await;
    shop.enrol();
    shop.make_key().await;
    assert!(shop.messages().await.is_empty(), "nothing is stored without a mail server");
    shop.save(server.port, "hunter2").await.is(303);
    let shown = shop.show().await.text;
    assert!(shown.contains("Waits for its test") && !shown.contains("hunter2"), "{shown}");
    shop.make_key().await;
    assert!(shop.messages().await.is_empty(), "nor before the test");
    let tested = shop.test().await.is(303);
    let shown = shop.owner.get(tested.header("location")).await.is(200).text;
    assert!(shown.contains("These settings are in use") && shown.contains("In use"), "{shown}");
    let test = server.received().remove(0);
    assert!(test.contains("To: owner@example.com") && test.contains("Adom Stores"), "{test}");
    shop.make_key().await;
    shop.app.advance(3);
    eventually("the notices were sent", async || server.received().len() == 3).await;
    for message in server.received() {
        assert!(message.contains("From: \"Adom Stores\" <pay@shop.example>"), "{message}");
        assert!(message.contains("To: owner@example.com"), "{message}");
    }
    assert!(server.received().iter().any(|message| message.contains("a live key was made")));
    let store = &shop.app.running().store;
    assert!(store.is_mail_on(Some(&shop.account)).await.unwrap());
    assert!(!store.is_mail_on(Some(&other)).await.unwrap());
    assert!(!store.is_mail_on(None).await.unwrap(), "messages of a person need the settings");
    let again = shop.test().await.is(303);
    assert!(again.header("location").contains("mail-server-sent"), "{again:?}");
    let soon = shop.post("/test", &[]).await.is(303);
    assert!(soon.header("location").contains("test-too-soon"), "{soon:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_what_was_wrong_and_what_is_in_use_stays() {
    let shop = Shop::start().await;
    let first = server().await;
    shop.use_server(&first).await;
    let wrong = shop.save(first.port, "wrongpassword").await.is(303);
    assert!(wrong.header("location").contains("mail-server-stored"), "{wrong:?}");
    let refused = shop.test().await.is(422).text;
    assert!(refused.contains("refused user and password"), "{refused}");
    assert!(refused.contains("In use") && refused.contains("Waits for its test"), "{refused}");
    assert!(!refused.contains("wrongpassword"), "{refused}");
    let picky = SmtpServer::start(Encrypted::NeverWithSignIn, Behaviour::Refuses).await;
    shop.save(picky.port, "hunter2").await.is(303);
    let refused = shop.test().await.is(422).text;
    assert!(refused.contains("but refused the message"), "{refused}");
    picky.set(Behaviour::Greylists);
    assert!(shop.test().await.is(422).text.contains("did not take the message now"));
    picky.set(Behaviour::RefusesClient(554));
    assert!(shop.test().await.is(422).text.contains("refused the connection before any message"));
    // Nothing listens on the port of a server that was just closed.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    shop.save(port, "hunter2").await.is(303);
    assert!(shop.test().await.is(422).text.contains("Nothing answered there"));
    // Messages still go through what is in use.
    shop.enrol();
    shop.make_key().await;
    shop.app.advance(3);
    eventually("it was sent", async || first.received().len() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers_ends_after_a_time_and_is_not_in_use() {
    let shop = Shop::start().await;
    let silent = SmtpServer::start(Encrypted::NeverWithSignIn, Behaviour::Silent).await;
    shop.save(silent.port, "hunter2").await.is(303);
    let clock = shop.app.clock.clone();
    let (tested, ()) = tokio::join!(shop.test(), async {
        eventually("the server was called", async || silent.connections() > 0).await;
        clock.advance(std::time::Duration::from_secs(26));
    });
    assert!(tested.is(422).text.contains("took too long"));
    assert!(!shop.app.running().store.is_mail_on(Some(&shop.account)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_the_form_are_shown_together_without_the_password() {
    let shop = Shop::start().await;
    let mut bad = fields("0", "hunter2");
    bad[0].1 = "https://mail.example";
    bad[5].1 = "Adom <pay@shop.example>";
    let refused = shop.post("", &bad).await.is(422).text;
    for fault in ["host-fault", "port-fault", "from-address-fault", "Type the password again"] {
        assert!(refused.contains(fault), "{fault}: {refused}");
    }
    assert!(!refused.contains("hunter2") && refused.contains("value=\"shop\""), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_at_a_private_address_is_never_connected_to() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let path = page(&account, Mode::Live, "/settings/mail");
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let port = server.port.to_string();
    let local = [&[("version", "0")][..], &fields(&port, "hunter2")].concat();
    let refused = owner.post(&path, &local).await.is(422).text;
    assert!(refused.contains("host-fault") && refused.contains("port-fault"), "{refused}");
    // The form cannot know where a name leads: addresses are checked at each connection.
    for (version, host) in (0..).zip(["10.0.0.1", "169.254.169.254", "fd00::1"]) {
        let before = version.to_string();
        let mut away = [&[("version", before.as_str())][..], &fields("587", "hunter2")].concat();
        away[1].1 = host;
        away[3].1 = "starttls";
        owner.post(&path, &away).await.is(303);
        app.advance(16);
        let after = (version + 1).to_string();
        let test = format!("{path}/test");
        let tested = owner.post(&test, &[("version", after.as_str())]).await.is(422).text;
        assert!(tested.contains("address is private"), "{host}: {tested}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_people_who_change_it_at_once_one_is_told() {
    let shop = Shop::start().await;
    let server = server().await;
    let port = server.port.to_string();
    let version = [("version", "0")];
    let typed = [&version[..], &fields(&port, "hunter2")].concat();
    let path = shop.page("");
    let (one, other) = tokio::join!(shop.owner.post(&path, &typed), shop.owner.post(&path, &typed));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409]);
    // A test that ends after somebody stored other settings puts nothing into use.
    let store = &shop.app.running().store;
    let tested = store.mail_server(&shop.account).await.unwrap();
    shop.save(server.port, "hunter2").await.is(303);
    let accept = MailServerChange::Accept(tested.waiting.unwrap(), AcceptedServer::Other);
    let by = shop.app.audit();
    let late = store.change_mail_server(&shop.account, tested.version + 1, accept, &by).await;
    let refusal = late.unwrap_err();
    assert!(
        matches!(refusal, ChangeMailServerError::Refused(MailServerRefusal::Changed)),
        "{refusal:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_file_goes_first_and_the_page_says_so() {
    let mut shop = Shop::start().await;
    let own = server().await;
    shop.use_server(&own).await;
    let service = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    shop.app.config.mail = Some(service.settings(Encrypted::Never));
    shop.app.restart().await;
    let shown = shop.show().await.text;
    assert!(shown.contains("which sends all messages"), "{shown}");
    assert!(!shown.contains("id=\"host\"") && !shown.contains("/settings/mail/test"), "{shown}");
    let path = shop.page("");
    let typed = [&[("version", "2")][..], &fields("2525", "hunter2")].concat();
    shop.owner.post(&path, &typed).await.is(404);
    shop.invite("kofi@example.com").await.is(200);
    shop.app.advance(3);
    eventually("sent", async || service.received().len() == 1).await;
    assert_eq!(own.received().len(), 1, "only the test");
    shop.app.config.mail = None;
    shop.app.restart().await;
    shop.enrol();
    shop.make_key().await;
    shop.app.advance(3);
    eventually("sent by the account's own", async || own.received().len() == 2).await;
}
