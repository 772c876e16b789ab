//! `cargo xtask crash`: kills the service under load, and checks from outside what is left.

use crate::fault::Result;
use crate::step::Step;
use crate::{postgres, programs};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How often a service is killed
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many nodes serve: more than one on a PostgreSQL, which is killed too
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9))]
    nodes: u32,
    /// Make live payments, with the emulator as operators
    #[arg(long)]
    live: bool,
    /// Repeats the random choices of a run
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &Args) -> Result<()> {
    let done = match args.nodes {
        1 => with_mode(step(args.rounds, args.seed)?, args.live).run()?,
        nodes => {
            let server = postgres::Server::start()?;
            with_mode(cluster(&server, nodes, args.rounds, args.seed)?, args.live).run()?
        }
    };
    for line in done.log.lines().filter(|line| line.starts_with("killed ")) {
        println!("{line}");
    }
    Ok(())
}

/// The same with live payments, if they are.
pub fn with_mode(step: Step, is_live: bool) -> Step {
    if is_live { step.args(["--live"]) } else { step }
}

/// So many rounds, with both programs built.
pub fn step(rounds: u32, seed: Option<u64>) -> Result<Step> {
    let step = program(&format!("killing the service {rounds} times"), rounds, seed)?;
    Ok(step.about(30 + rounds / 2))
}

/// So many rounds, in each of which one of so many nodes is killed, and in every third the server.
pub fn cluster(
    server: &postgres::Server,
    nodes: u32,
    rounds: u32,
    seed: Option<u64>,
) -> Result<Step> {
    let step = program(&format!("killing {nodes} nodes {rounds} times"), rounds, seed)?;
    Ok(step
        .args(["--nodes", &nodes.to_string(), "--database", &server.url()])
        .args(["--restart-database", &server.restart_command()])
        .about(60 + rounds))
}

fn program(title: &str, rounds: u32, seed: Option<u64>) -> Result<Step> {
    let binaries = programs::build()?;
    let step = Step::new(title, binaries.join("tua-crash"))
        .args(["--rounds", &rounds.to_string()])
        .env("TUA_BIN", binaries.join("tua"));
    Ok(match seed {
        Some(seed) => step.args(["--seed", &seed.to_string()]),
        None => step,
    })
}
