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
    /// How often each is measured. The run with the median rate counts
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    rounds: usize,
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
        "medians of {} rounds of wrk with 64 connections, on the same machine as the servers; cpu, \
         bytes written and syncs are per request or whole payment, of the service and its database",
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
    service: Service,
    database: Database,
    /// What the service is compared with instead of the bare handlers.
    other_build: Option<Service>,
    other_database: Database,
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
        let other_database = Database::start(engine, &dir.join("other.db"))?;
        let service = Service::start(&Setup {
            title: format!("the service on {engine}"),
            program: paths::target().join("release/tua"),
            database_url: database.url(),
            accepting: bare.at,
        })?;
        let start_other = |program: &PathBuf| {
            Service::start(&Setup {
                title: format!("the other build on {engine}"),
                program: program.clone(),
                database_url: other_database.url(),
                accepting: bare.at,
            })
        };
        let other_build = args.against.as_ref().map(start_other).transpose()?;
        Ok(Self { engine, args, bare, wrk, service, database, other_build, other_database })
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
        for round in 0..self.args.rounds.max(1) {
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
        let processes = self.service.processes(self.database.process()?);
        self.measure(&self.engine.to_string(), &self.service, &processes, workload, rate)
    }

    /// `None` if the reference cannot do this work.
    fn measure_reference(&self, workload: Workload) -> Result<Option<Measured>> {
        let title = self.reference_title();
        match &self.other_build {
            Some(service) => {
                let processes = service.processes(self.other_database.process()?);
                self.measure(&title, service, &processes, workload, Rate::Saturating).map(Some)
            }
            None if workload.has_bare_handlers() => {
                let meter = Meter::start(&self.bare.processes())?;
                let key = self.service.key_for(workload);
                let run = self.wrk.run(&title, self.bare.at, workload, key, Rate::Saturating)?;
                Ok(Some(Measured { run, usage: meter.finish()? }))
            }
            None => Ok(None),
        }
    }

    fn measure(
        &self,
        title: &str,
        service: &Service,
        processes: &Processes,
        workload: Workload,
        rate: Rate,
    ) -> Result<Measured> {
        if workload == Workload::Status {
            self.wrk.write_ids(&service.transactions()?)?;
        }
        let meter = Meter::start(processes)?;
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
