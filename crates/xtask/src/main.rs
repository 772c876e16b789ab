//! The commands of this repository: `cargo xtask demo`, `test`, `dist` and the smaller chores.

mod api;
mod bench;
mod boundary;
mod browsers;
mod clients;
mod consumers;
mod container;
mod crash;
mod demo;
mod dist;
mod docs;
mod examples;
mod fault;
mod foreign;
mod fuzz;
mod harness;
mod interrupt;
mod journeys;
mod msrv;
mod paths;
mod planted;
mod plugins;
mod postgres;
mod programs;
mod release;
mod sbom;
mod sdks;
mod short_names;
mod simulate;
mod size;
mod step;
mod test;
mod tools;
mod upgrade;
mod wasm;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The commands of this repository"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build what is missing and start the service, a demo shop and a simulated phone
    Demo(demo::Args),
    /// Install what is missing, then check and test everything
    Test(test::Args),
    /// Build the npm package into pkg/
    Dist(dist::Args),
    /// Build the documentation as a book into target/book
    Docs,
    /// Build the service's container image, without a base image and without a network
    Container(container::Args),
    /// Build every file of a release: static programs, Debian packages, npm package, crates, image,
    /// checksums
    Release(release::Args),
    /// What an embedding page downloads, in brotli bytes
    Size(size::Args),
    /// Kill the service under load, again and again, and check that nothing was lost or doubled
    Crash(crash::Args),
    /// Upgrade from an older program that leaves pending work, on SQLite and on PostgreSQL
    Upgrade(upgrade::Args),
    /// Simulate days of payments with faults of operators, shops, disks and nodes, from seeds
    Simulate(simulate::Args),
    /// Take guards of the money core away, one at a time, and show what finds that
    PlantedFaults(planted::Args),
    /// Hand every parser of foreign bytes whatever breaks it
    Fuzz(fuzz::Args),
    /// Measure a part against a plain one, in the same run
    #[command(subcommand)]
    Bench(bench::BenchTarget),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = interrupt::listen().and_then(|()| match cli.task {
        Task::Demo(args) => demo::run(args),
        Task::Test(args) => test::run(&args),
        Task::Dist(args) => dist::run(&args),
        Task::Docs => docs::build(),
        Task::Container(args) => container::run(&args),
        Task::Release(args) => release::run(&args),
        Task::Size(args) => size::run(&args),
        Task::Crash(args) => crash::run(&args),
        Task::Upgrade(args) => upgrade::run(&args),
        Task::Simulate(args) => simulate::run(&args),
        Task::PlantedFaults(args) => planted::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Bench(target) => bench::run(&target),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fault.report(),
    }
}
