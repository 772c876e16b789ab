//! The server SDKs in sdks/.

use crate::fault::Result;
use crate::step::Step;
use crate::{paths, tools};
use std::path::{Path, PathBuf};

/// Compares what is generated from docs/openapi.json, and the types and the form of the sources.
/// The SDK for Node.js does this in its tests.
pub fn checks() -> Result<Vec<Step>> {
    let python = tools::SDK.python()?;
    let of_python = |title: &str, args: &[&str]| {
        Step::new(format!("{title} of the SDK for Python"), &python)
            .args(args)
            .dir(&folder("python"))
    };
    Ok(vec![
        of_python("the lints", &["-m", "ruff", "check", "."]),
        of_python("the format", &["-m", "ruff", "format", "--check", "."]),
        of_python("the types", &["-m", "mypy"]),
        of_python("the models", &["scripts/generate_models.py", "--check"]),
        of_python("the synchronous modules", &["scripts/generate_sync.py", "--check"]),
        Step::new("the models of the SDK for PHP", "php")
            .args(["scripts/generate-models.php", "--check"])
            .dir(&folder("php")),
    ])
}

/// The tests of each SDK, with the program `tua` at this path. Each script packs its package,
/// installs it in an empty folder, and runs the tests with it.
pub fn tests(tua: &Path) -> Result<Vec<Step>> {
    let of_typescript = npm("the SDK for Node.js", &["test"], &build_typescript()?);
    let of_python = Step::new("the SDK for Python", tools::SDK.python()?)
        .args(["scripts/test_packed.py"])
        .dir(&folder("python"));
    let of_php =
        Step::new("the SDK for PHP", "php").args(["scripts/test-packed.php"]).dir(&folder("php"));
    let steps = [of_typescript, of_python, of_php];
    Ok(steps.map(|step| step.env("TUA_BIN", tua).about(150)).into())
}

/// The requests that the documentation shows, and its files without an SDK, with the program `tua`
/// at this path. They use the SDK for Node.js as its own tests compiled it: run them afterwards.
pub fn documented_requests(tua: &Path) -> Result<Step> {
    let file = |name: &str| paths::root().join("sdks/conformance").join(name);
    let step = Step::new("the requests of the documentation", "node").without_env("FORCE_COLOR");
    Ok(step
        .args(["--test", "--test-reporter=spec"])
        .args([file("requests.test.mjs"), file("by-hand.test.mjs")])
        .env("TUA_BIN", tua)
        .env("TUA_PYTHON", tools::SDK.python()?)
        .about(110))
}

/// Installs and compiles the SDK for Node.js, which the example shop uses too. Returns its folder.
pub fn build_typescript() -> Result<PathBuf> {
    let folder = folder("typescript");
    let install = ["ci", "--no-audit", "--no-fund"];
    let title = "installing the development dependencies of the SDK for Node.js";
    npm(title, &install, &folder).about(20).run()?;
    npm("compiling the SDK for Node.js", &["run", "build"], &folder).about(5).run()?;
    Ok(folder)
}

fn npm(title: &str, args: &[&str], folder: &Path) -> Step {
    Step::new(title, "npm").args(args).dir(folder)
}

fn folder(language: &str) -> PathBuf {
    paths::root().join("sdks").join(language)
}
