//! A running service, and how it stops.

use super::workers::EvidenceWriter;
use crate::shared_use_cases::mail_contents;
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::task::JoinHandle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tua_domain::{
    ports::{Clock, Store},
    public_url::PublicUrl,
};
use tua_store::database::DatabaseLock;
use tua_use_cases::{
    Accounts, ApiKeys, Enrolments, Idempotency, MailContents, Members, OperatorGateway, Payouts,
    Readiness, StatusQueries,
};

/// The longest time that a stop waits for requests and tasks in flight
/// (docs/reference/command-line.md).
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest time that a stop then waits for the last records of exchanges with operators.
const EVIDENCE_TIMEOUT: Duration = Duration::from_secs(1);

/// A started service: its parts, its addresses, and what stops it.
#[derive(Debug)]
pub struct Running {
    /// Where all data is stored.
    pub store: Arc<dyn Store>,
    /// The clock that the service was started with.
    pub clock: Arc<dyn Clock>,
    /// Whether it can do its work.
    pub readiness: Arc<Readiness>,
    /// Calls operators, and records what they respond.
    pub gateway: Arc<OperatorGateway>,
    /// Queries operators for the status of transactions.
    pub status_queries: Arc<StatusQueries>,
    /// Applies decisions about payouts.
    pub payouts: Payouts,
    /// Creates and reads accounts.
    pub accounts: Accounts,
    /// Creates and finds secret keys.
    pub api_keys: ApiKeys,
    /// Reads and changes the roles of people in accounts.
    pub members: Members,
    /// Enrols people of the dashboard.
    pub enrolments: Enrolments,
    /// Processes each request with an idempotency key once.
    pub idempotency: Arc<Idempotency>,
    /// What runs as long as the service.
    pub(super) workers: TaskTracker,
    /// Calls and deliveries in flight, which outlive the request or the worker that began them.
    pub tasks: TaskTracker,
    /// Cancelled once the service stops.
    pub stopping: CancellationToken,
    pub(super) public_url: PublicUrl,
    /// The origin of the dashboard; `None` if it is off.
    pub(super) dashboard_url: Option<PublicUrl>,
    pub(super) address: SocketAddr,
    pub(super) metrics_address: Option<SocketAddr>,
    pub(super) http_address: Option<SocketAddr>,
    pub(super) server: JoinHandle<()>,
    pub(super) evidence: EvidenceWriter,
    /// Held as long as the service runs, so that a second one refuses the database file.
    pub(super) _lock: Option<DatabaseLock>,
}

impl Running {
    /// The address that it listens on.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The address that it serves metrics on.
    #[must_use]
    pub const fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// The address of the listener that redirects plain HTTP to HTTPS.
    #[must_use]
    pub const fn http_addr(&self) -> Option<SocketAddr> {
        self.http_address
    }

    /// The URL under which clients reach it, without a slash at the end.
    #[must_use]
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// The origin of the dashboard, without a slash at the end; `None` if it is off.
    #[must_use]
    pub fn dashboard_url(&self) -> Option<&str> {
        self.dashboard_url.as_ref().map(PublicUrl::as_str)
    }

    /// Reads what e-mail is about when it is sent.
    #[must_use]
    pub fn mail_contents(&self) -> MailContents {
        mail_contents(&self.store, self.idempotency.keys.clone())
    }

    /// Stops accepting connections, answers long polls, and finishes what is in flight, within 10
    /// s. What is still pending then is on disk and goes on after the next start.
    pub async fn stop(self) {
        self.stopping.cancel();
        self.workers.close();
        self.tasks.close();
        let finish = async {
            let _ = self.server.await;
            // A worker can begin a last task, but a task begins no worker.
            self.workers.wait().await;
            self.tasks.wait().await;
        };
        if tokio::time::timeout(STOP_TIMEOUT, finish).await.is_err() {
            tracing::warn!("stopped with work in flight; it goes on after the next start");
        }
        // Calls that were in flight have recorded their exchanges until now.
        self.evidence.finish(EVIDENCE_TIMEOUT).await;
    }
}
