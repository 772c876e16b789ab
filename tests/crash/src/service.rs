//! The real `tua`: an account with a webhook endpoint, and processes that can be killed.

use crate::operators::Operators;
use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tua_domain::secret::random_bytes;
use tua_store::database::Database;

/// The speed of the sandbox.
const SANDBOX_SPEED: &str = "200";

/// A merchant with a database of its own.
#[derive(Clone, Debug)]
pub struct Shop {
    tua: PathBuf,
    folder: PathBuf,
    database: Database,
    database_url: String,
    server_key: String,
    /// The address of each node. It does not change on a restart.
    pub listens: Vec<String>,
    /// `http://127.0.0.1:…`: the only node, or the load balancer in front of all nodes.
    pub origin: String,
    /// The merchant's v2 key: a test key, or with operators a live key.
    pub key: String,
    /// The secret that signs webhooks.
    pub secret: String,
    account: String,
    /// The settings with the operators of live payments.
    config: Option<PathBuf>,
}

impl Shop {
    /// Chooses an address for each node, and creates an account with a test key.
    pub fn open(tua: &Path, folder: &Path, database: &str, nodes: u32) -> Result<Self> {
        let tua = tua.canonicalize().with_context(|| format!("the binary {}", tua.display()))?;
        let listens = free_addresses(nodes + 1)?;
        let (load_balancer, listens) = listens.split_first().context("an address")?;
        let first = if nodes == 1 { &listens[0] } else { load_balancer };
        let mut shop = Self {
            tua,
            folder: folder.to_owned(),
            database: match database.parse().map_err(anyhow::Error::msg)? {
                Database::Sqlite(name) => Database::Sqlite(folder.join(name)),
                server => server,
            },
            database_url: database.to_owned(),
            server_key: URL_SAFE_NO_PAD.encode(random_bytes::<32>()),
            listens: listens.to_vec(),
            origin: format!("http://{first}"),
            key: String::new(),
            secret: String::new(),
            account: String::new(),
            config: None,
        };
        let account = shop.run(["account", "create", "--name", "Adom Stores"])?;
        shop.key = text(&account["keys"]["testV2"])?;
        shop.account = text(&account["accountId"])?;
        Ok(shop)
    }

    /// The same merchant, with another program.
    pub fn with_program(&self, tua: &Path) -> Result<Self> {
        let tua = tua.canonicalize().with_context(|| format!("the binary {}", tua.display()))?;
        Ok(Self { tua, ..self.clone() })
    }

    /// The identifier of the merchant's account.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// Adds a webhook endpoint for test payments.
    pub fn add_endpoint(&mut self, url: &str) -> Result<()> {
        let added = self.run([
            "webhook",
            "add",
            "--account",
            &self.account,
            "--mode",
            "test",
            "--url",
            url,
        ])?;
        self.secret = text(&added["secret"])?;
        Ok(())
    }

    /// Makes live payments instead, through the operators of the emulator at this address.
    pub fn use_operators(&mut self, emulator: &str, seed: u64) -> Result<()> {
        let printed = self.run(["emulate", "--listen", emulator, "--print-config"])?;
        let path = self.folder.join("live.toml");
        std::fs::write(&path, Operators::settings(&text(&printed["config"])?, seed)?)?;
        self.config = Some(path);
        self.key = text(
            &self.run(["key", "create", "--account", &self.account, "--mode", "live"])?["key"],
        )?;
        Ok(())
    }

    /// Where an operator of the settings sends its callbacks.
    pub fn callback_url(&self, operator: &str) -> Result<String> {
        let config = self.config()?.display().to_string();
        text(
            &self.run([
                "operator",
                "show",
                operator,
                "--config",
                &config,
                "--public-url",
                &self.origin,
            ])?["callbackUrl"],
        )
    }

    /// The settings with the operators of live payments.
    pub fn config(&self) -> Result<&Path> {
        self.config.as_deref().context("settings")
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether payments are live.
    pub const fn is_live(&self) -> bool {
        self.config.is_some()
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.listens.len()
    }

    /// The address that clients use.
    pub fn address(&self) -> &str {
        self.origin.trim_start_matches("http://")
    }

    /// Starts a node and waits until it listens.
    pub fn serve(&self, node: usize) -> Result<Service> {
        let log = File::options().create(true).append(true).open(self.folder.join("tua.log"))?;
        let flags = ["--listen", &self.listens[node], "--public-url", &self.origin];
        let mut command = self.command();
        match &self.config {
            Some(config) => command.arg("serve").args(flags).arg("--config").arg(config),
            None => command.arg("serve").args(flags).args([
                "--sandbox-speed",
                SANDBOX_SPEED,
                "--limits",
                "off",
            ]),
        };
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output")?).read_line(&mut line)?;
        // With `TUA_JSON` a fault is a line of the standard output too.
        let started: Value = serde_json::from_str(&line).unwrap_or_default();
        ensure!(
            started["listening"].is_string(),
            "the service did not start: {}",
            self.last_log_line()
        );
        Ok(Service(child))
    }

    /// The database of all nodes: an SQLite file in the folder, or a PostgreSQL server.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The URL of the database on a PostgreSQL server.
    pub fn database_url(&self) -> &str {
        &self.database_url
    }

    /// Runs `tua` with these arguments, and returns the JSON that it prints.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Value> {
        let output = self.command().args(arguments).output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// `tua` on this database.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.tua);
        command
            .current_dir(&self.folder)
            .env("TUA_JSON", "true")
            .env("TUA_DATABASE", &self.database_url);
        command.env("TUA_SERVER_KEY", &self.server_key);
        command
    }

    fn last_log_line(&self) -> String {
        let log = std::fs::read_to_string(self.folder.join("tua.log")).unwrap_or_default();
        log.lines().next_back().unwrap_or("the log is empty").to_owned()
    }
}

/// A running service. Dropping it kills it.
#[derive(Debug)]
pub struct Service(Child);

impl Service {
    /// Ends it with SIGKILL, and waits until it has ended. Fails if it ended earlier.
    pub fn kill(&mut self) -> Result<()> {
        if let Some(status) = self.0.try_wait()? {
            bail!("the service ended by itself: {status}");
        }
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Service {
    /// Ends it with SIGTERM, as an upgrade does. Fails if its exit code is not 0.
    pub fn stop(mut self) -> Result<()> {
        let sent = Command::new("kill").arg(self.0.id().to_string()).status()?;
        ensure!(sent.success(), "SIGTERM could not be sent");
        let status = self.0.wait()?;
        ensure!(status.success(), "the service ended with {status}");
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Fails if a round has killed it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Free addresses. All are bound at the same time, so that they differ.
fn free_addresses(count: u32) -> Result<Vec<String>> {
    let bound = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0"))
        .collect::<std::io::Result<Vec<_>>>()?;
    bound.iter().map(|listener| Ok(listener.local_addr()?.to_string())).collect()
}

fn text(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).context("a text")
}
