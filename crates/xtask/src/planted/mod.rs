//! `cargo xtask planted-faults`: takes guards of the money core away, one at a time, and shows what
//! finds that (tests/simulation/README.md, Planted faults).

mod list;
mod search;
mod source_copy;
mod switches;

use self::list::{GuardingTests, PlantedFault};
use self::search::{Effort, Finding, Search};
use self::source_copy::SourceCopy;
use crate::fault::{Fault, Result, fault};
use std::collections::BTreeMap;

/// How many seeds are simulated with each fault, unless the command names another number.
const SEEDS: u64 = 60;

const DAYS: u32 = 6;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Plant only the faults whose name contains this text (can be repeated)
    #[arg(long)]
    only: Vec<String>,
    /// How many seeds are simulated with each fault, from 0 on
    #[arg(long, default_value_t = SEEDS, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The days of each simulation that have payments and faults
    #[arg(long, default_value_t = DAYS, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// List the faults, and plant none
    #[arg(long)]
    list: bool,
}

/// How many faults were found, and how many were not although nothing else guards against them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub found: u64,
    pub missed: u64,
}

pub fn run(args: &Args) -> Result<()> {
    let faults = selected(&args.only)?;
    if args.list {
        faults.iter().for_each(|planted| println!("{:<44} {}", planted.name, planted.file));
        return Ok(());
    }
    let sums = plant_each(&faults, Effort { seeds: args.seeds, days: args.days })?;
    println!("{} found, {} not found", sums.found, sums.missed);
    if sums.missed > 0 { Err(Fault::Failed) } else { Ok(()) }
}

/// Plants every fault of the list.
pub fn plant_all() -> Result<Sums> {
    plant_each(&selected(&[])?, Effort { seeds: SEEDS, days: DAYS })
}

fn selected(only: &[String]) -> Result<Vec<PlantedFault>> {
    let mut faults = list::load()?;
    faults.retain(|planted| only.is_empty() || only.iter().any(|one| planted.name.contains(one)));
    if faults.is_empty() {
        return Err(fault!("--only {}: no such fault; --list shows all", only.join(" ")));
    }
    Ok(faults)
}

/// First what the simulation is to find, then what the tests of each package are.
fn plant_each(faults: &[PlantedFault], effort: Effort) -> Result<Sums> {
    // With switches for all faults, also for those that are not searched for: so the next search
    // compiles nothing.
    let copy = SourceCopy::update(&list::load()?)?;
    let mut by_tests: BTreeMap<Option<&GuardingTests>, Vec<&PlantedFault>> = BTreeMap::new();
    for planted in faults {
        by_tests.entry(planted.tests.as_ref()).or_default().push(planted);
    }
    println!("{:<44} | {:<80} | after", "fault", "found by");
    let mut search = Search::new(&copy, effort);
    let mut sums = Sums::default();
    for (tests, faults) in by_tests {
        // What finds faults must pass where there is none.
        if let Some(found_by) = search.run("no fault", tests)?.found_by {
            return Err(fault!("without a planted fault, too: {found_by}"));
        }
        let (switched, alone): (Vec<_>, Vec<_>) =
            faults.into_iter().partition(|planted| copy.has_switch(planted));
        for planted in switched.into_iter().chain(alone) {
            sums.count(planted, find(&copy, &mut search, planted)?);
        }
    }
    Ok(sums)
}

impl Sums {
    /// Counts and prints what came of the search for a fault.
    fn count(&mut self, planted: &PlantedFault, Finding { found_by, after }: Finding) {
        match (&found_by, &planted.also_guarded_by) {
            (Some(_), _) => self.found += 1,
            (None, None) => self.missed += 1,
            (None, Some(_)) => {}
        }
        let second_guard =
            || planted.also_guarded_by.as_ref().map(|what| format!("(also: {what})"));
        let found_by = found_by.or_else(second_guard).unwrap_or_else(|| "NOTHING".to_owned());
        println!("{:<44} | {found_by:<80} | {after}", planted.name);
    }
}

/// Plants a fault, and searches for it.
fn find(copy: &SourceCopy, search: &mut Search<'_>, planted: &PlantedFault) -> Result<Finding> {
    if copy.has_switch(planted) {
        return search.run(&planted.name, planted.tests.as_ref());
    }
    copy.plant(planted)?;
    search.build_again();
    let searched = search.run(&planted.name, planted.tests.as_ref());
    copy.restore(planted)?;
    search.build_again();
    searched
}
