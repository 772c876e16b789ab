//! `cargo xtask bench`: ratios, measured in one run, so that another machine prints about the same.

mod api;
mod service;
mod web;
mod wrk;

use crate::fault::Result;

#[derive(Debug, clap::Subcommand)]
pub enum What {
    /// Charges, sessions and statuses on both engines, against bare axum JSON handlers
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
