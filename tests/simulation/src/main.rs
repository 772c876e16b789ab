//! Runs simulations: `cargo xtask simulate`.

use clap::Parser;
use std::{process::ExitCode, thread};
use tua_simulation::{
    counts::Counts,
    planning::{Plan, Without},
    search::{Found, search},
    shrinking::{fails_alike, shrink},
    simulation::run,
    world::Story,
};

#[derive(Parser)]
struct Args {
    /// How many seeds are simulated
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// The first of them, so that many can be simulated in parts
    #[arg(long, default_value_t = 0)]
    first_seed: u32,
    /// The only seed to simulate
    #[arg(long, conflicts_with_all = ["seeds", "first_seed"])]
    seed: Option<u64>,
    /// The days of each simulation that have payments and faults
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// The events of the plan that are left out, such as 0-11,14
    #[arg(long, requires = "seed", default_value = "", hide_default_value = true)]
    without: Without,
    /// How many seeds are simulated at a time [default: the number of processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// Print a plan that fails as it is, and not the smallest one that fails in the same way
    #[arg(long)]
    no_shrinking: bool,
    /// Print all that is and is not covered, and not a part
    #[arg(long)]
    coverage: bool,
    /// Print everything that happens
    #[arg(long, requires = "seed")]
    trace: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.seed {
        Some(seed) => {
            let plan = Plan { seed, days: args.days, without: args.without.clone() };
            one(&plan, &args)
        }
        None => many(&args),
    }
}

fn one(plan: &Plan, args: &Args) -> ExitCode {
    let story = if args.trace { Story::Told } else { Story::Untold };
    let outcome = match run(plan, story) {
        Ok(outcome) => outcome,
        Err(error) => return failed(plan.seed, &error),
    };
    outcome.trace.iter().for_each(|line| println!("{line}"));
    if !outcome.violations.is_empty() {
        println!("seed {}: {}", plan.seed, outcome.violations.join("; "));
        return ExitCode::FAILURE;
    }
    passed(1, &outcome.counts, args)
}

fn many(args: &Args) -> ExitCode {
    let first = u64::from(args.first_seed);
    let seeds = first..=first + u64::from(args.seeds) - 1;
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    match search(seeds, args.days, args.jobs.unwrap_or_else(processors)) {
        Found::Nothing(counts) => passed(args.seeds, &counts, args),
        Found::Error(seed, error) => failed(seed, &error),
        Found::Violations(seed, violations) => {
            println!("seed {seed}: {}", violations.join("; "));
            let mut plan = Plan::whole(seed, args.days);
            if !args.no_shrinking {
                plan = shrink(&plan, |plan| fails_alike(plan, &violations));
            }
            tell(&plan);
            ExitCode::FAILURE
        }
    }
}

/// Prints the story of a plan that fails.
fn tell(plan: &Plan) {
    let Ok(outcome) = run(plan, Story::Told) else { return };
    let Plan { seed, days, without } = plan;
    println!("\nIt fails with {} events of the plan:", plan.events().len());
    outcome.trace.iter().for_each(|line| println!("{line}"));
    println!("seed {seed}: {}", outcome.violations.join("; "));
    let mut command = format!("cargo xtask simulate --seed {seed} --days {days} --trace");
    if !without.0.is_empty() {
        command = format!("{command} --without {without}");
    }
    println!("repeat it with: {command}");
}

fn passed(seeds: u32, counts: &Counts, args: &Args) -> ExitCode {
    for (kind, number) in &counts.faults {
        println!("{number:>8} {kind}");
    }
    print!("{}", counts.coverage.table(args.coverage));
    println!("{seeds} seeds, {counts}; nothing lost, nothing doubled");
    ExitCode::SUCCESS
}

fn failed(seed: u64, error: &str) -> ExitCode {
    eprintln!("seed {seed}: {error}");
    ExitCode::FAILURE
}
