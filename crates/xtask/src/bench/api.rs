//! The API on both engines with everything on, in turns with handlers that keep nothing.

use super::service::Service;
use super::wrk::{Measured, Pace, What, Wrk};
use crate::fault::{Result, fault};
use crate::step::{Background, Step};
use crate::{paths, postgres, tools};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

const ROUNDS: usize = 3;

/// What a national operator's busiest merchant may send.
const STEADY: u32 = 1_000;

/// The sandbox calls back after two seconds, and what follows from that is not the next measurement's.
const AFTERMATH: Duration = Duration::from_secs(4);

pub(super) fn run() -> Result<()> {
    tools::apt_program("curl", "curl")?;
    Step::new("compiling the service and the ruler, optimised", "cargo")
        .args(["build", "--release", "--package", "tua-service", "--package", "tua-harness"])
        .args(["--bin", "tua", "--bin", "bare"])
        .about(300)
        .run()?;
    let dir = paths::target().join("bench");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let wrk = Wrk::new(&dir)?;
    let bare = Bare::start()?;
    let sqlite = measure("SQLite", &sqlite_url(&dir), &wrk, &bare)?;
    let server = postgres::Server::start()?;
    let postgres = measure("PostgreSQL", &server.url(), &wrk, &bare)?;
    println!("{:42} {:>10} {:>10} {:>10} {:>10} {:>8}", "", "per second", "p50", "p99", "p99.9", "of bare");
    sqlite.into_iter().chain(postgres).for_each(|line| println!("{line}"));
    println!("medians of {ROUNDS} rounds of wrk with 64 connections, on the same machine as what it measures");
    Ok(())
}

fn sqlite_url(dir: &Path) -> String {
    format!("sqlite://{}", dir.join("bench.db").display())
}

/// A line for each of ours and of the ruler's.
fn measure(engine: &str, database: &str, wrk: &Wrk, bare: &Bare) -> Result<Vec<String>> {
    let service = Service::start(&format!("the service on {engine}"), database)?;
    let (mut ours, mut theirs) = ([const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    for _ in 0..ROUNDS {
        for (index, what) in [What::Charge, What::Checkout, What::Status].into_iter().enumerate() {
            let key = if let What::Charge = what { &service.v1_key } else { &service.v2_key };
            theirs[index].push(wrk.run("a bare handler", bare.at, what, key, Pace::AsFast)?);
            ours[index].push(wrk.run(engine, service.at, what, key, Pace::AsFast)?);
            if let What::Charge = what {
                thread::sleep(AFTERMATH);
                wrk.ask_for(&service.transactions()?)?;
            }
        }
    }
    let mut lines = Vec::new();
    for ((what, ours), theirs) in [What::Charge, What::Checkout, What::Status].into_iter().zip(ours).zip(theirs) {
        let (ours, theirs) = (Measured::median(ours), Measured::median(theirs));
        lines.push(line(&format!("a bare handler: {}", what.title()), theirs, None));
        lines.push(line(&format!("{engine}: {}", what.title()), ours, Some(theirs)));
    }
    let steady = wrk.run(engine, service.at, What::Charge, &service.v1_key, Pace::PerSecond(STEADY))?;
    lines.push(line(&format!("{engine}: {}, {STEADY} a second", What::Charge.title()), steady, None));
    Ok(lines)
}

fn line(title: &str, run: Measured, ceiling: Option<Measured>) -> String {
    let milliseconds = |time: Duration| format!("{}.{:02} ms", time.as_millis(), time.subsec_micros() % 1000 / 10);
    let [p50, p99, p999] = [run.p50, run.p99, run.p999].map(milliseconds);
    let share = ceiling.map_or_else(String::new, |ceiling| format!("{} %", run.rate * 100 / ceiling.rate.max(1)));
    format!("{title:42} {:>10} {p50:>10} {p99:>10} {p999:>10} {share:>8}", run.rate)
}

/// Handlers that read and write the same JSON, and do nothing else.
struct Bare {
    at: SocketAddr,
    _process: Background,
}

impl Bare {
    fn start() -> Result<Self> {
        let mut process = Step::new("the bare handlers", paths::target().join("release/bare")).start()?;
        let at = process.wait_for_line("bare listens on ", Duration::from_secs(10))?;
        let at = at
            .parse()
            .map_err(|e| fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log()))?;
        Ok(Self { at, _process: process })
    }
}
