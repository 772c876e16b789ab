//! A shop that connects its operators in the dashboard. The service's settings have no operator,
//! and the emulator is called in place of the real ones.

use crate::{
    ApiClient, Response, TestApp,
    dashboard::{Browser, page},
    failing_plan::Plan,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tua_config::Config;
use tua_domain::{AccountId, Generation, Mode, people::Role, rate_limit::Rate};
use tua_emulator::{
    ClockMode, Emulator, HubtelCredentials, MtnCredentials, MtnProductCredentials, Settings, Speed,
};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;

/// How much faster than real time the emulator is.
const SPEED: &str = "20";

/// A service, an emulator, and an account with a live key, an owner and no operator.
#[derive(Debug)]
pub struct ConnectedShop {
    /// The service under test.
    pub app: TestApp,
    /// The emulator of the operators.
    pub emulator: tua_emulator::Running,
    /// The account that connects an operator.
    pub account: AccountId,
    /// A client with a live key of the account.
    pub key: ApiClient,
    /// A browser in which the account's owner is signed in.
    pub owner: Browser,
}

impl ConnectedShop {
    /// Starts the service and the emulator.
    pub async fn start() -> Self {
        Self::with(|_, _| {}).await
    }

    /// As [`Self::start`], with other settings. They get the address of the emulator.
    pub async fn with(settings: impl FnOnce(&mut Config, &str)) -> Self {
        Self::with_store(settings, &Plan::default()).await
    }

    /// As [`Self::with`], with a store that follows this plan.
    pub async fn with_store(settings: impl FnOnce(&mut Config, &str), plan: &Plan) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let clock = ClockMode::Running(Speed::parse(SPEED).unwrap());
        let emulator =
            Emulator::start(listener, Settings { clock, ..Settings::default() }).unwrap();
        let app = TestApp::with_store(
            OffsetClock::default(),
            |config| {
                config.operator_emulator = Some(address.parse().unwrap());
                config.metrics_listen = Some("127.0.0.1:0".to_owned());
                // A live key lifts `--limits off`.
                let many = Rate::new(1_000, 1).unwrap();
                config.limits = Limits::On(Rates {
                    prompt_live: many,
                    prompt_daily: many,
                    secret_key: many,
                    ..Rates::default()
                });
                settings(config, &address);
            },
            |operators| operators,
            plan,
        )
        .await;
        let account = app.account("Adom Stores").await;
        let key = app.key(&account, Mode::Live, Generation::V2).await;
        let owner = app.browser_of(&account, Role::Owner).await;
        Self { app, emulator, account, key, owner }
    }

    /// The path of a page of the account in live mode.
    pub fn page(&self, path: &str) -> String {
        page(&self.account, Mode::Live, path)
    }

    /// Sends the form that connects an operator.
    pub async fn send_connect(&self, name: &str, fields: &[(&str, &str)]) -> Response {
        let fields = [&[("name", name)], fields].concat();
        self.owner.post(&self.page("/operators/new"), &fields).await
    }

    /// Connects an operator, and returns its id.
    pub async fn connect(&self, name: &str, fields: &[(&str, &str)]) -> String {
        let sent = self.send_connect(name, fields).await;
        let sent = sent.is(303);
        let address = sent.header("location");
        let path = address.split('?').next().unwrap();
        path.rsplit('/').next().unwrap().to_owned()
    }

    /// The page of a connected operator.
    pub async fn show(&self, id: &str) -> Response {
        self.owner.get(&self.page(&format!("/operators/connected/{id}"))).await.is(200)
    }

    /// Sends a form about a connected operator, as somebody does who has just opened its page.
    pub async fn act(&self, id: &str, action: &str, fields: &[(&str, &str)]) -> Response {
        let version = version_of(&self.show(id).await);
        let fields = [&[("version", version.as_str())], fields].concat();
        let path = self.page(&format!("/operators/connected/{id}/{action}"));
        self.owner.post_confirmed(&path, &fields).await
    }

    /// Checks the credentials of an operator, which accepts them.
    pub async fn accept(&self, id: &str) {
        let checked = self.act(id, "check", &[]).await.is(200);
        assert!(checked.text.contains("They are in force"), "{}", checked.text);
    }

    /// Lets an operator serve these networks and directions, such as `MTN:CHARGE`.
    pub async fn serve(&self, id: &str, routes: &[&str]) {
        let fields: Vec<_> = routes.iter().map(|route| ("serve", *route)).collect();
        self.done(id, "serve", &fields).await;
    }

    /// As [`Self::act`], and asserts that it was done, not that a proof is asked for.
    pub async fn done(&self, id: &str, action: &str, fields: &[(&str, &str)]) {
        let sent = self.act(id, action, fields).await.is(303);
        assert!(sent.header("location").contains("?done=operator-"), "{sent:?}");
    }

    /// Connects MTN, checks it, and lets it serve charges and payouts of its network.
    pub async fn connect_mtn(&self, name: &str) -> String {
        let credentials = MtnCredentials::default();
        let id = self.connect(name, &mtn_fields(&credentials)).await;
        self.accept(&id).await;
        self.serve(&id, &["MTN:CHARGE", "MTN:PAYOUT"]).await;
        id
    }

    /// Begins a charge with the key of the account.
    pub async fn charge(&self, phone: &str) -> Response {
        charge_with(&self.key, phone).await
    }

    /// The final status of a transaction.
    pub async fn end_of(&self, id: &str) -> Value {
        for _ in 0..20 {
            let path = format!("/v1/status/{id}");
            let wait = [("prefer", "wait=1")];
            let status = self.key.send(reqwest::Method::GET, &path, &wait, None).await.is(200);
            let status = status.json();
            if status["status"] != "PENDING" {
                return status;
            }
            self.app.advance(8);
        }
        panic!("still pending: {}", self.key.status(id).await)
    }
}

