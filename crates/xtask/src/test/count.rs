//! How many checks passed and failed.

use crate::boundary;
use crate::fault::Result;
use crate::paths;
use crate::step::{Failure, Step};

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

    /// The sum of all lines such as `test result: ok. 3 passed; 0 failed; …`, which libtest and
    /// wasm-bindgen-test print.
    fn in_log(log: &str) -> Count {
        let number_before = |line: &str, word: &str| {
            line.split(';')
                .flat_map(|part| part.split(". "))
                .find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok())
        };
        log.lines()
            .filter_map(|line| line.trim().strip_prefix("test result: "))
            .map(|line| Count {
                passed: number_before(line, "passed").unwrap_or(0),
                failed: number_before(line, "failed").unwrap_or(0),
            })
            .fold(Count::default(), Count::and)
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

/// Runs a step that prints test results. If it fails, the end of its log is printed.
pub fn tests(step: Step) -> Result<Count> {
    // The message of a panic is enough; the runtime's stack frames would hide it.
    match step.env("RUST_BACKTRACE", "0").try_run()? {
        Ok(done) => Ok(Count::in_log(&done.log)),
        Err(failure) => {
            failure.print_tail();
            let count = Count::in_log(&failure.log);
            eprintln!("  the whole log is in {}", paths::shown(&failure.log_path));
            // It may have ended before it counted.
            Ok(Count { failed: count.failed.max(1), ..count })
        }
    }
}

/// Runs a step that counts as one check.
pub fn check(step: Step) -> Result<Count> {
    match step.try_run()? {
        Ok(_) => Ok(Count::ONE_PASSED),
        Err(failure) => Err(Failure::into_fault(failure)),
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
    fn a_log_without_results_counts_nothing() {
        let count = Count::in_log("error: could not compile");
        assert_eq!((count.passed, count.failed), (0, 0));
    }
}
