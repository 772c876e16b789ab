//! How many checks passed and failed.

use crate::boundary;
use crate::fault::Result;
use crate::paths;
use crate::step::{Failure, Step, StepEnd, StepOutput, together};

#[derive(Debug, Default, Clone, Copy)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
}

impl Count {
    pub fn and(self, other: Count) -> Count {
        Count { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    pub const ONE_PASSED: Count = Count { passed: 1, failed: 0 };
    pub const ONE_FAILED: Count = Count { passed: 0, failed: 1 };

    /// The sum of all results in a log.
    fn in_log(log: &str) -> Count {
        let in_line = |line: &str| {
            let of_node = || Count::of_node(line);
            let of_phpunit = || Count::of_phpunit(line);
            Count::of_libtest(line)
                .or_else(of_node)
                .or_else(of_phpunit)
                .or_else(|| Count::of_pytest(line))
        };
        log.lines().filter_map(|line| in_line(line.trim())).fold(Count::default(), Count::and)
    }

    /// A line such as `test result: ok. 3 passed; 0 failed; …`, which libtest and wasm-bindgen-test
    /// print.
    fn of_libtest(line: &str) -> Option<Count> {
        let result = line.strip_prefix("test result: ")?;
        let number_before = |word: &str| {
            result
                .split(';')
                .flat_map(|part| part.split(". "))
                .find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok())
        };
        Some(Count {
            passed: number_before("passed").unwrap_or(0),
            failed: number_before("failed").unwrap_or(0),
        })
    }

    /// A line such as `ℹ pass 3` of the summary that the reporter `spec` of `node:test` prints. It
    /// counts a test and each of its subtests. A test is cancelled if it does not end in time.
    fn of_node(line: &str) -> Option<Count> {
        let (kind, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
        let number = number.parse().ok()?;
        match kind {
            "pass" => Some(Count { passed: number, failed: 0 }),
            "fail" | "cancelled" => Some(Count { passed: 0, failed: number }),
            _ => None,
        }
    }

    /// A line such as `1 failed, 3 passed in 2.05s`, which pytest prints with `-q`.
    fn of_pytest(line: &str) -> Option<Count> {
        let (counts, duration) = line.rsplit_once(" in ")?;
        duration.split_once('s')?.0.parse::<f64>().ok()?;
        let number_before = |word: &str| {
            counts.split(", ").find_map(|part| part.strip_suffix(word)?.trim().parse::<u64>().ok())
        };
        let failed = ["failed", "error", "errors"].into_iter().filter_map(number_before).sum();
        Some(Count { passed: number_before("passed").unwrap_or(0), failed })
    }

    /// A line such as `OK (3 tests, 9 assertions)` or `Tests: 3, Assertions: 9, Failures: 1.`,
    /// which PHPUnit prints.
    fn of_phpunit(line: &str) -> Option<Count> {
        if let Some(counts) = line.strip_prefix("OK (") {
            let passed = counts.split_once(" test")?.0.parse().ok()?;
            return Some(Count { passed, failed: 0 });
        }
        let counts = line.strip_prefix("Tests: ")?.trim_end_matches('.');
        let (tests, others) = counts.split_once(", ")?;
        let tests: u64 = tests.parse().ok()?;
        let number_after = |name: &str| {
            let mut parts = others.split(", ");
            parts.find_map(|part| part.strip_prefix(name)?.trim().parse::<u64>().ok())
        };
        let failed = ["Errors:", "Failures:"].into_iter().filter_map(number_after).sum();
        let not_run: u64 = ["Skipped:", "Incomplete:"].into_iter().filter_map(number_after).sum();
        Some(Count { passed: tests.saturating_sub(failed + not_run), failed })
    }

    pub fn of_checks(checks: Vec<boundary::Check>) -> Count {
        checks.into_iter().fold(Count::default(), |count, (name, fault)| match fault {
            None => count.and(Count::ONE_PASSED),
            Some(reason) => {
                eprintln!("  ✗ {name}: {reason}");
                count.and(Count::ONE_FAILED)
            }
        })
    }
}

/// Runs a step that prints test results. If it fails, the end of its log is printed. A step that
/// succeeds without any test has failed: its runner found none.
pub fn tests(step: Step) -> Result<Count> {
    // The message of a panic is enough; the runtime's stack frames would hide it.
    match step.env("RUST_BACKTRACE", "0").try_run()? {
        StepEnd::Succeeded(done) => Ok(count_of(&done)),
        StepEnd::Failed(failure) => {
            failure.print();
            let count = Count::in_log(&failure.log);
            eprintln!("  the whole log is in {}", paths::shown(&failure.log_path));
            // It may have ended before it counted.
            Ok(Count { failed: count.failed.max(1), ..count })
        }
    }
}

/// Runs steps that print test results, all at once. The first that fails ends the others.
pub fn tests_together(steps: Vec<Step>) -> Result<Count> {
    let done = together(steps)?;
    Ok(done.iter().map(count_of).fold(Count::default(), Count::and))
}

fn count_of(done: &StepOutput) -> Count {
    let count = Count::in_log(&done.log);
    if count.passed + count.failed == 0 {
        eprintln!("  it succeeded, but no test ran");
        return Count::ONE_FAILED;
    }
    count
}

/// Runs a step that counts as one check.
pub fn check(step: Step) -> Result<Count> {
    match step.try_run()? {
        StepEnd::Succeeded(_) => Ok(Count::ONE_PASSED),
        StepEnd::Failed(failure) => Err(Failure::into_fault(failure)),
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn counts_of_several_runners_are_summed() {
        let log = "running 3 tests\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished \
            in 0.01s\n\
            noise\n    test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 filtered out\n";
        let count = Count::in_log(log);
        assert_eq!((count.passed, count.failed), (5, 4));
    }

    #[test]
    fn tests_of_node_are_counted_by_the_summary() {
        let log = "▶ badInput\n  ✔ a paste: 3 passed (1.5ms)\n  ✖ pass 9\n\nℹ tests 9\nℹ suites 0\n\
            ℹ pass 5\nℹ fail 3\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 83.35499\n";
        let count = Count::in_log(log);
        assert_eq!((count.passed, count.failed), (5, 4));
    }

    #[test]
    fn tests_of_pytest_and_phpunit_are_counted() {
        for (log, passed, failed) in [
            ("322 passed in 41.20s", 322, 0),
            ("1 failed, 320 passed, 2 skipped, 1 error in 1.50s", 320, 2),
            ("OK (189 tests, 2041 assertions)", 189, 0),
            ("Tests: 189, Assertions: 2000, Errors: 1, Failures: 2, Skipped: 3.", 183, 3),
            ("3 passed in the end", 0, 0),
        ] {
            let count = Count::in_log(log);
            assert_eq!((count.passed, count.failed), (passed, failed), "{log}");
        }
    }

    #[test]
    fn a_log_without_results_counts_nothing() {
        let count = Count::in_log("error: could not compile");
        assert_eq!((count.passed, count.failed), (0, 0));
    }
}
