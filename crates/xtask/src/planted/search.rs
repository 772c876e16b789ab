//! Looks for what finds a planted fault: the simulation, or the tests that guard the rule.

use super::list::GuardingTests;
use super::source_copy::SourceCopy;
use super::switches::VARIABLE;
use crate::fault::{Result, fault};
use crate::postgres::Server;
use crate::step::{Failure, Step, StepEnd, truncate};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// After this time for each seed a simulation counts as one that does not end, which finds the
/// fault too.
const MAX_SEED_S: u64 = 60;

/// How many characters of a violation the table shows. Some violations list every transaction.
const SHOWN_CHARACTERS: usize = 100;

/// The exit code with which `timeout` ends a program.
const TIMED_OUT: &str = "exit status: 124";

/// How long the simulation searches for a fault.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many seeds are simulated, from 0 on.
    pub seeds: u64,
    /// The days of each simulation that have payments and faults.
    pub days: u32,
}

/// What came of a search.
#[derive(Debug)]
pub struct Finding {
    /// What has found the fault, and how it shows; `None` if nothing has.
    pub found_by: Option<String>,
    /// What was needed for that: seeds, or seconds.
    pub after: String,
}

/// Searches for faults that are planted in a copy.
#[derive(Debug)]
pub struct Search<'a> {
    copy: &'a SourceCopy,
    effort: Effort,
    /// The programs that were built from the copy as it is, by the title of their build.
    built: BTreeMap<String, Vec<PathBuf>>,
    /// Started for the first tests that need it.
    server: Option<Server>,
}

impl<'a> Search<'a> {
    pub fn new(copy: &'a SourceCopy, effort: Effort) -> Self {
        Self { copy, effort, built: BTreeMap::new(), server: None }
    }

    /// The sources of the copy have changed: every program is built again.
    pub fn build_again(&mut self) {
        self.built.clear();
    }

    /// Searches for the fault with this name, with these tests or with the simulation.
    pub fn run(&mut self, name: &str, tests: Option<&GuardingTests>) -> Result<Finding> {
        match tests {
            Some(tests) => self.test(name, tests),
            None => self.simulate(name),
        }
    }

    /// Runs the tests that guard a rule, one program after another until one fails.
    fn test(&mut self, name: &str, tests: &GuardingTests) -> Result<Finding> {
        let GuardingTests { package, filter, .. } = tests;
        let database = self.database(tests)?;
        let started = Instant::now();
        let mut has_tests = false;
        for program in self.test_programs(package)? {
            let step = Step::new(format!("testing with {name}"), program).args(filter);
            let step = step.env(VARIABLE, name).env("TUA_TEST_DATABASE", &database);
            match step.env("RUST_BACKTRACE", "0").about(20).try_run()? {
                StepEnd::Succeeded(done) => has_tests |= done.log.lines().any(is_of_passed_tests),
                StepEnd::Failed(failure) => {
                    let first = failure.log.lines().find_map(failed_test).unwrap_or("a test");
                    let found_by = Some(format!("{package}: {first}"));
                    return Ok(Finding { found_by, after: seconds_since(started) });
                }
            }
        }
        if !has_tests {
            return Err(fault!("{name}: {package} has no tests with {filter:?} in their names"));
        }
        Ok(Finding { found_by: None, after: seconds_since(started) })
    }

    /// The programs with the tests of a package.
    fn test_programs(&mut self, package: &str) -> Result<Vec<PathBuf>> {
        let title = format!("building the tests of {package}");
        if let Some(programs) = self.built.get(&title) {
            return Ok(programs.clone());
        }
        let build = self.copy.cargo(title.clone(), "test").args(["--package", package, "--no-run"]);
        let programs: Vec<_> = build.about(60).run()?.log.lines().filter_map(executable).collect();
        self.built.insert(title, programs.clone());
        Ok(programs)
    }

    /// The URL of the server for these tests; empty where they need none.
    fn database(&mut self, tests: &GuardingTests) -> Result<String> {
        if !tests.on_postgresql {
            return Ok(String::new());
        }
        let server = match self.server.take() {
            Some(server) => server,
            None => Server::start()?,
        };
        Ok(self.server.insert(server).url())
    }

