//! The real service, as it is shipped, looked at from outside by `tests/load`.

use crate::fault::Result;
use crate::paths;
use crate::step::Step;

/// Prints what this measurement prints.
pub(super) fn run(measurement: &str, title: &str, about: u32, arguments: &[String]) -> Result<()> {
    let packages = ["--package", "tua-service", "--bin", "tua", "--package", "tua-load", "--bin", "tua-load"];
    Step::cargo("compiling the service and what measures it", "build")
        .args(["--release"])
        .args(packages)
        .about(300)
        .run()?;
    let binaries = paths::target().join("release");
    let measured = Step::new(title, binaries.join("tua-load"))
        .args([measurement])
        .args(arguments)
        .env("TUA_BIN", binaries.join("tua"))
        .about(about)
        .run()?;
    print!("{}", measured.log);
    Ok(())
}
