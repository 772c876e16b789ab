//! A running service with actors: a merchant with secret keys, and payers with tokens.

use crate::{engine, operators::eventually, sleepers::Sleepers};
use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tempfile::TempDir;
use tua_service::{
    Config, Running,
    clock::{Clock, OffsetClock},
    domain::{Account, AccountId, Generation, Mode, Scope, SecretKey},
    limits::Limits,
    operators::Operators,
    start_around, start_with,
    store::Store,
};

/// The service on a port and a file of its own.
pub struct TestApp {
    pub clock: OffsetClock,
    pub sleepers: Sleepers,
    pub running: Option<Running>,
    residents: usize,
    /// Kept where a test's own operator serves, since a worker ends with it.
    _sandbox: Option<Operators>,
    pub origin: String,
    pub config: Config,
    pub http: reqwest::Client,
    pub folder: TempDir,
}

/// A caller and the credential that it holds.
#[derive(Clone)]
pub struct Actor {
    pub credential: String,
    pub origin: String,
    pub http: reqwest::Client,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl TestApp {
    /// The usual service: the sandbox at its documented speed.
    pub async fn start() -> Self {
        Self::with(|_| {}, |operators| operators).await
    }

    /// A service with other settings or other operators.
    pub async fn with(settings: impl FnOnce(&mut Config), choose: impl FnOnce(Operators) -> Operators) -> Self {
        Self::on(OffsetClock::default(), settings, choose).await
    }

    /// A service whose clock moves only when the test moves it. Between two moves wait until the
    /// worker has looked ([`Self::work_is_done`]), or it may sleep through the second.
    pub async fn still(choose: impl FnOnce(Operators) -> Operators) -> Self {
        let app = Self::on(OffsetClock::stopped(), |_| {}, choose).await;
        app.sleepers.work_is_looked_for().await;
        app
    }

    pub async fn on(
        clock: OffsetClock,
        settings: impl FnOnce(&mut Config),
        choose: impl FnOnce(Operators) -> Operators,
    ) -> Self {
        Self::around(clock, settings, choose, |store| store).await
    }

    /// A service with something around its store.
    pub async fn around(
        clock: OffsetClock,
        settings: impl FnOnce(&mut Config),
        choose: impl FnOnce(Operators) -> Operators,
        wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::new(engine::database(folder.path()));
        config.server_key = engine::server_key();
        config.listen = "127.0.0.1:0".to_owned();
        config.limits = Limits::Off;
        settings(&mut config);
        let sleepers = Sleepers::new(clock.clone());
        let mut sandbox = None;
        let choose = |operators: Operators| {
            sandbox = Some(operators.clone());
            choose(operators)
        };
        let running = start_around(config.clone(), Arc::new(sleepers.clone()), choose, wrap).await.unwrap();
        let residents = running.app.tasks.len();
        let origin = format!("http://{}", running.local_addr());
        let http = client();
        Self { clock, sleepers, running: Some(running), residents, _sandbox: sandbox, origin, config, http, folder }
    }

    pub fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }

    /// A number that the database answers, asked beside the service.
    pub fn number(&self, sql: &str) -> i64 {
        engine::number(self.folder.path(), sql)
    }

    /// A new account's key.
    pub async fn merchant(&self, mode: Mode, generation: Generation) -> Actor {
        let account = self.account("Adom Stores").await;
        self.key(&account, mode, generation).await
    }

    /// A new account without keys.
    pub async fn account(&self, name: &str) -> AccountId {
        let account = Account { id: AccountId::mint(), name: name.to_owned(), created_at: self.clock.now() };
        self.running().app.store.create_account(account.clone(), Vec::new()).await.unwrap();
        account.id
    }

    /// One more key of an account.
    pub async fn key(&self, account: &AccountId, mode: Mode, generation: Generation) -> Actor {
        let scope = Scope { account: account.clone(), mode };
        let (key, credential) = SecretKey::generate(scope, generation, self.clock.now());
        self.running().app.store.add_key(key).await.unwrap();
        self.actor(&credential)
    }

    /// The usual merchant: a v2 test key.
    pub async fn shop(&self) -> Actor {
        self.merchant(Mode::Test, Generation::V2).await
    }

    /// A payer with a token that this merchant opened for 10.50 cedis.
    pub async fn payer(&self, merchant: &Actor) -> Actor {
        let opened = merchant.post("/v1/checkout", &json!({ "amount": 10.5, "email": "ama@example.com" })).await;
        self.actor(opened.json()["checkoutToken"].as_str().unwrap())
    }

    pub fn actor(&self, credential: &str) -> Actor {
        Actor { credential: credential.to_owned(), origin: self.origin.clone(), http: self.http.clone() }
    }

    pub fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Returns once nothing is under way but the workers themselves.
    pub async fn tasks_end(&self) {
        eventually("all tasks have ended", async || self.running().app.tasks.len() <= self.residents).await;
    }

    /// Returns once all due work of this moment is done. The clock must stand still, and must have
    /// been moved by a second or more.
    pub async fn work_is_done(&self) {
        self.sleepers.work_is_looked_for().await;
        self.tasks_end().await;
    }

    /// Stops the service and starts it again on the same port, file and clock.
    pub async fn restart(&mut self) {
        self.restart_with(|operators| operators).await;
    }

    /// As [`Self::restart`], with these operators afterwards.
    pub async fn restart_with(&mut self, choose: impl FnOnce(Operators) -> Operators) {
        self.config.listen = self.running().local_addr().to_string();
        self.running.take().unwrap().stop().await;
        let clock = Arc::new(self.sleepers.clone());
        self.running = Some(start_with(self.config.clone(), clock, choose).await.unwrap());
    }
}

/// A client that never waits for ever.
pub fn client() -> reqwest::Client {
    let patience = Duration::from_secs(30);
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(patience).build().unwrap()
}

impl Actor {
    /// A request with the credential on it, for what the other methods cannot say.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.origin));
        if self.credential.is_empty() { request } else { request.bearer_auth(&self.credential) }
    }

    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Answer {
        let mut request = self.request(method, path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_owned());
        }
        Answer::read(request.send().await.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string()).await
    }

    /// A body as it is written here: its digits, its order of fields, its faults.
    pub async fn post_text(&self, path: &str, body: &str) -> Answer {
        self.send(Method::POST, path, &[], Some(body)).await
    }

    /// A charge as a token sends it.
    pub async fn charge(&self, phone: &str, network: &str) -> Answer {
        self.post("/v1/charge", &json!({ "phoneNumber": phone, "network": network })).await
    }

    pub async fn status(&self, transaction: &str) -> Value {
        self.get(&format!("/v1/status/{transaction}")).await.json()
    }

    /// Reads the status until it is as wanted, ten seconds at the most.
    pub async fn until(&self, transaction: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let looking = async {
            loop {
                let status = self.status(transaction).await;
                if wanted(&status) {
                    return status;
                }
                tokio::task::yield_now().await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(10), looking).await {
            Ok(status) => status,
            Err(_) => panic!("still not as wanted: {}", self.status(transaction).await),
        }
    }
}

impl Answer {
    pub async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub fn id(&self) -> String {
        self.json()["transactionId"].as_str().unwrap_or_else(|| panic!("no transaction: {self:?}")).to_owned()
    }

    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self
    }

    /// A problem document of this status and code.
    #[track_caller]
    #[expect(clippy::wrong_self_convention, reason = "passes the answer on, as `is` does")]
    pub fn is_problem(self, status: u16, code: &str) -> Self {
        let answer = self.is(status);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.json()["code"], code, "{}", answer.text);
        answer
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
