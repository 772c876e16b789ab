//! The real `tua`: an account with an endpoint, and a process that can be killed.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// How much faster than life the sandbox is.
const SANDBOX_SPEED: &str = "50";

/// A merchant on a database of its own.
#[derive(Clone, Debug)]
pub struct Shop {
    tua: PathBuf,
    folder: PathBuf,
    listen: String,
    /// `http://127.0.0.1:…`, the same over all restarts.
    pub origin: String,
    /// The merchant's v2 test key.
    pub key: String,
    /// What webhooks are signed with.
    pub secret: String,
}

impl Shop {
    /// Makes the account and its endpoint.
    pub fn open(tua: &Path, folder: &Path, webhook_url: &str) -> Result<Self> {
        let tua = tua.canonicalize().with_context(|| format!("the binary {}", tua.display()))?;
        // A port that is free now, kept over all restarts.
        let listen = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let origin = format!("http://{listen}");
        let mut shop =
            Self { tua, folder: folder.to_owned(), listen, origin, key: String::new(), secret: String::new() };
        let account = shop.run(["account", "create", "--name", "Adom Stores"])?;
        shop.key = text(&account["keys"]["testV2"])?;
        let id = text(&account["accountId"])?;
        let added = shop.run(["webhook", "add", "--account", &id, "--mode", "test", "--url", webhook_url])?;
        shop.secret = text(&added["secret"])?;
        Ok(shop)
    }

    /// Starts the service and returns once it listens.
    pub fn serve(&self) -> Result<Service> {
        let log = File::options().create(true).append(true).open(self.folder.join("tua.log"))?;
        let flags = ["--listen", &self.listen, "--sandbox-speed", SANDBOX_SPEED, "--limits", "off"];
        let mut child = self.command().arg("serve").args(flags).stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output")?).read_line(&mut line)?;
        if line.is_empty() {
            bail!("the service did not start again: {}", self.last_words());
        }
        Ok(Service(child))
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.folder.join("tua.db")
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Value> {
        let output = self.command().args(arguments).output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.tua);
        command.current_dir(&self.folder).env("TUA_DATABASE", "sqlite://tua.db").env("TUA_JSON", "true");
        command
    }

    fn last_words(&self) -> String {
        let log = std::fs::read_to_string(self.folder.join("tua.log")).unwrap_or_default();
        log.lines().next_back().unwrap_or("it said nothing").to_owned()
    }
}

/// A running service, killed when it is dropped.
#[derive(Debug)]
pub struct Service(Child);

impl Service {
    /// `kill -9`.
    pub fn kill(&mut self) -> Result<()> {
        if let Some(status) = self.0.try_wait()? {
            bail!("the service ended by itself: {status}");
        }
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Gone already where a round has killed it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn text(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).context("a text")
}
