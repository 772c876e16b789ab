//! The real service with a clock that tests move, and which tests can stop and start.
//!
//! It has a socket, a SQLite file and the sandbox, as in production. Tests control it over HTTP,
//! from a page or from another program, through the program of this package.

pub mod control;
mod staff;

use anyhow::{Context, Result, anyhow};
use std::{sync::Arc, time::Duration};
use tempfile::TempDir;
use tua_config::Config;
use tua_domain::{
    Account, AccountId, Generation, Mode, Scope, SecretKey, audit::Source, branding::Branding,
    ports::Clock,
};
use tua_net::limits::Limits;
use tua_reserved_port::ReservedPort;
use tua_service::Running;
use tua_system::{actor::audit_context, clock::OffsetClock};

/// A test number that is paid after 2 s is paid after 0.2 s.
const SANDBOX_SPEED: f64 = 10.0;

/// The service on a port of its own, with one account.
#[derive(Debug)]
pub struct TestService {
    origin: String,
    account: AccountId,
    secret_key: String,
    clock: OffsetClock,
    config: Config,
    running: Option<Running>,
    _dir: TempDir,
    /// The port of `config`, also while the service is stopped.
    _port: ReservedPort,
}

impl TestService {
    /// Starts it on a free port, with a new database.
    ///
    /// # Errors
    /// Any error of the start.
    pub async fn start() -> Result<Self> {
        let dir = TempDir::with_prefix("tua-test-")?;
        let clock = OffsetClock::default();
        let mut config = Config::new(dir.path().join("tua.db"));
        // The port must not change, because a page uses it after a restart too.
        let port = ReservedPort::new()?;
        config.listen = port.address().to_string();
        config.sandbox_speed = SANDBOX_SPEED;
        config.limits = Limits::Off;
        let running = start(&config, &clock).await?;
        let (account, secret_key) = open_account(&running, &clock).await?;
        Ok(Self {
            origin: format!("http://{}", config.listen),
            account,
            secret_key,
            clock,
            config,
            running: Some(running),
            _dir: dir,
            _port: port,
        })
    }

    /// Its URL, without a trailing slash.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The account's v2 test key.
    #[must_use]
    pub fn secret_key(&self) -> &str {
        &self.secret_key
    }

    /// Moves its clock forward.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    fn running(&self) -> Result<&Running> {
        self.running.as_ref().context("the service is stopped")
    }

    /// Stops it. Its data are on disk.
    ///
    /// # Errors
    /// None. Stopping twice is no error.
    pub async fn stop(&mut self) -> Result<()> {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
        Ok(())
    }

    /// Starts it again on the same port and database.
    ///
    /// # Errors
    /// Any error of the start.
    pub async fn start_again(&mut self) -> Result<()> {
        if self.running.is_none() {
            self.running = Some(start(&self.config, &self.clock).await?);
        }
        Ok(())
    }
}

async fn start(config: &Config, clock: &OffsetClock) -> Result<Running> {
    tua_service::start(config.clone(), Arc::new(clock.clone()))
        .await
        .map_err(|fault| anyhow!(fault))
}

async fn open_account(running: &Running, clock: &OffsetClock) -> Result<(AccountId, String)> {
    let id = AccountId::mint();
    let account = Account {
        id: id.clone(),
        name: "Adom Stores".to_owned(),
        created_at: clock.now(),
        sends_receipts: false,
        suspended_at: None,
        branding: Branding::default(),
    };
    let scope = Scope { account: id.clone(), mode: Mode::Test };
    let (record, secret) = SecretKey::generate(scope, Generation::V2, clock.now());
    let by = audit_context(Source::CommandLine, None, &running.idempotency.keys, clock.now());
    running.store.create_account(account, vec![record], &by).await?;
    Ok((id, secret))
}
