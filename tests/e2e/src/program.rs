//! Programs of the workspace that a journey starts.

use anyhow::{Context, Result};
use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Starts the program whose path is in this environment variable, or the compiled one of this
/// package. Returns it with the lines that it prints. Dropping it stops it. What it writes about
/// errors is seen in the log of the tests.
pub(crate) fn start(
    variable: &str,
    package: &str,
    name: &str,
    args: &[&OsStr],
) -> Result<(Child, Lines<BufReader<ChildStdout>>)> {
    let program = env::var_os(variable).map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/debug").join(name),
        PathBuf::from,
    );
    let mut process = Command::new(&program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .env("TUA_LOG", "error")
        .kill_on_drop(true)
        .spawn()
        .with_context(|| {
            format!("{}: build it with `cargo build -p {package}`", program.display())
        })?;
    let stdout = process.stdout.take().context("the program has no standard output")?;
    Ok((process, BufReader::new(stdout).lines()))
}
