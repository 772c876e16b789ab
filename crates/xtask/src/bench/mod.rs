//! `cargo xtask bench`: ratios, measured in one run, so that another machine prints about the same.

mod api;
mod web;

use crate::fault::Result;

#[derive(Debug, clap::Subcommand)]
pub enum What {
    /// POST /v1/charge on the real service against a bare axum JSON handler
    Api,
    /// The form on a poor phone: our tag and our hosted page against Adyen's MBWay
    Web,
}

pub fn run(what: &What) -> Result<()> {
    match what {
        What::Api => api::run(),
        What::Web => web::run(),
    }
}
