//! What requests and whole payments cost on both databases, measured alternately with a reference.
//!
//! The reference is a server that sends the same JSON and stores nothing, or another build of
//! `tua`.

mod bare;
mod service;
mod table;
mod usage;
mod workload;
mod wrk;

use self::bare::Bare;
use self::service::{Service, Setup};
use self::table::{Measured, print_head, print_row};
use self::usage::{Meter, Processes};
use self::workload::Workload;
use self::wrk::{Rate, Wrk};
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, postgres, tools};
use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The rate of the steady load: about that of the busiest merchant of a national operator.
const STEADY_PER_SECOND: u32 = 1_000;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Compare with this `tua` binary (another build) instead of handlers that store nothing
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Measure this database only
    #[arg(long, value_name = "DATABASE")]
    engine: Option<Engine>,
    /// Measure this only (can be repeated)
    #[arg(long, value_name = "WORK")]
    only: Vec<Workload>,
    /// The number of runs of each. The one with the median rate is printed
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    Sqlite,
    Postgresql,
}

pub(super) fn run(args: &Args) -> Result<()> {
    tools::apt_program("curl", "curl")?;
    tools::apt_program("perf", "linux-perf")?;
    Step::cargo("compiling the service and the bare handlers, optimised", "build")
        .args(["--release", "--package", "tua-service", "--package", "tua-harness"])
        .args(["--bin", "tua", "--bin", "bare"])
        .about(300)
        .run()?;
    let dir = paths::target().join("bench");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let wrk = Wrk::new(&dir)?;
    let bare = Bare::start()?;
    print_head();
    for engine in [Engine::Sqlite, Engine::Postgresql] {
        if args.engine.is_none_or(|only| only == engine) {
            Bench::start(engine, args, &dir, &bare, &wrk)?.run()?;
        }
    }
    println!(
        "each row is the run with the median rate of {}, the row with a fixed rate is one run; wrk \
         with 64 connections, on the same machine as the servers; processor time and bytes written \
         are per request or whole payment, syncs per thousand of them, of the service and its \
         database",
        args.rounds
    );
    Ok(())
}

/// The servers that are measured on one engine.
struct Bench<'a> {
    engine: Engine,
    args: &'a Args,
    bare: &'a Bare,
    wrk: &'a Wrk,
    ours: Server,
    /// What the service is compared with instead of the bare handlers.
    other_build: Option<Server>,
}

/// A build of the service on a database of its own. The service ends first.
struct Server {
    service: Service,
    database: Database,
}

impl Server {
    fn start(
        title: String,
        program: PathBuf,
        database: Database,
        accepting: SocketAddr,
    ) -> Result<Self> {
        let database_url = database.url();
        let service = Service::start(&Setup { title, program, database_url, accepting })?;
        Ok(Self { service, database })
    }

    fn processes(&self) -> Result<Processes> {
        Ok(self.service.processes(self.database.process()?))
    }
}

impl<'a> Bench<'a> {
    fn start(
        engine: Engine,
        args: &'a Args,
        dir: &Path,
        bare: &'a Bare,
        wrk: &'a Wrk,
    ) -> Result<Self> {
        let database = Database::start(engine, &dir.join("ours.db"))?;
        let program = paths::target().join("release/tua");
        let ours = Server::start(format!("the service on {engine}"), program, database, bare.at)?;
        let start_other = |program: &PathBuf| {
            let database = Database::start(engine, &dir.join("other.db"))?;
            let title = format!("the other build on {engine}");
            Server::start(title, program.clone(), database, bare.at)
        };
        let other_build = args.against.as_ref().map(start_other).transpose()?;
        Ok(Self { engine, args, bare, wrk, ours, other_build })
    }

    fn run(&self) -> Result<()> {
        let is_chosen =
            |work: &Workload| self.args.only.is_empty() || self.args.only.contains(work);
        for workload in Workload::ALL.into_iter().filter(is_chosen) {
            self.compare(workload)?;
        }
        if is_chosen(&Workload::Charge) {
            let rate = Rate::PerSecond(STEADY_PER_SECOND);
            let steady = self.measure_ours(Workload::Charge, rate)?;
            let title = format!("{}, {STEADY_PER_SECOND} per second", self.engine);
            print_row(&title, Workload::Charge, &steady, None);
        }
        Ok(())
    }

    fn compare(&self, workload: Workload) -> Result<()> {
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        for round in 0..self.args.rounds {
            // The order alternates, so that a change of the machine's temperature affects both.
            if round % 2 == 0 {
                theirs.extend(self.measure_reference(workload)?);
                ours.push(self.measure_ours(workload, Rate::Saturating)?);
            } else {
                ours.push(self.measure_ours(workload, Rate::Saturating)?);
                theirs.extend(self.measure_reference(workload)?);
            }
        }
        let theirs = (!theirs.is_empty()).then(|| Measured::median(theirs));
        if let Some(theirs) = &theirs {
            print_row(&self.reference_title(), workload, theirs, None);
        }
        print_row(&self.engine.to_string(), workload, &Measured::median(ours), theirs.as_ref());
        Ok(())
    }

    fn measure_ours(&self, workload: Workload, rate: Rate) -> Result<Measured> {
        self.measure(&self.engine.to_string(), &self.ours, workload, rate)
    }

    /// `None` if the reference cannot do this work.
    fn measure_reference(&self, workload: Workload) -> Result<Option<Measured>> {
        let title = self.reference_title();
        match &self.other_build {
            Some(other) => self.measure(&title, other, workload, Rate::Saturating).map(Some),
            None if workload.has_bare_handlers() => {
                let meter = Meter::start(&self.bare.processes())?;
                let key = self.ours.service.key_for(workload);
                let run = self.wrk.run(&title, self.bare.at, workload, key, Rate::Saturating)?;
                Ok(Some(Measured { run, usage: meter.finish()? }))
            }
            None => Ok(None),
        }
    }

    fn measure(
        &self,
        title: &str,
        server: &Server,
        workload: Workload,
        rate: Rate,
    ) -> Result<Measured> {
        let service = &server.service;
        if workload == Workload::Status {
            self.wrk.write_ids(&service.transactions()?)?;
        }
        let meter = Meter::start(&server.processes()?)?;
        let run = self.wrk.run(title, service.at, workload, service.key_for(workload), rate)?;
        Ok(Measured { run, usage: meter.finish()? })
    }

    fn reference_title(&self) -> String {
        match self.other_build {
            None => "bare handlers".to_owned(),
            Some(_) => format!("other build, {}", self.engine),
        }
    }
}

/// A database for one of the two servers.
enum Database {
    Sqlite(PathBuf),
    Postgres(postgres::Server),
}

impl Database {
    fn start(engine: Engine, file: &Path) -> Result<Self> {
        match engine {
            Engine::Postgresql => postgres::Server::start().map(Self::Postgres),
            Engine::Sqlite => Ok(Self::Sqlite(file.to_owned())),
        }
    }

    fn url(&self) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite://{}", file.display()),
            Self::Postgres(server) => server.url(),
        }
    }

    /// The main process of its server.
    fn process(&self) -> Result<Option<u32>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(server) => server.process().map(Some),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgresql => "PostgreSQL",
        })
    }
}
