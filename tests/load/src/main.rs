//! Measures the real service from outside, on this machine: what it weighs, how it bears ten thousand who wait, more
//! than it can do, and millions of rows. Prints numbers, and fails where the service breaks a promise; whether
//! numbers are good is for people to say, since machines differ.

mod client;
mod cores;
mod growth;
mod light;
mod overload;
mod seed;
mod service;
mod times;
mod waiting;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

#[derive(Debug, Parser)]
struct Cli {
    /// The binary
    #[arg(long, env = "TUA_BIN")]
    tua: PathBuf,
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Debug, Subcommand)]
enum Measure {
    /// With a thousand transactions, and with millions
    Growth(growth::Args),
    /// From start to ready, at rest, on disk
    Light,
    /// Three times what it can do, on one half of the cores
    Overload(overload::Args),
    /// Payers who all wait for news at once
    Waiting(waiting::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // A file for every connection.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    // Before there are threads, which keep to the same cores.
    let cores = match &cli.measure {
        Measure::Overload(_) => Some(cores::halve()?),
        _ => None,
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        match &cli.measure {
            Measure::Growth(args) => growth::run(&cli.tua, args).await,
            Measure::Light => light::run(&cli.tua).await,
            Measure::Overload(args) => overload::run(&cli.tua, cores, args).await,
            Measure::Waiting(args) => waiting::run(&cli.tua, args).await,
        }
    })
}
