//! The stages of `cargo xtask test`.

use super::count::{Count, check, tests, tests_together};
use crate::fault::{Result, fault};
use crate::journeys::{self, Engine};
use crate::step::{Step, StepEnd};
use crate::tools::Requirement::{
    CargoDeb, Chromium, ClientGenerator, Container, Debootstrap, Deny, Firefox, ForeignClients,
    Machete, Make, Mdbook, Node, PageTestPackages, Pebble, Pgbouncer, Php, Postgres, Python,
    PythonSdk, Root, StaticToolchain, WasmOptimizers, WasmTestTools, WasmToolchain, WebKit,
    WordPress,
};
use crate::tools::{self, Requirement};
use crate::{
    api, boundary, browsers, clients, consumers, container, crash, dist, docs, examples, foreign,
    harness, msrv, paths, planted, plugins, postgres, programs, release, sbom, sdks, simulate,
    size, upgrade,
};
use std::{num::NonZeroUsize, thread};

#[derive(Debug)]
pub struct Stage {
    pub name: &'static str,
    pub requires: &'static [Requirement],
    pub run: fn() -> Result<Count>,
}

const fn stage(
    name: &'static str,
    requires: &'static [Requirement],
    run: fn() -> Result<Count>,
) -> Stage {
    Stage { name, requires, run }
}

pub const STAGES: [Stage; 23] = [
    stage("format", &[], format),
    stage("spelling", &[Python], spelling),
    stage("clippy", &[Make], clippy),
    stage("clippy wasm32", &[WasmToolchain], clippy_wasm),
    stage("rustdoc", &[Make], rustdoc),
    stage("dependencies", &[], || Ok(Count::of_checks(boundary::dependencies()?))),
    stage("dist", &[WasmToolchain, WasmOptimizers], npm_package),
    stage("package", &[WasmToolchain, WasmOptimizers], || tests(consumers::package()?)),
    stage("host tests", &[Make], host_tests),
    stage("host tests on PostgreSQL", &[Make, Postgres, Pgbouncer], host_tests_on_postgres),
    stage("acme", &[Make, Postgres, Pebble], acme),
    stage("api conformance", &[Make, Python], || api_conformance(api::Length::Daily)),
    // `cargo xtask crash` runs any number of rounds, on one node or several.
    stage("crash", &[Make], || check(crash::step(12, None)?)),
    stage("cluster", &[Make, Postgres], || cluster(6, false)),
    stage("bytes", &[], || Ok(Count::of_checks(boundary::bytes()))),
    stage("weight", &[WasmOptimizers], || size::check().map(|_| Count::ONE_PASSED)),
    stage("looks", &[PageTestPackages, Chromium], looks),
    stage("dashboard", &[Make, PageTestPackages, Chromium], || {
        tests(journeys::dashboard(Engine::Chromium)?)
    }),
    stage("sdks", &[Make, Php, PythonSdk], server_sdks),
    stage("browser tests", &[Make, WasmToolchain, WasmTestTools, Chromium], browser_tests),
    stage("end to end", &[Make, Chromium], || tests(journeys::all_journeys(Engine::Chromium)?)),
    stage("end to end in Firefox", &[Make, Firefox], || main_journeys(Engine::Firefox)),
    stage("end to end in WebKit", &[Make, WebKit], || main_journeys(Engine::WebKit)),
];

