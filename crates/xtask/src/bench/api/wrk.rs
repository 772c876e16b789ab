//! The load generator wrk and its results. Its percentiles include the delay of requests that it
//! could not send in time.

use super::workload::Workload;
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCRIPT: &str = include_str!("load.lua");
const CONNECTIONS: u32 = 64;
const RUN_SECONDS: u32 = 8;

/// The rate of requests.
#[derive(Debug, Clone, Copy)]
pub enum Rate {
    /// Each connection sends a request as soon as it has the previous response.
    Saturating,
    /// This many per second, independent of the responses.
    PerSecond(u32),
}

/// The result of one run.
#[derive(Debug, Clone, Copy)]
pub struct RunResult {
    /// Requests, or whole payments, that finished in the run.
    pub finished: u64,
    /// How many finished per second, over all connections.
    pub rate: u64,
    pub p50: Duration,
    pub p99: Duration,
    pub p999: Duration,
}

#[derive(Debug)]
pub struct Wrk {
    script: PathBuf,
    ids: PathBuf,
}

impl Wrk {
    /// Installs wrk, and writes its script into this folder.
    pub fn new(dir: &Path) -> Result<Self> {
        tools::apt_program("wrk", "wrk")?;
        let wrk = Self { script: dir.join("load.lua"), ids: dir.join("ids") };
        write(&wrk.script, SCRIPT)?;
        wrk.write_ids(&["txn_0".to_owned()])?;
        Ok(wrk)
    }

    /// Sets the transactions for [`Workload::Status`].
    pub fn write_ids(&self, ids: &[String]) -> Result<()> {
        write(&self.ids, &ids.join("\n"))
    }

    /// Runs wrk.
    ///
    /// # Errors
    /// A response is not a success, or a connection breaks.
    pub fn run(
        &self,
        title: &str,
        address: SocketAddr,
        workload: Workload,
        credential: &str,
        rate: Rate,
    ) -> Result<RunResult> {
        let title = format!("{title}: {}", workload.title());
        let per_second = match rate {
            Rate::Saturating => 0,
            Rate::PerSecond(rate) => rate,
        };
        let run = Step::new(&title, "wrk")
            .args(["--threads", "1", "--timeout", "10s", "--connections", &CONNECTIONS.to_string()])
            .args(["--duration", &format!("{RUN_SECONDS}s"), "--script"])
            .args([&self.script])
            .args([&format!("http://{address}"), "--", workload.requests(), credential])
            .args([&self.ids])
            .args([per_second.to_string()])
            .about(RUN_SECONDS)
            .run()?;
        let line =
            run.log.lines().find_map(|line| line.strip_prefix("RESULT ")).unwrap_or_default();
        let numbers: Vec<u64> =
            line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [finished, rate, p50, p99, p999, 0, 0] => {
                let [p50, p99, p999] = [p50, p99, p999].map(Duration::from_micros);
                Ok(RunResult { finished, rate, p50, p99, p999 })
            }
            [.., refused, broken] => {
                Err(fault!("{title}: {refused} responses were errors, {broken} connections broke"))
            }
            _ => Err(fault!("{title}: wrk printed no result")),
        }
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|e| fault!("{}: {e}", paths::shown(file)))
}
