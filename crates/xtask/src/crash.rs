//! `cargo xtask crash`: kills the service under load, and checks from outside what is left.

use crate::fault::Result;
use crate::paths;
use crate::step::Step;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How often the service is killed
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Repeats the random choices of a run
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &Args) -> Result<()> {
    let done = step(args.rounds, args.seed)?.run()?;
    for line in done.log.lines().filter(|line| line.starts_with("killed ")) {
        println!("{line}");
    }
    Ok(())
}

/// So many rounds, with both programs built.
pub fn step(rounds: u32, seed: Option<u64>) -> Result<Step> {
    let packages = ["--package", "tua-service", "--bin", "tua", "--package", "tua-crash", "--bin", "tua-crash"];
    Step::new("building what is killed", "cargo").args(["build"]).args(packages).about(40).run()?;
    let binaries = paths::target().join("debug");
    let mut step = Step::new(format!("killing the service {rounds} times"), binaries.join("tua-crash"))
        .args(["--rounds", &rounds.to_string()])
        .env("TUA_BIN", binaries.join("tua"))
        .about(30 + rounds / 2);
    if let Some(seed) = seed {
        step = step.args(["--seed", &seed.to_string()]);
    }
    Ok(step)
}
