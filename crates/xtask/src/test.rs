//! `cargo xtask test`: everything, in order, and the first failing stage ends it.

use crate::fault::{Fault, Result, fault};
use crate::journeys::{self, Engine};
use crate::step::{Failure, Step};
use crate::{api, boundary, browsers, consumers, crash, dist, harness, paths, postgres, tools};
use std::ffi::OsString;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Also what takes too long for every day: ten minutes of schemathesis, a hundred kills of a cluster,
    /// every journey in every engine, paying in projects of six frameworks, rehearsing `cargo publish`
    #[arg(long)]
    all: bool,
    /// Only stages whose name contains this (may be given more than once)
    #[arg(long)]
    only: Vec<String>,
}

/// What a stage counted.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    passed: u64,
    failed: u64,
}

/// What the stages share.
#[derive(Debug)]
struct Tools {
    path: OsString,
    chromium: browsers::Chromium,
}

type Stage = (&'static str, fn(&Tools) -> Result<Count>);

const STAGES: [Stage; 19] = [
    ("format", format),
    ("clippy", clippy),
    ("clippy wasm32", clippy_wasm),
    ("rustdoc", rustdoc),
    ("dependencies", dependencies),
    ("dist", npm_package),
    ("package", package),
    ("host tests", host_tests),
    ("host tests on PostgreSQL", host_tests_on_postgres),
    ("api conformance", api_conformance),
    ("crash", crash),
    ("cluster", cluster),
    ("bytes", bytes),
    ("weight", weight),
    ("looks", looks),
    ("browser tests", browser_tests),
    ("end to end", end_to_end),
    ("end to end in Firefox", end_to_end_in_firefox),
    ("end to end in WebKit", end_to_end_in_webkit),
];
const LONG_STAGES: [Stage; 6] = [
    ("long api conformance", long_api_conformance),
    ("long cluster", long_cluster),
    ("every journey in Firefox", every_journey_in_firefox),
    ("every journey in WebKit", every_journey_in_webkit),
    ("consumers", paying_in_consumers),
    ("publish rehearsal", publish_rehearsal),
];

const WASM_PACKAGES: [&str; 6] =
    ["--package", "tua-checkout", "--package", "tua-embed", "--package", "tua-example-yew"];
/// Run by stages of their own, or holding no tests.
const NOT_HOST_TESTED: [&str; 4] = ["tua-crash", "tua-e2e", "tua-embed", "tua-example-yew"];

pub fn run(args: &Args) -> Result<()> {
    let started = Instant::now();
    let long = if args.all { &LONG_STAGES[..] } else { &[] };
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| name.contains(only.as_str()));
    let stages: Vec<&Stage> = STAGES.iter().chain(long).filter(|(name, _)| wanted(name)).collect();
    if stages.is_empty() {
        let names: Vec<&str> = STAGES.iter().chain(&LONG_STAGES).map(|(name, _)| *name).collect();
        return Err(fault!("--only {}: no such stage; there are: {}", args.only.join(" "), names.join(", ")));
    }

    eprintln!("── tools");
    tools::Missing::default().rust(true)?.npm()?.install()?;
    tools::make()?;
    let shared = Tools { chromium: browsers::chromium()?, path: tools::wasm_test_tools()? };

    let mut rows = Vec::new();
    let mut stopped = None;
    for (name, stage) in stages {
        eprintln!("── {name}");
        let since = Instant::now();
        let ended = stage(&shared);
        let (count, mark) = match ended {
            Ok(count) if count.failed == 0 => (count, "ok"),
            Ok(count) => (count, "FAILED"),
            Err(Fault::Interrupted) => return Err(Fault::Interrupted),
            Err(Fault::Said(line)) => {
                eprintln!("  {line}");
                (Count { passed: 0, failed: 1 }, "FAILED")
            }
            Err(Fault::Failed) => (Count { passed: 0, failed: 1 }, "FAILED"),
        };
        rows.push((*name, since.elapsed().as_secs(), count, mark));
        if count.failed > 0 {
            stopped = Some(*name);
            break;
        }
    }

    let mut all = Count::default();
    println!();
    println!("{:<24} {:>8} {:>8} {:>8}", "stage", "seconds", "passed", "failed");
    for (name, seconds, count, mark) in rows {
        println!("{name:<24} {seconds:>8} {:>8} {:>8}  {mark}", count.passed, count.failed);
        all = all.and(count);
    }
    println!("{:<24} {:>8}", "all", started.elapsed().as_secs());
    println!();
    if let Some(stage) = stopped {
        println!("stopped at `{stage}`; the logs are in {}", paths::shown(&paths::logs()));
    }
    println!("{} passed, {} failed", all.passed, all.failed);
    if all.failed > 0 { Err(Fault::Failed) } else { Ok(()) }
}

