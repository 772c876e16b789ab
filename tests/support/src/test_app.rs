//! A running service, and clients with its credentials.

use crate::{
    ApiClient, api_client::client, eventually, failing_plan::Plan, test_clock::TestClock,
    test_database,
};
use jiff::SignedDuration;
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tempfile::TempDir;
use tua_config::Config;
use tua_domain::{
    Account, AccountId, Generation, Mode, Scope, SecretKey,
    audit::{AuditContext, Source},
    ports::Clock,
    routing::Operators,
};
use tua_net::limits::Limits;
use tua_reserved_port::ReservedPort;
use tua_service::{Running, start_around, start_with};
use tua_system::{actor::audit_context, clock::OffsetClock};

/// The service on a port and a database of its own.
#[derive(Debug)]
pub struct TestApp {
    /// What the test moves.
    pub clock: OffsetClock,
    /// The clock of the service, which follows `clock`.
    pub test_clock: TestClock,
    /// `None` after a test has stopped it.
    pub running: Option<Running>,
    /// Kept although a test uses another operator, because a worker ends when it is dropped.
    _sandbox: Option<Operators>,
    /// The origin of the API, without a trailing slash.
    pub origin: String,
    /// The settings of the next start.
    pub config: Config,
    /// It follows no redirects.
    pub http: reqwest::Client,
    /// The folder of the database and its files.
    pub folder: TempDir,
    /// The port of `config`, also while the service is stopped.
    _port: ReservedPort,
}

impl TestApp {
    /// Starts a service with the sandbox at its documented speed.
    pub async fn start() -> Self {
        Self::with(|_| {}, |operators| operators).await
    }

    /// Starts a service with other settings or other operators.
    pub async fn with(
        settings: impl FnOnce(&mut Config),
        choose: impl FnOnce(Operators) -> Operators,
    ) -> Self {
        Self::with_clock(OffsetClock::default(), settings, choose).await
    }

    /// Starts a service whose live mode has an operator for MTN.
    pub async fn with_live_operator() -> Self {
        let operator = Arc::new(super::scripted_operator::ScriptedOperator::new());
        Self::with(|_| {}, operator.behind_live()).await
    }

    /// Starts a service whose clock moves only when the test moves it. Between two moves wait for
    /// [`Self::wait_for_due_work`]; otherwise a worker may miss the second move.
    pub async fn with_stopped_clock(choose: impl FnOnce(Operators) -> Operators) -> Self {
        let app = Self::with_clock(OffsetClock::stopped(), |_| {}, choose).await;
        app.test_clock.wait_for_workers().await;
        app
    }

    /// Starts a service with another clock.
    pub async fn with_clock(
        clock: OffsetClock,
        settings: impl FnOnce(&mut Config),
        choose: impl FnOnce(Operators) -> Operators,
    ) -> Self {
        Self::with_store(clock, settings, choose, &Plan::default()).await
    }

    /// Starts a service whose store follows this plan.
    pub async fn with_store(
        clock: OffsetClock,
        settings: impl FnOnce(&mut Config),
        choose: impl FnOnce(Operators) -> Operators,
        plan: &Plan,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::new(test_database::database(folder.path()));
        config.server_keys = test_database::server_keys();
        let port = ReservedPort::new().unwrap();
        config.listen = port.address().to_string();
        config.limits = Limits::Off;
        settings(&mut config);
        let test_clock = TestClock::new(clock.clone());
        let mut sandbox = None;
        let choose = |operators: Operators| {
            sandbox = Some(operators.clone());
            choose(operators)
        };
        let faults = Arc::new(plan.clone());
        let started = start_around(
            config.clone(),
            Arc::new(test_clock.clone()),
            choose,
            async |database, metrics| database.open_with_faults(metrics, faults).await,
        );
        let running = started.await.unwrap();
        let origin = format!("http://{}", running.local_addr());
        let http = client();
        Self {
            clock,
            test_clock,
            running: Some(running),
            _sandbox: sandbox,
            origin,
            config,
            http,
            folder,
            _port: port,
        }
    }

    /// The service, which a test has not stopped.
    pub fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }

    /// Who makes the changes of a test, now.
    pub fn audit(&self) -> AuditContext {
        audit_context(Source::CommandLine, None, &self.running().idempotency.keys, self.clock.now())
    }

    /// The number that a query of the database returns, on a connection of the test.
    pub fn query_number(&self, sql: &str) -> i64 {
        test_database::query_number(self.folder.path(), sql)
    }

    /// Creates an account with one key.
    pub async fn merchant(&self, mode: Mode, generation: Generation) -> ApiClient {
        let account = self.account("Adom Stores").await;
        self.key(&account, mode, generation).await
    }

    /// Creates an account without keys.
    pub async fn account(&self, name: &str) -> AccountId {
        self.account_with_id(name, AccountId::mint()).await
    }

    /// Creates an account with this id, which settings can name.
    pub async fn account_with_id(&self, name: &str, id: AccountId) -> AccountId {
        let account = Account { id, ..Account::new(name.to_owned(), self.clock.now()) };
        self.running()
            .store
            .create_account(account.clone(), Vec::new(), &self.audit())
            .await
            .unwrap();
        account.id
    }

    /// Adds a key to an account.
    pub async fn key(&self, account: &AccountId, mode: Mode, generation: Generation) -> ApiClient {
        let scope = Scope { account: account.clone(), mode };
        let (key, credential) = SecretKey::generate(scope, generation, self.clock.now());
        self.running().store.add_key(key, &self.audit()).await.unwrap();
        self.actor(&credential)
    }

    /// Creates a merchant with a v2 test key.
    pub async fn shop(&self) -> ApiClient {
        self.merchant(Mode::Test, Generation::V2).await
    }

    /// Creates a session of GHS 10.50 of this merchant; returns a client with its token.
    pub async fn payer(&self, merchant: &ApiClient) -> ApiClient {
        let opened = merchant
            .post("/v1/checkout", &json!({ "amount": 10.5, "email": "ama@example.com" }))
            .await;
        self.actor(opened.json()["checkoutToken"].as_str().unwrap())
    }

    /// A client with this credential.
    pub fn actor(&self, credential: &str) -> ApiClient {
        ApiClient {
            credential: credential.to_owned(),
            origin: self.origin.clone(),
            http: self.http.clone(),
        }
    }

    /// Moves the clock forward.
    pub fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Sets the wall clock forward by so many seconds, or back. No time passes.
    pub fn step_clock(&self, seconds: i64) {
        self.clock.step(SignedDuration::from_secs(seconds));
    }

    /// Waits until no call and no delivery is in flight.
    pub async fn wait_for_tasks(&self) {
        eventually("all tasks have ended", async || self.running().tasks.is_empty()).await;
    }

    /// Waits until all work that is due is done. The clock must be stopped, and must have been
    /// moved by at least a second.
    pub async fn wait_for_due_work(&self) {
        self.test_clock.wait_for_workers().await;
        self.wait_for_tasks().await;
    }

    /// Stops the service and starts it again on the same port, file and clock.
    pub async fn restart(&mut self) {
        self.restart_with(|operators| operators).await;
    }

    /// As [`Self::restart`], with these operators afterwards.
    pub async fn restart_with(&mut self, choose: impl FnOnce(Operators) -> Operators) {
        self.running.take().unwrap().stop().await;
        let clock = Arc::new(self.test_clock.clone());
        self.running = Some(start_with(self.config.clone(), clock, choose).await.unwrap());
    }
}