/// Begins a charge of GHS 10.50 on MTN with a key.
pub async fn charge_with(key: &ApiClient, phone: &str) -> Response {
    let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": "MTN" });
    key.post("/v1/charge", &body).await
}

/// The version of what a page shows, as its forms have it.
pub fn version_of(page: &Response) -> String {
    let (_, rest) = page.text.split_once("name=\"version\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// Other credentials of MTN than those that the emulator accepts at first.
#[must_use]
pub fn rotated() -> MtnCredentials {
    let mut rotated = MtnCredentials::default();
    rotated.collection.key = "rotatedcollectionkey".to_owned();
    rotated.disbursement.key = "rotateddisbursementkey".to_owned();
    rotated
}

/// The form of MTN with these credentials.
pub fn mtn_fields(credentials: &MtnCredentials) -> Vec<(&str, &str)> {
    let MtnProductCredentials { user, key, subscription_key } = &credentials.collection;
    let disbursement = &credentials.disbursement;
    vec![
        ("connector", "mtn-momo"),
        ("credential.platform", "legacy"),
        ("credential.collection.user", user),
        ("credential.collection.key", key),
        ("credential.collection.subscription-key", subscription_key),
        ("credential.disbursement.user", &disbursement.user),
        ("credential.disbursement.key", &disbursement.key),
        ("credential.disbursement.subscription-key", &disbursement.subscription_key),
    ]
}

/// The form of Hubtel with these credentials.
pub fn hubtel_fields(credentials: &HubtelCredentials) -> Vec<(&str, &str)> {
    vec![
        ("connector", "hubtel"),
        ("credential.api-id", &credentials.api_id),
        ("credential.api-key", &credentials.api_key),
        ("credential.pos-sales-id", &credentials.pos_sales_id),
        ("credential.prepaid-deposit-id", &credentials.prepaid_deposit_id),
    ]
}

/// The form of Paystack with this key.
pub fn paystack_fields(key: &str) -> Vec<(&str, &str)> {
    vec![
        ("connector", "paystack"),
        ("credential.secret-key", key),
        ("credential.email-fallback", "pay@shop.example"),
    ]
}
