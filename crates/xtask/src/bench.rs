//! `cargo xtask bench`: ratios, measured in one run.

use crate::fault::{Result, fault};

#[derive(Debug, clap::Subcommand)]
pub enum What {
    /// POST /v1/charge on the real service against a bare axum JSON handler
    Api,
}

pub fn run(what: &What) -> Result<()> {
    match what {
        What::Api => Err(fault!("bench api: not built yet")),
    }
}
