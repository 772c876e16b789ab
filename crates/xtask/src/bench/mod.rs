//! `cargo xtask bench`: ratios from a single run, which differ little between machines.

mod api;
mod dashboard;
mod growth;
mod light;
mod load;
mod operators;
mod overload;
mod soak;
mod waiting;
mod web;

use crate::fault::Result;

#[derive(Debug, clap::Subcommand)]
pub enum BenchTarget {
    /// What charges, sessions and whole payments cost on both databases, compared with bare
    /// handlers or another build
    Api(api::Args),
    /// The dashboard with millions of transactions, and an export of a year beside charges
    Dashboard(dashboard::Args),
    /// Charge, status and list with a thousand transactions, and with millions
    Growth(growth::Args),
    /// Time from start to ready, memory at rest, size of the binary
    Light,
    /// Live charges through each connector, with the emulator as operators
    Operators(operators::Args),
    /// Three times as many charges as the service can serve
    Overload,
    /// Memory, handles, disk and response times during an hour of payments, pages, exports,
    /// imports and restarts
    Soak(soak::Args),
    /// Ten thousand payers who wait for a change, and charges meanwhile
    Waiting(waiting::Args),
    /// The form on a slow phone: our tag and our hosted page, compared with Adyen's MBWay
    Web,
}

pub fn run(target: &BenchTarget) -> Result<()> {
    match target {
        BenchTarget::Api(args) => api::run(args),
        BenchTarget::Dashboard(args) => dashboard::run(args),
        BenchTarget::Growth(args) => growth::run(args),
        BenchTarget::Light => light::run(),
        BenchTarget::Operators(args) => operators::run(args),
        BenchTarget::Overload => overload::run(),
        BenchTarget::Soak(args) => soak::run(args),
        BenchTarget::Waiting(args) => waiting::run(args),
        BenchTarget::Web => web::run(),
    }
}
