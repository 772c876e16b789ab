//! The store on PostgreSQL: its connections, and the batches of requests.

use super::{
    acknowledge::Acknowledge,
    apply_event::ApplyEvent,
    batch_ops::{BatchRead, BatchWrite},
    batcher::Batcher,
    connect::Connector,
    deliveries::RecordAttempt,
    idempotency::FindRecord,
    insert_checkout::InsertCheckout,
    insert_payment::InsertPayment,
    migrate,
    sandbox::Reference,
    tx_runner::TxRunner,
    url::PostgresUrl,
};
use crate::open_error::OpenError;
use std::fmt;
use tua_domain::{AccountId, TransactionId, secret::SecretDigest};
use tua_metrics::StoreMetrics;
use tua_operators::sandbox::orders::Received;

/// The store on PostgreSQL.
pub struct PostgresStore {
    pub(super) name: String,
    pub(super) connector: Connector,
    pub(super) tx: TxRunner,
    // Requests of every payment, executed in batches.
    pub(super) callers: Batcher<BatchRead<SecretDigest>>,
    pub(super) accounts: Batcher<BatchRead<AccountId>>,
    pub(super) attempts: Batcher<BatchRead<FindRecord>>,
    pub(super) transactions: Batcher<BatchRead<TransactionId>>,
    pub(super) insert_checkout: Batcher<BatchWrite<InsertCheckout>>,
    pub(super) insert_payment: Batcher<BatchWrite<InsertPayment>>,
    pub(super) apply_event: Batcher<BatchWrite<ApplyEvent>>,
    pub(super) acknowledge: Batcher<BatchWrite<Acknowledge>>,
    pub(super) insert_order: Batcher<BatchWrite<Received>>,
    pub(super) find_received: Batcher<BatchRead<Reference>>,
    pub(super) record_attempt: Batcher<BatchWrite<RecordAttempt>>,
    /// What a test does around the calls of the ports.
    #[cfg(feature = "fault-injection")]
    pub(crate) faults: Option<std::sync::Arc<dyn crate::fault_injection::FaultInjector>>,
}

impl PostgresStore {
    /// Connects, and migrates the schema.
    ///
    /// # Errors
    /// [`OpenError`], which names the database without its password.
    pub async fn open(url: &PostgresUrl, metrics: StoreMetrics) -> Result<Self, OpenError> {
        let name = url.to_string();
        let with_context = |fault: String| format!("database {name}: {fault}");
        let connector = Connector::new(url).map_err(with_context)?;
        migrate::migrate(&connector).await.map_err(|error| error.with_name(&name))?;
        let tx = TxRunner { pool: connector.pool().map_err(with_context)?, metrics };
        Ok(Self {
            connector,
            name: name.clone(),
            callers: Batcher::new(&tx),
            accounts: Batcher::new(&tx),
            attempts: Batcher::new(&tx),
            transactions: Batcher::new(&tx),
            insert_checkout: Batcher::new(&tx),
            insert_payment: Batcher::new(&tx),
            apply_event: Batcher::new(&tx),
            acknowledge: Batcher::new(&tx),
            insert_order: Batcher::new(&tx),
            find_received: Batcher::new(&tx),
            record_attempt: Batcher::new(&tx),
            tx,
            #[cfg(feature = "fault-injection")]
            faults: None,
        })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresStore({})", self.name)
    }
}
