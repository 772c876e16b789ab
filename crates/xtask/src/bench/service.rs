//! The service under load, as a merchant has it: keys, and an endpoint that hears of everything.

use crate::fault::{Result, fault};
use crate::step::{Background, Step};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

const STARTS_WITHIN: Duration = Duration::from_secs(20);

/// Nodes on PostgreSQL are told theirs; it guards nothing here.
const SERVER_KEY: (&str, &str) = ("TUA_SERVER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

/// `tua serve` on a database of its own; dropped, it ends.
#[derive(Debug)]
pub struct Service {
    pub at: SocketAddr,
    pub v1_key: String,
    pub v2_key: String,
    /// Takes connections and never answers: what is sent to it is written down and waits, and no load of
    /// somebody else's server is measured.
    _endpoint: TcpListener,
    _process: Background,
}

impl Service {
    pub fn start(title: &str, binary: &Path, database: &str) -> Result<Self> {
        let tua = |title: String| Step::new(title, binary).env(SERVER_KEY.0, SERVER_KEY.1);
        let making = || tua(format!("{title}: making an account"));
        let account =
            making().args(["account", "create", "--name", "Bench", "--json", "--database", database]).run()?.log;
        let endpoint = TcpListener::bind("127.0.0.1:0").map_err(|e| fault!("no free port: {e}"))?;
        let hook = endpoint.local_addr().map_err(|e| fault!("no free port: {e}"))?;
        making()
            .args(["webhook", "add", "--mode", "test", "--account", &word(&account, "acc_")?, "--json"])
            .args(["--url", &format!("http://{hook}/hooks"), "--database", database])
            .run()?;
        let mut process = tua(title.to_owned())
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--limits", "off"])
            .start()?;
        let ready = process.wait_for_line("tua listens on ", STARTS_WITHIN)?;
        let at = ready.split(',').next().unwrap_or_default();
        let at = at
            .parse()
            .map_err(|e| fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log()))?;
        let (v1_key, v2_key) = (word(&account, "sk_test_")?, word(&account, "tua_test_v2_")?);
        Ok(Self { at, v1_key, v2_key, _endpoint: endpoint, _process: process })
    }

    /// Its newest transactions.
    pub fn transactions(&self) -> Result<Vec<String>> {
        let listed = Step::new("asking for what there is", "curl")
            .args(["--silent", "--show-error", "--fail", "--header", &format!("x-api-key: {}", self.v2_key)])
            .args([format!("http://{}/v1/transactions?limit=100", self.at)])
            .run()?;
        Ok(listed.log.split('"').filter(|word| word.starts_with("txn_")).map(str::to_owned).collect())
    }
}

/// The first quoted word that begins so.
fn word(json: &str, prefix: &str) -> Result<String> {
    let word = json.split('"').find(|word| word.starts_with(prefix)).map(str::to_owned);
    word.ok_or_else(|| fault!("tua account create: its answer has no {prefix}…"))
}
