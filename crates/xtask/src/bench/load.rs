//! Runs `tests/load`, which measures the release build of the service from outside.

use crate::fault::Result;
use crate::paths;
use crate::step::Step;

/// Runs a measurement of `tua-load`, and prints its output. `estimate_s`: its usual duration, in
/// seconds.
pub(super) fn run(
    measurement: &str,
    title: &str,
    estimate_s: u32,
    arguments: &[String],
) -> Result<()> {
    let packages =
        ["--package", "tua-service", "--bin", "tua", "--package", "tua-load", "--bin", "tua-load"];
    Step::cargo("compiling the service and tua-load", "build")
        .args(["--release"])
        .args(packages)
        .about(300)
        .run()?;
    let binaries = paths::target().join("release");
    let measured = Step::new(title, binaries.join("tua-load"))
        .args([measurement])
        .args(arguments)
        .env("TUA_BIN", binaries.join("tua"))
        .about(estimate_s)
        .run()?;
    print!("{}", measured.log);
    Ok(())
}