pub const LONG_STAGES: [Stage; 27] = [
    // Compiling cargo-machete takes longer than what it finds is worth on each day.
    stage("unused dependencies", &[Machete], unused_dependencies),
    stage("long api conformance", &[Make, Python], || api_conformance(api::Length::Long)),
    // A test of tua-simulation simulates some seeds on each day.
    stage("long simulation", &[Make], || check(simulate::step(300, 30)?)),
    // `cargo xtask planted-faults` prints the same table, also for some faults only.
    stage("planted faults", &[Make], planted_faults),
    stage("long cluster", &[Make, Postgres], || cluster(100, false)),
    stage("long cluster with live payments", &[Make, Postgres], || cluster(100, true)),
    // `cargo xtask upgrade --from REVISION` upgrades from any commit.
    stage("upgrade", &[Make, Postgres], || Ok(Count { passed: upgrade::check()?, failed: 0 })),
    stage("every journey in Firefox", &[Make, Firefox], || {
        tests(journeys::all_journeys(Engine::Firefox)?)
    }),
    stage("every journey in WebKit", &[Make, WebKit], || {
        tests(journeys::all_journeys(Engine::WebKit)?)
    }),
    stage("dashboard in Firefox", &[Make, PageTestPackages, Firefox], || {
        tests(journeys::dashboard(Engine::Firefox)?)
    }),
    stage("dashboard in WebKit", &[Make, PageTestPackages, WebKit], || {
        tests(journeys::dashboard(Engine::WebKit)?)
    }),
    stage(
        "consumers",
        &[Make, WasmToolchain, WasmOptimizers, PageTestPackages, Chromium],
        payments_in_consumers,
    ),
    stage("generated clients", &[Make, ClientGenerator, Php], || {
        Ok(Count { passed: clients::check()?, failed: 0 })
    }),
    // Clients of the operators from PyPI and npm, with the emulator, where no other network is.
    stage("foreign clients", &[Make, Node, ForeignClients], || {
        let [python, node] = foreign::clients()?;
        Ok(tests(python)?.and(tests(node)?))
    }),
    stage("example shops", &[Make, Python, Php], || tests(examples::purchases()?)),
    stage(
        "plug-in for WordPress",
        &[Make, WordPress, PageTestPackages, Chromium],
        wordpress_plugin,
    ),
    stage("plug-in for Medusa", &NODE_SHOP, || tests(plugins::shop_journeys("Medusa", 600)?)),
    // On SQLite, then on PostgreSQL.
    stage("plug-in for Vendure", &NODE_SHOP, || tests(plugins::shop_journeys("Vendure", 400)?)),
    // Its lints, types and unit tests, then its journeys on SQLite, then on PostgreSQL.
    stage("plug-in for Oscar", &PYTHON_SHOP, || tests(plugins::shop_journeys("Oscar", 500)?)),
    // Its lints, types and unit tests, then its journeys on PostgreSQL.
    stage("plug-in for pretix", &PYTHON_SHOP, || tests(plugins::shop_journeys("pretix", 600)?)),
    stage("publish rehearsal", &[], publish_rehearsal),
    // Compiling cargo-deny takes longer than its checks; a test of tua-sbom has the most important
    // ones.
    stage("supply chain", &[Deny], || deny(&["licenses", "bans", "sources"])),
    stage("book", &[Mdbook], || docs::build().map(|()| Count::ONE_PASSED)),
    stage("stable dist", &[Make, WasmToolchain, WasmOptimizers, Chromium], stable_package),
    stage(
        "container",
        &[Root, Make, WasmToolchain, WasmOptimizers, Container, StaticToolchain],
        || container::check().map(|()| Count::ONE_PASSED),
    ),
    stage("lowest Rust version", &[], || Ok(Count { passed: msrv::check()?, failed: 0 })),
    // Each file of `cargo xtask release`, installed in an empty place.
    stage("release", &RELEASE, || Ok(Count { passed: release::check()?, failed: 0 })),
];

const NODE_SHOP: [Requirement; 4] = [Make, Node, Postgres, Chromium];
const PYTHON_SHOP: [Requirement; 5] = [Make, Node, Python, Postgres, Chromium];

const RELEASE: [Requirement; 8] =
    [Root, Make, WasmToolchain, WasmOptimizers, Container, StaticToolchain, CargoDeb, Debootstrap];

/// Runs only with `--advisories`, because it downloads the RustSec database.
pub const ADVISORIES: Stage = stage("advisories", &[Deny], advisories);

/// The test programs that start the real service on a database. `commands` is of the package
/// `tua-service`, so that cargo compiles `tua`, which the others start too.
const SERVICE_TESTS: [&str; 6] = ["commands", "http", "operators", "pages", "payments", "store"];

