//! `cargo xtask test`: runs the stages in order. A stage that fails does not hide what the later
//! ones find.

mod count;
mod stages;

use self::count::Count;
use self::stages::{ADVISORIES, LONG_STAGES, STAGES, Stage};
use crate::fault::{Fault, Result, fault};
use crate::paths;
use crate::tools::Requirement;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Also run the long stages: ten minutes of schemathesis, a hundred kills of a cluster, planted
    /// faults, every journey in every engine, payments in projects of six frameworks and with
    /// generated clients, the plug-ins in WordPress, Medusa, Vendure, Oscar and pretix, rehearsals
    /// of an upgrade and of `cargo publish`, the package that is built without unstable features,
    /// cargo-deny, the container image, the lowest Rust version of the published libraries, a
    /// release whose files are installed in empty places
    #[arg(long)]
    all: bool,
    /// Also look up known weaknesses of dependencies; this downloads the RustSec database
    #[arg(long)]
    advisories: bool,
    /// Run only stages whose name contains this text, in any case (can be repeated)
    #[arg(long)]
    only: Vec<String>,
    /// Stop after the first stage that fails
    #[arg(long)]
    fail_fast: bool,
    /// Install nothing: if tools are missing, list them and exit with code 2
    #[arg(long)]
    no_install: bool,
}

/// A finished stage: its name, its seconds, its checks.
type Row = (&'static str, u64, Count);

pub fn run(args: &Args) -> Result<()> {
    let started = Instant::now();
    let stages = selected(args)?;
    prepare(&stages, args.no_install)?;
    let mut rows = Vec::new();
    for stage in stages {
        let row = run_stage(stage)?;
        rows.push(row);
        if args.fail_fast && row.2.failed > 0 {
            break;
        }
    }
    report(&rows, started.elapsed().as_secs())
}

fn selected(args: &Args) -> Result<Vec<&'static Stage>> {
    let long = if args.all { &LONG_STAGES[..] } else { &[] };
    let advisories = args.advisories.then_some(&ADVISORIES);
    let is_selected = |name: &str| {
        let name = name.to_lowercase();
        args.only.is_empty() || args.only.iter().any(|only| name.contains(&only.to_lowercase()))
    };
    let stages: Vec<&Stage> = STAGES
        .iter()
        .chain(long)
        .chain(advisories)
        .filter(|stage| is_selected(stage.name))
        .collect();
    if stages.is_empty() {
        let names: Vec<&str> = STAGES.iter().chain(&LONG_STAGES).map(|stage| stage.name).collect();
        return Err(fault!(
            "--only {}: no such stage; there are: {}",
            args.only.join(" "),
            names.join(", ")
        ));
    }
    Ok(stages)
}

/// Installs what the stages require, or lists it.
fn prepare(stages: &[&Stage], no_install: bool) -> Result<()> {
    let mut requirements: Vec<Requirement> = Vec::new();
    for requirement in stages.iter().flat_map(|stage| stage.requires) {
        if !requirements.contains(requirement) {
            requirements.push(*requirement);
        }
    }
    if no_install {
        let mut missing = Vec::new();
        for requirement in requirements {
            missing.extend(requirement.missing()?);
        }
        missing.dedup();
        return if missing.is_empty() { Ok(()) } else { Err(Fault::Missing(missing)) };
    }
    eprintln!("── tools");
    requirements.into_iter().try_for_each(Requirement::install)
}

fn run_stage(stage: &Stage) -> Result<Row> {
    eprintln!("── {}", stage.name);
    let started = Instant::now();
    let count = match (stage.run)() {
        Ok(count) => count,
        Err(Fault::Message(line)) => {
            eprintln!("  {line}");
            Count::ONE_FAILED
        }
        Err(Fault::Failed) => Count::ONE_FAILED,
        Err(other) => return Err(other),
    };
    Ok((stage.name, started.elapsed().as_secs(), count))
}

/// Prints the table of stages. The last line is the sum: `N passed, N failed`.
fn report(rows: &[Row], seconds: u64) -> Result<()> {
    println!();
    println!("{:<24} {:>8} {:>8} {:>8}", "stage", "seconds", "passed", "failed");
    for (name, seconds, Count { passed, failed }) in rows {
        let mark = if *failed == 0 { "ok" } else { "FAILED" };
        println!("{name:<24} {seconds:>8} {passed:>8} {failed:>8}  {mark}");
    }
    println!("{:<24} {seconds:>8}", "all");
    println!();
    let failed = rows.iter().filter(|(.., count)| count.failed > 0);
    let failed: Vec<String> = failed.map(|(name, ..)| format!("`{name}`")).collect();
    if !failed.is_empty() {
        println!("failed: {}; the logs are in {}", failed.join(", "), paths::shown(&paths::logs()));
    }
    let all = rows.iter().fold(Count::default(), |all, (.., count)| all.and(*count));
    println!("{} passed, {} failed", all.passed, all.failed);
    if all.failed > 0 { Err(Fault::Failed) } else { Ok(()) }
}
