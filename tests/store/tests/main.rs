//! Tests of what the service stores: both engines, consistency, the ledger, reports.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod consistency;
mod ledger;
mod postgres;
mod reports;
mod store;