const WASM_PACKAGES: [&str; 6] =
    ["--package", "tua-checkout", "--package", "tua-embed", "--package", "tua-example-yew"];

fn format() -> Result<Count> {
    check(Step::new("cargo fmt --check", "cargo").args(["fmt", "--all", "--check"]))
}

/// The exceptions are in _typos.toml.
fn spelling() -> Result<Count> {
    check(
        Step::new("typos", tools::TESTS.program("typos")?).args(["--hidden", "--format", "brief"]),
    )
}

fn unused_dependencies() -> Result<Count> {
    check(Step::new("cargo machete", tools::MACHETE.program()?))
}

/// The rules are in deny.toml.
fn deny(checks: &[&str]) -> Result<Count> {
    let step = Step::new(format!("cargo deny check {}", checks.join(" ")), tools::DENY.program()?);
    check(step.args(["--workspace", "--locked", "--all-features", "check"]).args(checks))
}

/// Looks up known weaknesses. Where the database cannot be reached, such as without a network,
/// nothing is checked, and the stage says so: that says nothing about the dependencies.
fn advisories() -> Result<Count> {
    let fetch =
        Step::new("fetching the RustSec database", tools::DENY.program()?).args(["fetch", "db"]);
    match fetch.try_run()? {
        StepEnd::Succeeded(_) => deny(&["--disable-fetch", "advisories"]),
        StepEnd::Failed(failure) => {
            failure.print();
            eprintln!(
                "  the RustSec database cannot be reached: known weaknesses of dependencies were \
                 NOT looked up"
            );
            Ok(Count::default())
        }
    }
}

fn clippy() -> Result<Count> {
    let args = ["--workspace", "--all-targets", "--", "--deny", "warnings"];
    check(Step::cargo("cargo clippy", "clippy").args(args).about(150))
}

fn clippy_wasm() -> Result<Count> {
    let step = Step::cargo("cargo clippy for wasm32", "clippy").args(WASM_PACKAGES);
    check(
        step.args(["--all-targets", "--target", tools::WASM_TARGET, "--", "--deny", "warnings"])
            .about(60),
    )
}

fn rustdoc() -> Result<Count> {
    let step = Step::cargo("cargo doc", "doc").args(["--workspace", "--no-deps"]);
    check(step.env("RUSTDOCFLAGS", "--deny warnings").about(40))
}

fn npm_package() -> Result<Count> {
    dist::build(false, &[])?;
    dist::check()?;
    let lists = sbom::write()?.len() as u64;
    Ok(Count { passed: 1 + lists, failed: 0 })
}

/// The package without unstable features of the compiler (`cargo xtask dist --stable`). Afterwards
/// pkg/ contains the usual one again, which the other stages measure.
fn stable_package() -> Result<Count> {
    dist::build(true, &[])?;
    let tested = dist::check().and_then(|_| main_journeys(Engine::Chromium));
    dist::build(false, &[])?;
    tested
}

/// A payment in projects built with Vite, webpack, Next.js, React, Vue and Yew, and in a plain
/// page.
fn payments_in_consumers() -> Result<Count> {
    let (step, _service) = consumers::payer(&browsers::chromium()?)?;
    tests(step)
}

fn api_conformance(length: api::Length) -> Result<Count> {
    Ok(Count { passed: api::conformance(length)?, failed: 0 })
}

/// Every state in every theme, language and width, with the published wasm.
fn looks() -> Result<Count> {
    dist::require()?;
    let script = paths::root().join("tests/looks/looks.mjs");
    tests(
        Step::node_tests("the looks of every state", &script)
            .args([&paths::root(), &browsers::chromium()?.browser, &paths::target().join("looks")])
            .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
            .about(90),
    )
}

/// Tests each published package alone: together they would enable cargo features for each other,
/// and a package that builds only with these would pass. The others are only ever built together.
fn host_tests() -> Result<Count> {
    let mut all = Count::default();
    for name in programs::published()? {
        all = all.and(tests(
            Step::cargo(format!("cargo test {name}"), "test").args(["--package", &name]),
        )?);
    }
    Ok(all.and(tests(service_tests("cargo test of the other packages")?)?))
}

