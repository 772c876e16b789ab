//! Requests per second of the API on both databases, measured alternately with a reference.
//!
//! The reference is a server that sends the same JSON and stores nothing, or another build of
//! `tua`.

use super::service::Service;
use super::wrk::{Rate, RequestKind, RunResult, Wrk};
use crate::fault::{Result, fault};
use crate::step::{Background, Step};
use crate::{paths, postgres, tools};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

const ROUNDS: usize = 3;
const REQUESTS: [RequestKind; 3] =
    [RequestKind::Charge, RequestKind::Checkout, RequestKind::Status];

/// The rate of the steady load: about that of the busiest merchant of a national operator.
const STEADY_PER_SECOND: u32 = 1_000;

/// The sandbox sends its callbacks after two seconds. This pause excludes that work from the next
/// measurement.
const CALLBACKS_PAUSE: Duration = Duration::from_secs(4);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Compare with this `tua` binary (another build) instead of handlers that store nothing
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    tools::apt_program("curl", "curl")?;
    Step::cargo("compiling the service and the bare handlers, optimised", "build")
        .args(["--release", "--package", "tua-service", "--package", "tua-harness"])
        .args(["--bin", "tua", "--bin", "bare"])
        .about(300)
        .run()?;
    let dir = paths::target().join("bench");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let wrk = Wrk::new(&dir)?;
    let ours = paths::target().join("release/tua");

    let mut rows = Vec::new();
    for engine in ["SQLite", "PostgreSQL"] {
        let database = |name: &str| Database::start(engine, &dir.join(format!("{name}.db")));
        let our_database = database("ours")?;
        let reference_database = database("reference")?;
        let service =
            Service::start(&format!("the service on {engine}"), &ours, &our_database.url())?;
        let reference = match &args.against {
            Some(binary) => {
                let title = format!("the other build on {engine}");
                Reference::Build(Service::start(&title, binary, &reference_database.url())?)
            }
            None => Reference::Bare(Bare::start()?),
        };
        rows.extend(measure(engine, &service, &reference, &wrk)?);
    }
    println!(
        "{:42} {:>10} {:>10} {:>10} {:>10} {:>9}",
        "", "per second", "p50", "p99", "p99.9", "ratio"
    );
    rows.iter().for_each(|row| println!("{row}"));
    println!(
        "medians of {ROUNDS} rounds of wrk with 64 connections, on the same machine as the servers"
    );
    Ok(())
}

/// A database for one of the two servers.
enum Database {
    Sqlite(PathBuf),
    Postgres(postgres::Server),
}

impl Database {
    fn start(engine: &str, file: &Path) -> Result<Self> {
        if engine == "PostgreSQL" {
            postgres::Server::start().map(Self::Postgres)
        } else {
            Ok(Self::Sqlite(file.to_owned()))
        }
    }

    fn url(&self) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite://{}", file.display()),
            Self::Postgres(server) => server.url(),
        }
    }
}

/// The server that the service is compared with.
enum Reference {
    Bare(Bare),
    Build(Service),
}

impl Reference {
    fn title(&self) -> &'static str {
        match self {
            Self::Bare(_) => "bare handlers",
            Self::Build(_) => "other build",
        }
    }

    fn run(&self, wrk: &Wrk, service: &Service, kind: RequestKind) -> Result<RunResult> {
        match self {
            Self::Bare(bare) => {
                wrk.run(self.title(), bare.at, kind, key_for(service, kind), Rate::Saturating)
            }
            Self::Build(other) => run_service(self.title(), other, wrk, kind),
        }
    }
}

/// Rows of the table: each request with its reference, and charges at a steady rate.
fn measure(
    engine: &str,
    service: &Service,
    reference: &Reference,
    wrk: &Wrk,
) -> Result<Vec<String>> {
    let mut ours = [const { Vec::new() }; 3];
    let mut theirs = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        for (index, kind) in REQUESTS.into_iter().enumerate() {
            // The order alternates, so that a change of the machine's temperature affects both.
            if round % 2 == 0 {
                theirs[index].push(reference.run(wrk, service, kind)?);
                ours[index].push(run_service(engine, service, wrk, kind)?);
            } else {
                ours[index].push(run_service(engine, service, wrk, kind)?);
                theirs[index].push(reference.run(wrk, service, kind)?);
            }
        }
    }
    let mut rows = Vec::new();
    for ((kind, ours), theirs) in REQUESTS.into_iter().zip(ours).zip(theirs) {
        let ours = RunResult::median(ours);
        let theirs = RunResult::median(theirs);
        rows.push(row(&format!("{}: {}", reference.title(), kind.title()), theirs, None));
        rows.push(row(&format!("{engine}: {}", kind.title()), ours, Some(theirs)));
    }
    let steady = wrk.run(
        engine,
        service.at,
        RequestKind::Charge,
        &service.v1_key,
        Rate::PerSecond(STEADY_PER_SECOND),
    )?;
    rows.push(row(
        &format!("{engine}: {}, {STEADY_PER_SECOND} per second", RequestKind::Charge.title()),
        steady,
        None,
    ));
    Ok(rows)
}

fn run_service(title: &str, service: &Service, wrk: &Wrk, kind: RequestKind) -> Result<RunResult> {
    if let RequestKind::Status = kind {
        wrk.write_ids(&service.transactions()?)?;
    }
    let measured = wrk.run(title, service.at, kind, key_for(service, kind), Rate::Saturating)?;
    if let RequestKind::Charge = kind {
        thread::sleep(CALLBACKS_PAUSE);
    }
    Ok(measured)
}

fn key_for(service: &Service, kind: RequestKind) -> &str {
    match kind {
        RequestKind::Charge => &service.v1_key,
        RequestKind::Checkout | RequestKind::Status => &service.v2_key,
    }
}

fn row(title: &str, run: RunResult, reference: Option<RunResult>) -> String {
    let milliseconds =
        |time: Duration| format!("{}.{:02} ms", time.as_millis(), time.subsec_micros() % 1000 / 10);
    let [p50, p99, p999] = [run.p50, run.p99, run.p999].map(milliseconds);
    let ratio = reference.map_or_else(String::new, |reference| {
        format!("{} %", run.rate * 100 / reference.rate.max(1))
    });
    format!("{title:42} {:>10} {p50:>10} {p99:>10} {p999:>10} {ratio:>9}", run.rate)
}

/// Handlers that read and write the same JSON, and do nothing else.
struct Bare {
    at: SocketAddr,
    _process: Background,
}

impl Bare {
    fn start() -> Result<Self> {
        let mut process =
            Step::new("the bare handlers", paths::target().join("release/bare")).start()?;
        let at = process.wait_for_line("bare listens on ", Duration::from_secs(10))?;
        let at = at.parse().map_err(|e| {
            fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log())
        })?;
        Ok(Self { at, _process: process })
    }
}
