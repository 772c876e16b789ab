//! The service under load, with an account, keys and a webhook endpoint.

use crate::fault::{Result, fault};
use crate::step::{Background, Step};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The server key that nodes on PostgreSQL require. It protects no real data.
const SERVER_KEY: (&str, &str) = ("TUA_SERVER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

/// `tua serve` with its own database. Dropping it stops it.
#[derive(Debug)]
pub struct Service {
    pub at: SocketAddr,
    pub v1_key: String,
    pub v2_key: String,
    /// The webhook endpoint: it accepts connections and never responds. So the service stores every
    /// delivery, and the load of a merchant's server does not count.
    _endpoint: TcpListener,
    _process: Background,
}

impl Service {
    pub fn start(title: &str, binary: &Path, database: &str) -> Result<Self> {
        let tua = |title: String| Step::new(title, binary).env(SERVER_KEY.0, SERVER_KEY.1);
        let setup = || tua(format!("{title}: creating an account"));
        let account = setup()
            .args(["account", "create", "--name", "Bench", "--json", "--database", database])
            .run()?
            .log;
        let endpoint = TcpListener::bind("127.0.0.1:0").map_err(|e| fault!("no free port: {e}"))?;
        let hook = endpoint.local_addr().map_err(|e| fault!("no free port: {e}"))?;
        setup()
            .args([
                "webhook",
                "add",
                "--mode",
                "test",
                "--account",
                &word(&account, "acc_")?,
                "--json",
            ])
            .args(["--url", &format!("http://{hook}/hooks"), "--database", database])
            .run()?;
        let mut process = tua(title.to_owned())
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--limits", "off"])
            .start()?;
        let ready = process.wait_for_line("tua listens on ", START_TIMEOUT)?;
        let at = ready.split(',').next().unwrap_or_default();
        let at = at.parse().map_err(|e| {
            fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log())
        })?;
        let v1_key = word(&account, "sk_test_")?;
        let v2_key = word(&account, "tua_test_v2_")?;
        Ok(Self { at, v1_key, v2_key, _endpoint: endpoint, _process: process })
    }

    /// The ids of the newest 100 transactions.
    pub fn transactions(&self) -> Result<Vec<String>> {
        let listed = Step::new("listing the transactions", "curl")
            .args([
                "--silent",
                "--show-error",
                "--fail",
                "--header",
                &format!("x-api-key: {}", self.v2_key),
            ])
            .args([format!("http://{}/v1/transactions?limit=100", self.at)])
            .run()?;
        Ok(listed
            .log
            .split('"')
            .filter(|word| word.starts_with("txn_"))
            .map(str::to_owned)
            .collect())
    }
}

/// The first JSON string with this prefix.
fn word(json: &str, prefix: &str) -> Result<String> {
    let word = json.split('"').find(|word| word.starts_with(prefix)).map(str::to_owned);
    word.ok_or_else(|| fault!("tua account create: its output has no {prefix}…"))
}
