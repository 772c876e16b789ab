//! A step that failed, and what of its log is printed.

use crate::fault::{Fault, fault};
use crate::paths;
use std::path::PathBuf;

/// How many lines of a log's end are printed, and of the output of a test.
const TAIL_LINES: usize = 60;

/// A step that failed; its log is on disk.
#[derive(Debug)]
pub struct Failure {
    pub title: String,
    pub log: String,
    pub log_path: PathBuf,
    pub status: String,
}

impl Failure {
    /// Prints what went wrong, and returns the line that the command ends with.
    pub fn into_fault(self) -> Fault {
        self.print();
        fault!(
            "{} failed ({}); the whole log is in {}",
            self.title,
            self.status,
            paths::shown(&self.log_path)
        )
    }

    /// Prints the end of the log, and before it the output of the first test that failed: where
    /// many have, the end only has their names.
    pub fn print(&self) {
        for line in excerpt(&self.log) {
            eprintln!("    {line}");
        }
    }
}

fn excerpt(log: &str) -> Vec<&str> {
    let lines: Vec<&str> = log.lines().collect();
    let tail = lines.len().saturating_sub(TAIL_LINES);
    let first = lines[..tail].iter().position(|line| is_output_of_test(line));
    let Some(first) = first else { return lines[tail..].to_vec() };
    let next = (first + 1..tail).find(|at| is_next_section(lines[*at])).unwrap_or(tail);
    // A test may write much before it panics.
    let panic = (first..next).find(|at| lines[*at].contains(" panicked at "));
    let first = panic.filter(|_| next - first > TAIL_LINES).unwrap_or(first);
    let end = next.min(first + TAIL_LINES);
    let gap = (end < tail).then_some("…");
    [&lines[first..end], gap.as_slice(), &lines[tail..]].concat()
}

/// The heading that libtest prints over what a failed test has written.
fn is_output_of_test(line: &str) -> bool {
    line.starts_with("---- ") && line.ends_with(" stdout ----")
}

fn is_next_section(line: &str) -> bool {
    is_output_of_test(line) || line == "failures:"
}

#[cfg(test)]
mod tests {
    use super::{TAIL_LINES, excerpt};

    /// What libtest prints where so many tests have failed, each with these lines of output.
    fn log(failed: usize, lines: usize) -> String {
        let mut log = "running tests\n\nfailures:\n\n".to_owned();
        for test in 0..failed {
            log.push_str(&format!("---- test_{test} stdout ----\n"));
            for line in 0..lines {
                log.push_str(&format!("test {test}, line {line}\n"));
            }
            log.push('\n');
        }
        log.push_str("\nfailures:\n");
        for test in 0..failed {
            log.push_str(&format!("    test_{test}\n"));
        }
        log + "\ntest result: FAILED. 0 passed\n"
    }

    #[test]
    fn the_output_of_the_first_failed_test_comes_before_the_end() {
        let log = log(123, 2);
        let printed = excerpt(&log);
        let beginning = ["---- test_0 stdout ----", "test 0, line 0", "test 0, line 1", "", "…"];
        assert_eq!(printed[..5], beginning);
        assert_eq!(printed.len(), 5 + TAIL_LINES);
        assert_eq!(printed.last(), Some(&"test result: FAILED. 0 passed"));
    }

    #[test]
    fn no_line_is_printed_twice_and_a_long_output_is_cut() {
        let short = log(1, 3);
        assert_eq!(excerpt(&short), short.lines().collect::<Vec<_>>());
        let adjacent = log(1, 80);
        assert_eq!(excerpt(&adjacent), adjacent.lines().skip(4).collect::<Vec<_>>());
        let panic = "thread 'test_0' (17) panicked at tests/a.rs:1:1:";
        let long = log(1, 500).replace("test 0, line 300", panic);
        let printed = excerpt(&long);
        assert_eq!(printed[0], panic);
        assert_eq!(printed.len(), 2 * TAIL_LINES + 1);
        assert_eq!(printed[TAIL_LINES], "…");
        let others = "error: could not compile\n".repeat(100);
        assert_eq!(excerpt(&others).len(), TAIL_LINES);
    }
}
