//! `cargo xtask simulate`: simulates days of payments with faults, and repeats any from its seed.

use crate::fault::Result;
use crate::paths;
use crate::step::Step;

#[derive(Debug, clap::Args)]
pub struct Args {
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
    #[arg(long, requires = "seed")]
    without: Option<String>,
    /// How many seeds are simulated at a time [default: the number of processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// Print all that is and is not covered, and not a part
    #[arg(long)]
    coverage: bool,
    /// Print everything that happens
    #[arg(long, requires = "seed")]
    trace: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let mut step = match args.seed {
        Some(seed) => program(format!("simulating {} days of seed {seed}", args.days), args.days)?
            .args(["--seed", &seed.to_string()]),
        None => step(args.seeds, args.days)?.args(["--first-seed", &args.first_seed.to_string()]),
    };
    if let Some(without) = &args.without {
        step = step.args(["--without", without]);
    }
    if let Some(jobs) = args.jobs {
        step = step.args(["--jobs", &jobs.to_string()]);
    }
    for (flag, is_given) in [("--coverage", args.coverage), ("--trace", args.trace)] {
        if is_given {
            step = step.args([flag]);
        }
    }
    print!("{}", step.run()?.log);
    Ok(())
}

/// Simulates so many seeds, each with this number of days with payments and faults.
pub fn step(seeds: u32, days: u32) -> Result<Step> {
    let step = program(format!("simulating {seeds} seeds of {days} days"), days)?;
    Ok(step.args(["--seeds", &seeds.to_string()]))
}

/// The simulation with this number of days, compiled with a profile of its own: years of it take
/// longer than that.
fn program(title: String, days: u32) -> Result<Step> {
    Step::cargo("building the simulation", "build")
        .args(["--profile", "simulation", "--package", "tua-simulation"])
        .about(240)
        .run()?;
    let program = paths::target().join("simulation/tua-simulation");
    Ok(Step::new(title, program).args(["--days", &days.to_string()]).about(60))
}
