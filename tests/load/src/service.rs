//! The real `tua` on a database file of its own, as a process that is measured from outside.

use crate::{client::Client, cores::Cores};
use anyhow::{Context, Result, bail, ensure};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use procfs::process::{ClearRefs, Process};
use serde_json::Value;
use std::{
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tua_reserved_port::ReservedPort;

const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A merchant with a database of its own.
#[derive(Debug)]
pub struct Shop {
    tua: PathBuf,
    folder: TempDir,
    /// The cores that the service may use; `None` for all.
    cores: Option<Cores>,
    pub address: SocketAddr,
    /// The port of `address`, also while the service is stopped.
    _port: ReservedPort,
    /// The identifier of the merchant's account.
    account: String,
    /// The merchant's v2 key: of test mode, or of live mode after [`Self::live`].
    pub key: String,
    /// Whether a settings file has live operators.
    is_live: bool,
    /// The URL of its database.
    database_url: String,
    /// The server key, where no file beside the database has it.
    server_key: Option<String>,
}

impl Shop {
    /// The settings file, in the shop's folder.
    pub const SETTINGS: &str = "tua.toml";

    pub fn open(tua: &Path) -> Result<Self> {
        let port = ReservedPort::new()?;
        let tua = tua.canonicalize().with_context(|| format!("the binary {}", tua.display()))?;
        let mut shop = Self {
            tua,
            folder: tempfile::tempdir()?,
            cores: None,
            address: port.address(),
            _port: port,
            account: String::new(),
            key: String::new(),
            is_live: false,
            database_url: "sqlite://tua.db".to_owned(),
            server_key: None,
        };
        let created = shop.json(&["account", "create", "--name", "Adom Stores"])?;
        created["accountId"].as_str().context("an account")?.clone_into(&mut shop.account);
        created["keys"]["testV2"].as_str().context("a test key")?.clone_into(&mut shop.key);
        Ok(shop)
    }

    /// Restricts the service to these cores.
    pub fn with_cores(self, cores: Option<Cores>) -> Self {
        Self { cores, ..self }
    }

    /// Gives the service these settings, and the merchant a live key.
    pub fn live(mut self, settings: &str) -> Result<Self> {
        fs::write(self.folder.path().join(Self::SETTINGS), settings)?;
        let created =
            self.json(&["key", "create", "--account", &self.account, "--mode", "live"])?;
        created["key"].as_str().context("a live key")?.clone_into(&mut self.key);
        self.is_live = true;
        Ok(self)
    }

    /// Where an operator's callbacks arrive.
    pub fn callback_url(&self, operator: &str) -> Result<String> {
        let public_url = format!("http://{}", self.address);
        let shown = self.json(&[
            "operator",
            "--config",
            Self::SETTINGS,
            "--public-url",
            &public_url,
            "show",
            operator,
        ])?;
        Ok(shown["callbackUrl"].as_str().context("a callback URL")?.to_owned())
    }

    /// Adds an owner, and a webhook endpoint at which nothing listens. Returns the account and the
    /// endpoint.
    pub fn with_owner_and_endpoint(&self) -> Result<(String, String)> {
        self.json(&[
            "user",
            "invite",
            "owner@example.com",
            "--account",
            &self.account,
            "--role",
            "owner",
        ])?;
        let url = "http://127.0.0.1:9/hooks";
        let added = self.json(&[
            "webhook",
            "add",
            "--mode",
            "test",
            "--account",
            &self.account,
            "--url",
            url,
        ])?;
        Ok((self.account.clone(), added["endpointId"].as_str().context("an endpoint")?.to_owned()))
    }

    /// Copies the database to a server, and uses that one from now on.
    pub fn copy_to(&mut self, url: &str) -> Result<()> {
        let key = fs::read_to_string(self.folder.path().join("tua.db.key"))?;
        self.server_key = Some(key.trim().to_owned());
        url.clone_into(&mut self.database_url);
        let copied =
            self.command().args(["copy", "--from", "sqlite://tua.db", "--to", url]).output()?;
        ensure!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        Ok(())
    }

    /// A client with the secret key.
    pub fn client(&self) -> Client {
        Client::new(self.address, self.key.clone())
    }

    /// A client with a token.
    pub const fn payer(&self, token: String) -> Client {
        Client::new(self.address, token)
    }

    /// Starts the service and waits until it is ready.
    pub async fn serve(&self) -> Result<Service> {
        let log =
            File::options().create(true).append(true).open(self.folder.path().join("tua.log"))?;
        let address = self.address.to_string();
        let mut command = self.command();
        command.args(["serve", "--listen", &address, "--sandbox-speed", "1"]);
        // While a live key exists, limits cannot be off.
        command.args(if self.is_live { ["--config", Self::SETTINGS] } else { ["--limits", "off"] });
        let began = Instant::now();
        let process = command.stdout(Stdio::null()).stderr(log).spawn()?;
        let mut service = Service { process, ready_after: Duration::ZERO };
        let mut probe = Client::new(self.address, String::new());
        while probe
            .get("/readyz", &[])
            .await
            .is_ok_and(|response| response.status.is_success())
            .eq(&false)
        {
            ensure!(
                service.process.try_wait()?.is_none(),
                "the service ended: {}",
                self.last_log_line()
            );
            ensure!(
                began.elapsed() < START_TIMEOUT,
                "the service is not ready: {}",
                self.last_log_line()
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        service.ready_after = began.elapsed();
        Ok(service)
    }

    /// The path of the SQLite file in the shop's folder.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("tua.db")
    }

    /// Its size in bytes.
    pub fn database_size(&self) -> Result<u64> {
        Ok(fs::metadata(self.database())?.len())
    }

    /// The size of its write-ahead log in bytes.
    pub fn log_size(&self) -> Result<u64> {
        Ok(fs::metadata(self.folder.path().join("tua.db-wal"))?.len())
    }

    /// The folder in which its commands run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The output of a command with `--json`.
    fn json(&self, arguments: &[&str]) -> Result<Value> {
        let output = self.command().args(arguments).arg("--json").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The program in the shop's folder, with its database.
    pub fn command(&self) -> Command {
        let mut command = match &self.cores {
            Some(Cores(cores)) => {
                let mut command = Command::new("taskset");
                command.args(["--cpu-list", cores]).arg(&self.tua);
                command
            }
            None => Command::new(&self.tua),
        };
        command
            .current_dir(self.folder.path())
            .env("TUA_DATABASE", &self.database_url)
            .env("TUA_LOG", "warn");
        command.envs(self.server_key.as_ref().map(|key| ("TUA_SERVER_KEY", key)));
        command
    }

    fn last_log_line(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("tua.log")).unwrap_or_default();
        log.lines().next_back().unwrap_or("the log is empty").to_owned()
    }
}

/// A running service. Dropping it kills it.
#[derive(Debug)]
pub struct Service {
    process: Child,
    /// From its start to its first `200` at `/readyz`.
    pub ready_after: Duration,
}

/// The memory of a process, in KiB.
#[derive(Clone, Copy, Debug)]
pub struct MemoryUsage {
    /// What is in memory now (`VmRSS`).
    pub resident: u64,
    /// The maximum until now.
    pub max: u64,
}

impl Service {
    pub fn memory(&self) -> Result<MemoryUsage> {
        let status = self.process()?.status()?;
        let resident = status.vmrss.context("no VmRSS")?;
        Ok(MemoryUsage { resident, max: status.vmhwm.context("no VmHWM")? })
    }

    /// How many files and connections are open.
    pub fn handles(&self) -> Result<u64> {
        Ok(u64::try_from(self.process()?.fd_count()?)?)
    }

    /// Begins to measure the maximum again. Returns what is resident, in KiB.
    pub fn reset_max_memory(&self) -> Result<u64> {
        self.process()?.clear_refs(ClearRefs::PeakRSS)?;
        Ok(self.memory()?.resident)
    }

    /// The processor time of all its threads.
    pub fn processor_time(&self) -> Result<Duration> {
        let stat = self.process()?.stat()?;
        let tick = Duration::from_secs(1) / u32::try_from(procfs::ticks_per_second())?;
        Ok(tick * u32::try_from(stat.utime + stat.stime)?)
    }

    fn process(&self) -> Result<Process> {
        Ok(Process::new(i32::try_from(self.process.id())?)?)
    }

    /// Sends SIGTERM; returns the time until it exits.
    pub async fn stop(mut self) -> Result<Duration> {
        let began = Instant::now();
        kill(Pid::from_raw(i32::try_from(self.process.id())?), Signal::SIGTERM)?;
        loop {
            match self.process.try_wait()? {
                Some(status) if status.success() => return Ok(began.elapsed()),
                Some(status) => bail!("the service ended with {status}"),
                None => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
