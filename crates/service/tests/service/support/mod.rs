//! What the tests share: a running service, its clients, and fakes of its surroundings.

mod api_client;
pub mod binary;
pub mod consistency;
pub mod dashboard;
pub mod failing_plan;
pub mod fake_operator;
pub mod hosted_page;
pub mod idempotency;
pub mod live_operators;
pub mod open_transaction;
pub mod operator_callbacks;
pub mod payment_bodies;
pub mod payout_batches;
pub mod payout_controls;
pub mod pebble;
pub mod pictures;
pub mod refunds;
pub mod scripted_operator;
pub mod sign_in_provider;
pub mod slow_body;
pub mod smtp_server;
pub mod software_passkey;
pub mod tcp_proxy;
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
