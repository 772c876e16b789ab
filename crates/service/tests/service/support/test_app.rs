//! A running service with actors: a merchant with secret keys, and payers with tokens.

use crate::support::{ApiClient, api_client::client, eventually, test_clock::TestClock, test_database};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tempfile::TempDir;
use tua_service::{
    Config, Running,
    clock::OffsetClock,
    domain::{
        Account, AccountId, Generation, Mode, Scope, SecretKey,
        ports::{Clock, Operators, Store},
    },
    limits::Limits,
    start_around, start_with,
};

/// The service on a port and a file of its own.
pub struct TestApp {
    pub clock: OffsetClock,
    pub sleepers: TestClock,
    pub running: Option<Running>,
    residents: usize,
    /// Kept where a test's own operator serves, since a worker ends with it.
    _sandbox: Option<Operators>,
    pub origin: String,
    pub config: Config,
    pub http: reqwest::Client,
    pub folder: TempDir,
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
        let mut config = Config::new(test_database::database(folder.path()));
        config.server_key = test_database::server_key();
        config.listen = "127.0.0.1:0".to_owned();
        config.limits = Limits::Off;
        settings(&mut config);
        let sleepers = TestClock::new(clock.clone());
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
        test_database::number(self.folder.path(), sql)
    }

    /// A new account's key.
    pub async fn merchant(&self, mode: Mode, generation: Generation) -> ApiClient {
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
    pub async fn key(&self, account: &AccountId, mode: Mode, generation: Generation) -> ApiClient {
        let scope = Scope { account: account.clone(), mode };
        let (key, credential) = SecretKey::generate(scope, generation, self.clock.now());
        self.running().app.store.add_key(key).await.unwrap();
        self.actor(&credential)
    }

    /// The usual merchant: a v2 test key.
    pub async fn shop(&self) -> ApiClient {
        self.merchant(Mode::Test, Generation::V2).await
    }

    /// A payer with a token that this merchant opened for 10.50 cedis.
    pub async fn payer(&self, merchant: &ApiClient) -> ApiClient {
        let opened = merchant.post("/v1/checkout", &json!({ "amount": 10.5, "email": "ama@example.com" })).await;
        self.actor(opened.json()["checkoutToken"].as_str().unwrap())
    }

    pub fn actor(&self, credential: &str) -> ApiClient {
        ApiClient { credential: credential.to_owned(), origin: self.origin.clone(), http: self.http.clone() }
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
