//! Measures the real service from outside: its size and memory, ten thousand waiting payers,
//! overload, live operators, millions of rows, the dashboard of an account that has them, and an
//! hour of everything. Prints numbers, and fails only if the service violates a guarantee, because
//! machines differ.

mod backlog;
mod client;
mod cores;
mod dashboard;
mod durations;
mod emulator;
mod growth;
mod light;
mod live;
mod operators;
mod overload;
mod pace;
mod seed;
mod service;
mod soak;
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
    /// The dashboard of an account with millions of transactions, on a file and on a server
    Dashboard(dashboard::Args),
    /// Requests with a thousand transactions, and with millions
    Growth(growth::Args),
    /// Start time, memory at rest, size of the binary
    Light,
    /// Live charges through each connector, with the emulator as operators
    Operators(operators::Args),
    /// Three times the load that saturates it, on one half of the cores
    Overload(overload::Args),
    /// Everything at once for an hour: what the service uses must not grow
    Soak(soak::Args),
    /// Payers who wait for a change at the same time
    Waiting(waiting::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Every connection needs a file descriptor.
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
    // Before threads start, because they inherit the cores.
    let cores = match &cli.measure {
        Measure::Overload(_) => Some(cores::halve()?),
        _ => None,
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        match &cli.measure {
            Measure::Dashboard(args) => dashboard::run(&cli.tua, args).await,
            Measure::Growth(args) => growth::run(&cli.tua, args).await,
            Measure::Light => light::run(&cli.tua).await,
            Measure::Operators(args) => operators::run(&cli.tua, args).await,
            Measure::Overload(args) => overload::run(&cli.tua, cores, args).await,
            Measure::Soak(args) => soak::run(&cli.tua, args).await,
            Measure::Waiting(args) => waiting::run(&cli.tua, args).await,
        }
    })
}
