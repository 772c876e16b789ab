//! Runs simulations: `cargo xtask simulate`.

use clap::Parser;
use std::process::ExitCode;
use tua_simulation::{
    counts::Counts,
    simulation::{Plan, run},
};

#[derive(Parser)]
struct Args {
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

fn main() -> ExitCode {
    let args = Args::parse();
    let seeds = args.seed.map_or(0..=args.seeds - 1, |seed| seed..=seed);
    let count = args.seed.map_or(args.seeds, |_| 1);
    let mut sums = Counts::default();
    for seed in seeds {
        let outcome = match run(Plan { seed, days: args.days }) {
            Ok(outcome) => outcome,
            Err(error) => {
                eprintln!("seed {seed}: {error}");
                return ExitCode::FAILURE;
            }
        };
        sums.add(&outcome.counts);
        let is_right = outcome.violations.is_empty();
        if args.trace || !is_right {
            outcome.trace.iter().for_each(|line| println!("{line}"));
        }
        if !is_right {
            println!("seed {seed}: {}", outcome.violations.join("; "));
            println!("repeat it with: cargo xtask simulate --seed {seed} --days {}", args.days);
            return ExitCode::FAILURE;
        }
    }
    for (kind, number) in &sums.faults {
        println!("{number:>8} {kind}");
    }
    println!("{count} seeds, {sums}; nothing lost, nothing doubled");
    ExitCode::SUCCESS
}