    /// Simulates seeds until one fails.
    fn simulate(&mut self, name: &str) -> Result<Finding> {
        let Effort { seeds, days } = self.effort;
        let step = Step::new(format!("simulating with {name}"), "timeout")
            .args([(seeds * MAX_SEED_S).to_string()])
            .args([self.simulation()?])
            .args(["--seeds", &seeds.to_string(), "--days", &days.to_string(), "--no-shrinking"]);
        Ok(match step.env(VARIABLE, name).about(30).try_run()? {
            StepEnd::Succeeded(_) => Finding { found_by: None, after: format!("{seeds} seeds") },
            StepEnd::Failed(failure) => of_failed_simulation(&failure, seeds),
        })
    }

    fn simulation(&mut self) -> Result<PathBuf> {
        let title = "building the simulation with planted faults".to_owned();
        let program = self.copy.program("tua-simulation");
        if !self.built.contains_key(&title) {
            let build = self.copy.cargo(title.clone(), "build");
            build.args(["--package", "tua-simulation"]).about(150).run()?;
            self.built.insert(title, vec![program.clone()]);
        }
        Ok(program)
    }
}

fn seconds_since(started: Instant) -> String {
    format!("{} s", started.elapsed().as_secs())
}

/// The program in a line such as `Executable unittests src/lib.rs (/target/debug/deps/a-1)`.
fn executable(line: &str) -> Option<PathBuf> {
    let (_, path) = line.trim().strip_prefix("Executable ")?.strip_suffix(')')?.rsplit_once('(')?;
    Some(PathBuf::from(path))
}

fn of_failed_simulation(failure: &Failure, seeds: u64) -> Finding {
    if failure.status == TIMED_OUT {
        let found_by = Some("simulation: it does not end".to_owned());
        return Finding { found_by, after: format!("{} s", seeds * MAX_SEED_S) };
    }
    match failure.log.lines().rev().find_map(violation) {
        Some((seed, what)) => Finding {
            found_by: Some(format!("simulation: {}", truncate(what, SHOWN_CHARACTERS))),
            after: format!("{} seeds", seed + 1),
        },
        None => Finding {
            found_by: Some(format!("simulation: it ends with {}", failure.status)),
            after: format!("at most {seeds} seeds"),
        },
    }
}

/// The seed and the first violation in a line such as `seed 3: order 4 was executed 2 times; …`.
fn violation(line: &str) -> Option<(u64, &str)> {
    let (seed, violations) = line.strip_prefix("seed ")?.split_once(": ")?;
    let first = violations.split("; ").next().unwrap_or(violations);
    Some((seed.parse().ok()?, first))
}

/// The name in a line such as `test refund::tests::a_name ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

fn is_of_passed_tests(line: &str) -> bool {
    line.starts_with("test result: ok. ") && !line.starts_with("test result: ok. 0 passed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_read_with_its_seed() {
        let line = "seed 25: order 3 was executed 2 times; the ledger differs: []";
        assert_eq!(violation(line), Some((25, "order 3 was executed 2 times")));
        assert_eq!(violation("60 seeds, 100 payments; nothing lost"), None);
        assert_eq!(violation("seeds: none"), None);
    }

    #[test]
    fn the_program_with_the_tests_is_read() {
        let line = "  Executable unittests src/lib.rs (/target/debug/deps/tua_domain-1)";
        assert_eq!(executable(line), Some(PathBuf::from("/target/debug/deps/tua_domain-1")));
        assert_eq!(executable("   Compiling tua-domain v0.1.0 (/crates/domain)"), None);
    }

    #[test]
    fn a_failed_test_is_read_and_one_that_passed_is_not() {
        assert_eq!(failed_test("test refund::tests::a ... FAILED"), Some("refund::tests::a"));
        assert_eq!(failed_test("test refund::tests::a ... ok"), None);
        assert!(is_of_passed_tests("test result: ok. 3 passed; 0 failed; 0 ignored"));
        assert!(!is_of_passed_tests("test result: ok. 0 passed; 0 failed; 0 ignored"));
    }
}
