//! What the stages of `cargo xtask test` require.

use super::cargo::{DEB, DENY, MACHETE, MDBOOK, WASM_BINDGEN, WASM_PACK};
use super::npm::{BUILD_PACKAGES, LOOKS_PACKAGES, npm_dir};
use super::python::{CLIENTS, FOREIGN, PythonEnvironment, RELEASE, SDK, TESTS};
use super::toolchain::{INSTALL_NODE, Missing, WASM_TARGET, missing_node, missing_rustup_parts};
use super::wordpress::{install_wordpress, missing_wordpress};
use super::{CargoProgram, apt_install, apt_program, make, on_path, wasm_test_tools};
use crate::browsers::{self, GECKODRIVER};
use crate::fault::{Result, fault};
use crate::postgres;
use crate::release::HOST;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    Make,
    /// The wasm target and the source of the standard library.
    WasmToolchain,
    /// wasm-opt and esbuild, which make the download of the checkout smaller.
    WasmOptimizers,
    /// Accessibility checker, fonts, image comparison, browser automation.
    PageTestPackages,
    /// wasm-pack and wasm-bindgen's test runner.
    WasmTestTools,
    /// schemathesis, typos, and the library of the Python shop.
    Python,
    /// What compiles static programs: a target of the toolchain, and zig as the C compiler and
    /// linker.
    StaticToolchain,
    /// Root, which may change the root directory (chroot).
    Root,
    /// Packs the Debian package.
    CargoDeb,
    /// Makes an empty Debian system, into which the package is installed.
    Debootstrap,
    /// PHP with its test runner, Composer, an HTTP client and frameworks, for the SDK and the
    /// example shop.
    Php,
    /// What the SDK for Python and its tests use.
    PythonSdk,
    /// openapi-generator, a Java program, and what its clients need.
    ClientGenerator,
    /// Published clients of the operators, in Python.
    ForeignClients,
    /// Node.js with npm, which people install themselves.
    Node,
    /// WordPress, and what it and the tests of its plug-in run on.
    WordPress,
    Machete,
    /// mdBook, which makes the documentation's book.
    Mdbook,
    /// cargo-deny, which checks the licences and advisories of dependencies.
    Deny,
    /// What builds container images, and the root certificates in them.
    Container,
    /// The ACME server of Let's Encrypt's tests, and its name server.
    Pebble,
    Chromium,
    Firefox,
    WebKit,
    Postgres,
    /// The connection pooler pgbouncer.
    Pgbouncer,
}

impl Requirement {
    /// What is missing and how to get it, one line each.
    pub fn missing(self) -> Result<Vec<String>> {
        let packages = |packages: &[&str]| match node() {
            Some(line) => vec![line],
            None if npm_dir(packages).is_dir() => vec![],
            None => {
                vec![format!("{} are missing in target/tools: {WITHOUT_FLAG}", packages.join(", "))]
            }
        };
        Ok(match self {
            Self::Make => debian(&["make"], &["make"]),
            Self::WasmToolchain => rustup(WASM_TARGET, true)?,
            Self::WasmOptimizers => packages(&BUILD_PACKAGES),
            Self::PageTestPackages => packages(&LOOKS_PACKAGES),
            Self::WasmTestTools => [WASM_PACK, WASM_BINDGEN].iter().flat_map(program).collect(),
            Self::Python => python(&TESTS),
            Self::StaticToolchain => [rustup(HOST.target, false)?, python(&RELEASE)].concat(),
            Self::Root if nix::unistd::geteuid().is_root() => vec![],
            Self::Root => vec![WITHOUT_ROOT.to_owned()],
            Self::CargoDeb => program(&DEB),
            Self::Debootstrap => debian(&["debootstrap"], &["debootstrap"]),
            Self::Php => debian(&PHP_PROGRAMS, &PHP_PACKAGES),
            Self::PythonSdk => python(&SDK),
            Self::ClientGenerator => [debian(&["java"], &[JAVA]), python(&CLIENTS)].concat(),
            Self::ForeignClients => python(&FOREIGN),
            Self::Node => node().into_iter().collect(),
            Self::WordPress => missing_wordpress(),
            Self::Machete => program(&MACHETE),
            Self::Mdbook => program(&MDBOOK),
            Self::Deny => program(&DENY),
            Self::Container => debian(&["buildah", "readelf"], &CONTAINER_PACKAGES),
            Self::Pebble => debian(&PEBBLE, &["pebble"]),
            Self::Chromium => debian(&browsers::CHROMIUM_PROGRAMS, &browsers::CHROMIUM_PACKAGES),
            Self::Firefox => [
                debian(&browsers::FIREFOX_PROGRAMS, &browsers::FIREFOX_PACKAGES),
                program(&GECKODRIVER),
            ]
            .concat(),
            Self::WebKit => debian(&browsers::WEBKIT_PROGRAMS, &browsers::WEBKIT_PACKAGES),
            Self::Postgres if postgres::is_installed() => vec![],
            Self::Postgres => {
                vec![format!("PostgreSQL is missing: run `apt-get install {}`", postgres::PACKAGE)]
            }
            Self::Pgbouncer if Path::new(PGBOUNCER).is_file() => vec![],
            Self::Pgbouncer => {
                vec!["pgbouncer is missing: run `apt-get install pgbouncer`".to_owned()]
            }
        })
    }

