//! `cargo xtask demo`: from a fresh clone to a shop that can be paid.

use crate::fault::{Result, fault};
use crate::{dist, interrupt, paths, wasm};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

const SERVICE: &str = "tua-service";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Passed on to `tua demo`, e.g. --listen 127.0.0.1:9000 --open
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub fn run(args: Args) -> Result<()> {
    eprintln!("Preparing the demo. The first time takes some minutes, later ones seconds.");
    dist::build(false, &[SERVICE])?;
    // The binary carries pkg/: a component that has changed is built in here. The same packages as
    // before, since others would mean other features, and half of it compiled again.
    wasm::compile_for_host("building the component into the service", &[SERVICE])
        .about(20)
        .run()?;

    let tua = paths::target().join("debug/tua");
    if interrupt::is_interrupted() {
        return Err(crate::fault::Fault::Interrupted);
    }
    // Takes this process over: Ctrl-C is then between the terminal and `tua`.
    let error = Command::new(&tua).arg("demo").args(args.rest).current_dir(paths::root()).exec();
    Err(fault!("{}: {error}", paths::shown(&tua)))
}
