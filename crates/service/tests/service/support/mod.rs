//! What the tests share: a running service, its callers, and stand-ins for what is around it.

mod api_client;
pub mod binary;
pub mod consistency;
pub mod failing_store;
pub mod fake_operator;
pub mod hosted_page;
pub mod idempotency;
pub mod payment_bodies;
pub mod scripted_operator;
pub mod tcp_proxy;
mod test_app;
pub mod test_clock;
pub mod test_database;
pub mod webhook_receiver;

use std::{future::Future, time::Duration};

pub use self::{
    api_client::{ApiClient, Response, client},
    test_app::TestApp,
};

/// Looks until it is so, ten seconds at the most.
pub async fn eventually<F: Future<Output = bool>>(what: &str, so: impl Fn() -> F) {
    let looking = async {
        while !so().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), looking).await.unwrap_or_else(|_| panic!("never so: {what}"));
}
