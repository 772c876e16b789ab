//! What the tests over a socket share: a running service with a database and a clock of its own,
//! its clients, and fakes of what surrounds it.
//!
//! Each package `tua-test-…` and the tests of the command line are one test program that uses this
//! library. A function here panics where an assumption of a test does not hold.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod api_client;
pub mod binary;
pub mod connected_shop;
pub mod consistency;
pub mod dashboard;
pub mod enrolment;
pub mod failing_plan;
pub mod fake_operator;
pub mod hosted_page;
pub mod idempotency;
pub mod key_scopes;
pub mod live_operators;
pub mod open_transaction;
pub mod operator_callbacks;
pub mod payment_bodies;
pub mod payout_batches;
pub mod payout_controls;
pub mod pictures;
mod program;
pub mod refunds;
pub mod scripted_operator;
mod security_notices;
pub mod smtp_server;
pub mod tariffs;
mod test_app;
pub mod test_clock;
pub mod test_database;
pub mod webhook_receiver;
pub mod world;

use std::{future::Future, time::Duration};

pub use self::{
    api_client::{ApiClient, Response, client},
    test_app::TestApp,
};

/// Waits until a condition holds, at most a minute, because the machine may be busy.
pub async fn eventually<F: Future<Output = bool>>(condition: &str, holds: impl Fn() -> F) {
    let waiting = async {
        while !holds().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting)
        .await
        .unwrap_or_else(|_| panic!("not within a minute: {condition}"));
}
