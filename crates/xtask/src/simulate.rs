//! `cargo xtask simulate`: simulates days of payments with faults, and repeats any from its seed.

use crate::fault::Result;
use crate::programs;
use crate::step::Step;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many seeds are simulated, from 0 on
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The only seed to simulate
    #[arg(long, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// The days of each simulation that have payments and faults
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// Print everything that happens
    #[arg(long)]
    trace: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let mut step = match args.seed {
        Some(seed) => program(format!("simulating {} days of seed {seed}", args.days), args.days)?
            .args(["--seed", &seed.to_string()]),
        None => step(args.seeds, args.days)?,
    };
    if args.trace {
        step = step.args(["--trace"]);
    }
    print!("{}", step.run()?.log);
    Ok(())
}

/// Simulates the seeds from 0 on, each with this number of days with payments and faults.
pub fn step(seeds: u64, days: u32) -> Result<Step> {
    let step = program(format!("simulating {seeds} seeds of {days} days"), days)?;
    Ok(step.args(["--seeds", &seeds.to_string()]))
}

fn program(title: String, days: u32) -> Result<Step> {
    let program = programs::build()?.join("tua-simulation");
    Ok(Step::new(title, program).args(["--days", &days.to_string()]).about(60))
}
