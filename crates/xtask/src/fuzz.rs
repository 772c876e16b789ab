//! `cargo xtask fuzz`: every parser of foreign bytes under libFuzzer and AddressSanitizer.

use crate::fault::{Fault, Result, fault};
use crate::step::{Step, StepEnd};
use crate::{paths, tools};
use std::fs;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// How long each target is run, in seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Only this target (may be given more than once)
    #[arg(long)]
    target: Vec<String>,
}

pub fn run(args: &Args) -> Result<()> {
    let folder = paths::root().join("fuzz");
    let known = targets(&folder)?;
    if let Some(unknown) = args.target.iter().find(|name| !known.contains(name)) {
        return Err(fault!("--target {unknown}: no such target; there are: {}", known.join(", ")));
    }
    let cargo_fuzz = tools::cargo_fuzz()?;
    // cargo-fuzz has no --locked. After this, cargo has no reason to change the lock file.
    Step::cargo("checking fuzz/Cargo.lock", "fetch").dir(&folder).run()?;
    // The sanitizer's switches are unstable; this variable enables them in a stable toolchain.
    let fuzz = |title: String| Step::new(title, &cargo_fuzz).env("RUSTC_BOOTSTRAP", "1");
    fuzz("building the fuzz targets".to_owned()).args(["fuzz", "build"]).about(900).run()?;
    for name in known.iter().filter(|name| args.target.is_empty() || args.target.contains(name)) {
        let limit = format!("-max_total_time={}", args.seconds);
        let step = fuzz(format!("fuzzing {name}")).args([
            "fuzz",
            "run",
            name,
            "--",
            &limit,
            "-print_final_stats=1",
        ]);
        match step.about(args.seconds).try_run()? {
            StepEnd::Succeeded(done) => println!("{name}: {} executions", executions(&done.log)),
            StepEnd::Failed(failure) => {
                failure.print();
                eprintln!(
                    "  what broke it is in {}",
                    paths::shown(&folder.join("artifacts").join(name))
                );
                return Err(Fault::Failed);
            }
        }
    }
    Ok(())
}

/// The names of the fuzz targets, one for each file in `targets`, in order.
fn targets(folder: &Path) -> Result<Vec<String>> {
    let listed = fs::read_dir(folder.join("targets"))
        .map_err(|e| fault!("{}: {e}", paths::shown(folder)))?;
    let mut names: Vec<String> = listed
        .flatten()
        .filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn executions(log: &str) -> &str {
    log.lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .map_or("?", str::trim)
}

#[cfg(test)]
mod tests {
    use super::executions;

    #[test]
    fn executions_are_read_from_the_final_statistics() {
        let log = "Done 12 runs in 1 second(s)\nstat::number_of_executed_units: 12\n\
            stat::peak_rss_mb: 30\n";
        assert_eq!((executions(log), executions("")), ("12", "?"));
    }
}
