//! `cargo xtask simulate`: simulates days of payments with faults, and repeats any from its seed.

use crate::fault::Result;
use crate::programs;
use crate::step::Step;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many seeds are simulated, from 0 on
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// The only seed to simulate
    #[arg(long)]
    seed: Option<u64>,
    /// The days of each simulation that have payments and faults
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// Print everything that happens
    #[arg(long)]
    trace: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let step = step(args.seeds, args.days)?;
    let step = match args.seed {
        Some(seed) => step.args(["--seed", &seed.to_string()]),
        None => step,
    };
    let step = if args.trace { step.args(["--trace"]) } else { step };
    let done = step.run()?;
    print!("{}", done.log);
    Ok(())
}

/// So many seeds, with so many days each.
pub fn step(seeds: u64, days: u32) -> Result<Step> {
    let program = programs::build()?.join("tua-simulation");
    let title = format!("simulating {seeds} seeds of {days} days");
    let step = Step::new(title, program);
    Ok(step.args(["--seeds", &seeds.to_string(), "--days", &days.to_string()]).about(60))
}
