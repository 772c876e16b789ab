//! The service under load, with three accounts.

use super::usage::Processes;
use super::workload::{Endpoint, Workload};
use crate::fault::{Result, fault};
use crate::step::{Background, Step};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The server key that nodes on PostgreSQL require. It protects no real data.
const SERVER_KEY: (&str, &str) = ("TUA_SERVER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

/// `tua serve` with its own database. Dropping it stops it.
#[derive(Debug)]
pub struct Service {
    pub at: SocketAddr,
    without_endpoint: Keys,
    unresponsive_endpoint: Keys,
    accepting_endpoint: Keys,
    /// It accepts connections and never responds. So the service stores every delivery, and the
    /// load of a merchant's server does not count.
    _unresponsive: TcpListener,
    process: Background,
}

/// The secret keys of an account.
#[derive(Debug)]
struct Keys {
    v1: String,
    v2: String,
}

/// How a service is started: its program, its database, and where its webhooks are accepted.
#[derive(Debug)]
pub struct Setup {
    pub title: String,
    pub program: PathBuf,
    pub database_url: String,
    pub accepting: SocketAddr,
}

impl Service {
    pub fn start(setup: &Setup) -> Result<Self> {
        let unresponsive =
            TcpListener::bind("127.0.0.1:0").map_err(|e| fault!("no free port: {e}"))?;
        let unresponsive_at = unresponsive.local_addr().map_err(|e| fault!("no free port: {e}"))?;
        let without_endpoint = setup.account(None)?;
        let unresponsive_endpoint = setup.account(Some(unresponsive_at))?;
        let accepting_endpoint = setup.account(Some(setup.accepting))?;
        let mut process = tua(&setup.program, &setup.title)
            .args(["serve", "--listen", "127.0.0.1:0", "--limits", "off"])
            .args(["--database", &setup.database_url])
            .start()?;
        let ready = process.wait_for_line("tua listens on ", START_TIMEOUT)?;
        let at = ready.split(',').next().unwrap_or_default();
        let at = at.parse().map_err(|e| {
            fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log())
        })?;
        Ok(Self {
            at,
            without_endpoint,
            unresponsive_endpoint,
            accepting_endpoint,
            _unresponsive: unresponsive,
            process,
        })
    }

    pub fn processes(&self, database: Option<u32>) -> Processes {
        Processes { service: self.process.id(), database }
    }

    pub fn key_for(&self, workload: Workload) -> &str {
        let keys = match workload.endpoint() {
            Endpoint::None => &self.without_endpoint,
            Endpoint::Unresponsive => &self.unresponsive_endpoint,
            Endpoint::Accepting => &self.accepting_endpoint,
        };
        if workload.needs_v2_key() { &keys.v2 } else { &keys.v1 }
    }

    /// The ids of the newest 100 transactions of the account without an endpoint.
    pub fn transactions(&self) -> Result<Vec<String>> {
        let listed = Step::new("listing the transactions", "curl")
            .args(["--silent", "--show-error", "--fail", "--header"])
            .args([format!("x-api-key: {}", self.without_endpoint.v2)])
            .args([format!("http://{}/v1/transactions?limit=100", self.at)])
            .run()?;
        let words = listed.log.split('"');
        Ok(words.filter(|word| word.starts_with("txn_")).map(str::to_owned).collect())
    }
}

impl Setup {
    /// Creates an account, with a webhook endpoint at this address.
    fn account(&self, endpoint: Option<SocketAddr>) -> Result<Keys> {
        let title = format!("{}: creating an account", self.title);
        let account = tua(&self.program, &title)
            .args(["account", "create", "--name", "Bench", "--json"])
            .args(["--database", &self.database_url])
            .run()?
            .log;
        if let Some(endpoint) = endpoint {
            let title = format!("{}: adding a webhook endpoint", self.title);
            tua(&self.program, &title)
                .args(["webhook", "add", "--mode", "test", "--json"])
                .args(["--account", &word(&account, "acc_")?])
                .args(["--url", &format!("http://{endpoint}/hooks")])
                .args(["--database", &self.database_url])
                .run()?;
        }
        Ok(Keys { v1: word(&account, "sk_test_")?, v2: word(&account, "tua_test_v2_")? })
    }
}

fn tua(program: &Path, title: &str) -> Step {
    Step::new(title, program).env(SERVER_KEY.0, SERVER_KEY.1)
}

/// The first JSON string with this prefix.
fn word(json: &str, prefix: &str) -> Result<String> {
    let word = json.split('"').find(|word| word.starts_with(prefix)).map(str::to_owned);
    word.ok_or_else(|| fault!("tua account create: its output has no {prefix}…"))
}