impl Count {
    fn and(self, other: Count) -> Count {
        Count { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    /// Sums `test result: ok. 3 passed; 0 failed; …`, as libtest and wasm-bindgen-test both print it.
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

    fn of_checks(checks: Vec<boundary::Check>) -> Count {
        checks.into_iter().fold(Count::default(), |count, (name, fault)| match fault {
            None => Count { passed: count.passed + 1, ..count },
            Some(why) => {
                eprintln!("  ✗ {name}: {why}");
                Count { failed: count.failed + 1, ..count }
            }
        })
    }
}

/// Runs a step that prints test results; a failing one has its log's end shown.
fn tests(step: Step) -> Result<Count> {
    // A test's panic says what was wrong; forty lines of the runtime's frames hide it.
    match step.env("RUST_BACKTRACE", "0").try_run()? {
        Ok(done) => Ok(Count::in_log(&done.log)),
        Err(failure) => {
            failure.print_tail();
            let count = Count::in_log(&failure.log);
            eprintln!("  the whole log is in {}", paths::shown(&failure.log_path));
            // It may have died before it could count.
            Ok(Count { failed: count.failed.max(1), ..count })
        }
    }
}

/// A step that counts as one check.
fn check(step: Step) -> Result<Count> {
    match step.try_run()? {
        Ok(_) => Ok(Count { passed: 1, failed: 0 }),
        Err(failure) => Err(Failure::into_fault(failure)),
    }
}

fn format(_: &Tools) -> Result<Count> {
    check(Step::new("cargo fmt --check", "cargo").args(["fmt", "--all", "--check"]))
}

fn clippy(_: &Tools) -> Result<Count> {
    let args = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
    check(Step::new("cargo clippy", "cargo").args(args).about(150))
}

fn clippy_wasm(_: &Tools) -> Result<Count> {
    let step = Step::new("cargo clippy for wasm32", "cargo").args(["clippy"]).args(WASM_PACKAGES);
    check(step.args(["--all-targets", "--target", tools::WASM_TARGET, "--", "--deny", "warnings"]).about(60))
}

fn rustdoc(_: &Tools) -> Result<Count> {
    let step = Step::new("cargo doc", "cargo").args(["doc", "--workspace", "--no-deps"]);
    check(step.env("RUSTDOCFLAGS", "--deny warnings").about(40))
}

fn dependencies(_: &Tools) -> Result<Count> {
    Ok(Count::of_checks(boundary::dependencies()?))
}

fn npm_package(_: &Tools) -> Result<Count> {
    dist::build(false, &[])?;
    dist::check()?;
    Ok(Count { passed: 1, failed: 0 })
}

/// The package as a merchant gets it: types, manifest, exports, and Node.
fn package(_: &Tools) -> Result<Count> {
    tests(consumers::package()?)
}

/// A payer in projects built with Vite, webpack, Next.js, React, Vue and Yew, and on a plain page.
fn paying_in_consumers(shared: &Tools) -> Result<Count> {
    let (step, _service) = consumers::payer(&shared.chromium)?;
    tests(step)
}

fn bytes(_: &Tools) -> Result<Count> {
    Ok(Count::of_checks(boundary::bytes()))
}

fn api_conformance(_: &Tools) -> Result<Count> {
    Ok(Count { passed: api::conformance(api::Length::Daily)?, failed: 0 })
}

fn long_api_conformance(_: &Tools) -> Result<Count> {
    Ok(Count { passed: api::conformance(api::Length::Long)?, failed: 0 })
}

fn weight(_: &Tools) -> Result<Count> {
    crate::size::check()?;
    Ok(Count { passed: 1, failed: 0 })
}

/// Every state in every theme, language and width, in the wasm as it is published.
fn looks(shared: &Tools) -> Result<Count> {
    tools::Missing::default().npm_packages("installing axe and playwright", &tools::LOOKS_PACKAGES)?.install()?;
    tests(
        Step::new("every state, looked at", "node")
            .args([paths::root().join("tests/looks/looks.mjs"), paths::root()])
            .args([&shared.chromium.browser, &paths::target().join("looks")])
            .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
            .about(90),
    )
}

/// Each package for itself: together they would lend each other cargo features, and a build that
/// only works in company would pass.
fn host_tests(_: &Tools) -> Result<Count> {
    let mut all = Count::default();
    for package in packages()? {
        let step = Step::new(format!("cargo test {package}"), "cargo").args(["test", "--package", &package]);
        all = all.and(tests(step)?);
        if all.failed > 0 {
            break;
        }
    }
    Ok(all)
}

/// The names in the workspace's manifests.
fn packages() -> Result<Vec<String>> {
    let listed = tools::capture("cargo", &["tree", "--workspace", "--depth", "0", "--prefix", "none"])?;
    let mut names: Vec<String> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.retain(|name| !NOT_HOST_TESTED.contains(&name.as_str()));
    names.dedup();
    Ok(names)
}

/// The service's tests once more, on a real server.
fn host_tests_on_postgres(_: &Tools) -> Result<Count> {
    let server = postgres::Server::start()?;
    let step = Step::new("cargo test tua-service on PostgreSQL", "cargo");
    let step = step.args(["test", "--package", "tua-service", "--test", "service"]).about(120);
    tests(step.env("TUA_TEST_DATABASE", server.url()))
}

/// Three nodes on one server; `cargo xtask crash --nodes 3 --rounds N` runs any number of rounds.
fn cluster(_: &Tools) -> Result<Count> {
    let server = postgres::Server::start()?;
    check(crash::cluster(&server, 3, 6, None)?)
}

fn long_cluster(_: &Tools) -> Result<Count> {
    let server = postgres::Server::start()?;
    check(crash::cluster(&server, 3, 100, None)?)
}

/// A dozen rounds; `cargo xtask crash --rounds N` runs any number.
fn crash(_: &Tools) -> Result<Count> {
    check(crash::step(12, None)?)
}

fn browser_tests(shared: &Tools) -> Result<Count> {
    let service = harness::start()?;
    tests(
        Step::new("the component in Chromium", "wasm-pack")
            .args(["test", "--headless", "--chrome", "--mode", "no-install", "."])
            .env("PATH", &shared.path)
            .env("CHROMEDRIVER", &shared.chromium.driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
            .env("TUA_TEST_API", &service.api)
            .env("TUA_TEST_KEY", &service.key)
            .env("TUA_TEST_CONTROL", &service.control)
            .about(120),
    )
}

fn end_to_end(_: &Tools) -> Result<Count> {
    tests(journeys::every(Engine::Chromium)?)
}

fn end_to_end_in_firefox(_: &Tools) -> Result<Count> {
    main_journeys(Engine::Firefox)
}

fn end_to_end_in_webkit(_: &Tools) -> Result<Count> {
    main_journeys(Engine::WebKit)
}

fn every_journey_in_firefox(_: &Tools) -> Result<Count> {
    tests(journeys::every(Engine::Firefox)?)
}

fn every_journey_in_webkit(_: &Tools) -> Result<Count> {
    tests(journeys::every(Engine::WebKit)?)
}

fn main_journeys(engine: Engine) -> Result<Count> {
    let count = tests(journeys::main(engine)?)?;
    // libtest is content with a name that nothing has.
    if count.passed + count.failed < journeys::MAIN.len() as u64 {
        return Err(fault!("a main journey has another name now: put it into crates/xtask/src/journeys.rs"));
    }
    Ok(count)
}

/// All at once: cargo then compiles each package from what it would upload, against the others that it would upload,
/// which are on no registry yet.
fn publish_rehearsal(_: &Tools) -> Result<Count> {
    let packages = ["--package", "tua-contract", "--package", "tua-checkout", "--package", "tua-companion"];
    let step = Step::new("rehearsing cargo publish", "cargo").args(["publish", "--dry-run", "--allow-dirty"]);
    check(step.args(packages).about(120))
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn counts_of_several_runners_are_summed() {
        let log = "running 3 tests\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
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