/// A step that tests the packages of the service. These tests often wait: for a worker, for an
/// operator, for the disk. So more of them run at once than there are processors.
fn service_tests(title: &str) -> Result<Step> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get) * 2;
    let step = programs::cargo(title, "test")?.args(["--no-fail-fast"]);
    Ok(step.env("RUST_TEST_THREADS", threads.to_string()))
}

/// The service's tests again, on a real server.
fn host_tests_on_postgres() -> Result<Count> {
    let server = postgres::Server::start()?;
    let step = service_tests("the service's tests on PostgreSQL")?;
    let step = step.args(SERVICE_TESTS.iter().flat_map(|name| ["--test", name])).about(600);
    tests(step.env("TUA_TEST_DATABASE", server.url()))
}

/// Certificates from a real ACME server, on both engines.
fn acme() -> Result<Count> {
    let server = postgres::Server::start()?;
    let step = |engine: &str| {
        let step = programs::cargo(format!("certificates from Pebble on {engine}"), "test")?;
        Ok(step.args(["--test", "http", "acme::", "--", "--ignored"]).about(20))
    };
    let on_sqlite = tests(step("SQLite")?)?;
    Ok(on_sqlite.and(tests(step("PostgreSQL")?.env("TUA_TEST_DATABASE", server.url()))?))
}

/// Every fault that is planted in the money core must be found.
fn planted_faults() -> Result<Count> {
    let planted::Sums { found, missed } = planted::plant_all()?;
    Ok(Count { passed: found, failed: missed })
}

/// Kills nodes of a cluster of three.
fn cluster(rounds: u32, is_live: bool) -> Result<Count> {
    let server = postgres::Server::start()?;
    check(crash::with_mode(crash::cluster(&server, 3, rounds, None)?, is_live))
}

/// The server SDKs, with the real service.
fn server_sdks() -> Result<Count> {
    let tua = programs::build()?.join("tua");
    let mut count = Count::default();
    for step in sdks::checks()? {
        count = count.and(check(step)?);
    }
    let count = count.and(tests_together(sdks::tests(&tua)?)?);
    Ok(count.and(tests(sdks::documented_requests(&tua)?)?))
}

/// The rules and texts of the plug-in first, then its journeys in the real WordPress.
fn wordpress_plugin() -> Result<Count> {
    let count = tests(plugins::wordpress_rules()?)?.and(check(plugins::wordpress_texts())?);
    if count.failed > 0 {
        return Ok(count);
    }
    Ok(count.and(tests(plugins::wordpress_journeys()?)?))
}

fn browser_tests() -> Result<Count> {
    let service = harness::start()?;
    tests(
        Step::new("the component in Chromium", "wasm-pack")
            // What follows the path is passed to cargo.
            .args(["test", "--headless", "--chrome", "--mode", "no-install", ".", "--locked"])
            .env("PATH", tools::wasm_test_tools()?)
            .env("CHROMEDRIVER", browsers::chromium()?.driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
            .env("TUA_TEST_API", &service.api)
            .env("TUA_TEST_KEY", &service.key)
            .env("TUA_TEST_CONTROL", &service.control)
            .about(120),
    )
}

fn main_journeys(engine: Engine) -> Result<Count> {
    let count = tests(journeys::main_journeys(engine)?)?;
    // libtest accepts a name that no test has.
    if count.passed + count.failed < journeys::MAIN_JOURNEYS.len() as u64 {
        return Err(fault!(
            "a main journey was renamed: correct its name in crates/xtask/src/journeys.rs"
        ));
    }
    Ok(count)
}

/// All at once, so that cargo compiles each package as it would upload it, against the others as it
/// would upload them. They are on no registry yet.
fn publish_rehearsal() -> Result<Count> {
    let packages = release::CRATES.iter().flat_map(|name| ["--package", name]);
    let step =
        Step::cargo("rehearsing cargo publish", "publish").args(["--dry-run", "--allow-dirty"]);
    check(step.args(packages).about(120))
}