    /// Installs what is missing.
    pub fn install(self) -> Result<()> {
        match self {
            Self::Make => make(),
            Self::WasmToolchain => Missing::default().rust(WASM_TARGET, true)?.install(),
            Self::WasmOptimizers => Missing::default().npm()?.install(),
            Self::PageTestPackages => Missing::default()
                .npm_packages("installing axe and playwright", &LOOKS_PACKAGES)?
                .install(),
            Self::WasmTestTools => wasm_test_tools().map(drop),
            Self::Python => TESTS.python().map(drop),
            Self::StaticToolchain => {
                Missing::default().rust(HOST.target, false)?.install()?;
                RELEASE.python().map(drop)
            }
            Self::Root if nix::unistd::geteuid().is_root() => Ok(()),
            Self::Root => Err(fault!("{WITHOUT_ROOT}")),
            Self::CargoDeb => DEB.program().map(drop),
            Self::Debootstrap => apt_program("debootstrap", "debootstrap"),
            Self::Php if PHP_PROGRAMS.iter().all(|program| on_path(program).is_some()) => Ok(()),
            Self::Php => apt_install("php", &PHP_PACKAGES),
            Self::PythonSdk => SDK.python().map(drop),
            Self::ClientGenerator => {
                apt_program("java", JAVA)?;
                CLIENTS.python().map(drop)
            }
            Self::ForeignClients => FOREIGN.python().map(drop),
            Self::Node => node().map_or(Ok(()), |line| Err(fault!("{line}"))),
            Self::WordPress => install_wordpress(),
            Self::Machete => MACHETE.program().map(drop),
            Self::Mdbook => MDBOOK.program().map(drop),
            Self::Deny => DENY.program().map(drop),
            Self::Container => container(),
            Self::Pebble => PEBBLE.iter().try_for_each(|program| apt_program(program, "pebble")),
            Self::Chromium => browsers::chromium().map(drop),
            Self::Firefox => browsers::firefox().map(drop),
            Self::WebKit => browsers::webkit().map(drop),
            Self::Postgres => postgres::install(),
            Self::Pgbouncer if Path::new(PGBOUNCER).is_file() => Ok(()),
            Self::Pgbouncer => apt_install("pgbouncer", &["pgbouncer"]),
        }
    }
}

/// Debian's root certificates, which the image contains.
pub const ROOT_CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Debian's packages that build container images, with the root certificates in them.
const CONTAINER_PACKAGES: [&str; 3] = ["buildah", "binutils", "ca-certificates"];

/// Installs what builds container images.
pub fn container() -> Result<()> {
    let is_complete = on_path("buildah").is_some()
        && on_path("readelf").is_some()
        && Path::new(ROOT_CERTIFICATES).is_file();
    if is_complete { Ok(()) } else { apt_install("buildah", &CONTAINER_PACKAGES) }
}

/// Programs of the packages of PHP.
const PHP_PROGRAMS: [&str; 3] = ["php", "phpunit", "composer"];

/// Debian's packages with PHP's command line, what the SDK uses, and the frameworks that it is
/// tested with.
const PHP_PACKAGES: [&str; 13] = [
    "php-cli",
    "php-curl",
    "php-mbstring",
    "php-xml",
    "phpunit",
    "composer",
    "php-guzzlehttp-guzzle",
    "php-guzzlehttp-psr7",
    "php-laravel-framework",
    "php-symfony-event-dispatcher",
    "php-symfony-http-foundation",
    "php-symfony-http-kernel",
    "php-symfony-routing",
];

/// Debian's package with the Java runtime.
const JAVA: &str = "default-jre-headless";

/// Debian's program of the package `pgbouncer`, in a folder that is not on every user's PATH.
const PGBOUNCER: &str = "/usr/sbin/pgbouncer";

/// Programs of Debian's package `pebble`.
const PEBBLE: [&str; 2] = ["pebble", "pebble-challtestsrv"];

const WITHOUT_ROOT: &str = "the stages `container` and `release` run programs in another root \
    directory (chroot): run them as root";

const WITHOUT_FLAG: &str = "run the same command without --no-install";

fn program(program: &CargoProgram) -> Vec<String> {
    if program.is_installed() {
        vec![]
    } else {
        vec![format!(
            "{} {} is missing: run `{}`",
            program.name,
            program.version,
            program.command()
        )]
    }
}

/// What is missing of Node.js, and where to get it.
fn node() -> Option<String> {
    missing_node().map(|program| format!("{program} is missing: {INSTALL_NODE}"))
}

fn rustup(target: &str, with_source: bool) -> Result<Vec<String>> {
    let parts = missing_rustup_parts(target, with_source)?;
    Ok(parts
        .iter()
        .map(|part| format!("a part of the Rust toolchain is missing: run `rustup {part}`"))
        .collect())
}

fn python(environment: &PythonEnvironment) -> Vec<String> {
    environment.missing().map(|line| format!("{line}: {WITHOUT_FLAG}")).into_iter().collect()
}

fn debian(programs: &[&str], packages: &[&str]) -> Vec<String> {
    let missing = programs.iter().filter(|program| on_path(program).is_none());
    missing
        .map(|program| {
            format!("{program} is missing: run `apt-get install {}`", packages.join(" "))
        })
        .collect()
}
