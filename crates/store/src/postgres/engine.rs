//! The [`Store`] port: each use case is one transaction.

use super::{
    PostgresStore,
    apply_event::ApplyEvent,
    batch_ops::{BatchRead, BatchWrite},
    buckets,
    checkouts::{self, InsertCheckout},
    closing, hand_over,
    idempotency::{self, FindRecord},
    insert_payment::InsertPayment,
    leases, prune, transaction_rows, transactions,
};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Event, NewTransaction, Scope, Transaction,
    TransactionId,
    audit::AuditContext,
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    persistent_bucket::PersistentBucket,
    ports::{
        BeginError, CloseError, ClusterLink, CountError, Due, Finding, HandOver, NextAsk, Observed,
        OpenError, Route, SettledCode, Store, StoreError,
    },
    queue::Queue,
    retention::{Horizon, Pruned},
    secret::SecretDigest,
    transaction::Sending,
};

type Stored<T> = Result<T, StoreError>;

#[async_trait]
impl Store for PostgresStore {
    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError> {
        self.insert_checkout
            .submit(BatchWrite(InsertCheckout { checkout, token, response }))
            .await?
    }

    async fn checkout(&self, id: &CheckoutId) -> Stored<Option<Checkout>> {
        self.tx.read(|db| async move { checkouts::by_id(&db, id).await }).await
    }

    async fn close_checkout(
        &self,
        scope: &Scope,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<(Checkout, CheckoutSummary), CloseError> {
        self.tx
            .try_write(InDoubt::Retry, |db| async move { closing::close(&db, scope, id, by).await })
            .await?
    }

    async fn expire_test_checkout(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Stored<Option<Checkout>> {
        self.tx
            .write(InDoubt::Retry, |db| async move { closing::expire_test(&db, id, by).await })
            .await
    }

    async fn checkout_summary(&self, id: &CheckoutId) -> Stored<CheckoutSummary> {
        self.tx.read(|db| async move { checkouts::standing(&db, id).await }).await
    }

    async fn begin(
        &self,
        new: Arc<NewTransaction>,
        sending: Sending,
        attempt: Option<Attempt>,
        prompts: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, BeginError> {
        self.insert_payment
            .submit(BatchWrite(InsertPayment { new, sending, attempt, prompts, now }))
            .await?
    }

    async fn hand_over(
        &self,
        id: &TransactionId,
        route: Route,
        first_ask: Timestamp,
        now: Timestamp,
        waited: Duration,
    ) -> Stored<HandOver> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                hand_over::mark(&db, id, route, first_ask, now, waited).await
            })
            .await
    }

    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Stored<bool> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                hand_over::withdraw(&db, marked, send_at, now).await
            })
            .await
    }

    async fn permit_repeated_send(
        &self,
        due: &Due,
        deadline: Timestamp,
    ) -> Stored<Option<Timestamp>> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                hand_over::permit_repeat(&db, due, deadline).await
            })
            .await
    }

    async fn transaction(&self, id: &TransactionId) -> Stored<Option<Transaction>> {
        self.transactions.submit(BatchRead(id.clone())).await
    }

    async fn events(&self, id: &TransactionId) -> Stored<Vec<(Timestamp, Event)>> {
        self.tx.read(|db| async move { transaction_rows::events(&db, id).await }).await
    }

    async fn observe(
        &self,
        asked: &Transaction,
        finding: Finding,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Stored<Observed> {
        // Refunds change their charge too, a refused send counts only where no other send was
        // permitted meanwhile, and a flag is stored besides the event.
        let is_alone = asked.order.refund.is_none()
            && !finding.is_refused_send()
            && finding.attention.is_none();
        if let Some((event, after)) = asked.after(&finding, now).filter(|_| is_alone) {
            let transaction = after.clone();
            let is_response_stored = response.is_some();
            let op = ApplyEvent::new(asked, after, event, response.clone());
            if self.apply_event.submit(BatchWrite(op)).await?.is_ok() {
                return Ok(Observed { transaction, before: Some(asked.state), is_response_stored });
            }
        }
        let finding = &finding;
        let response = response.as_ref();
        self.tx
            .write(InDoubt::Retry, |db| async move {
                transactions::observe(&db, asked, finding, response, now).await
            })
            .await
    }

    async fn count_code_attempt(
        &self,
        id: &TransactionId,
        attempt: Option<Attempt>,
        guesses: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, CountError> {
        let attempt = attempt.as_ref();
        let guesses = guesses.as_slice();
        self.tx
            .try_write(InDoubt::Surface, |db| async move {
                transactions::count_code_attempt(&db, id, attempt, guesses, now).await
            })
            .await?
    }

    /// Not repeated: a verdict that is counted twice would hide a code that is in flight.
    async fn settle_code(&self, id: &TransactionId) -> Stored<SettledCode> {
        self.tx
            .write(InDoubt::Surface, |db| async move { transactions::settle_code(&db, id).await })
            .await
    }

    async fn return_token(&self, bucket: PersistentBucket) -> Stored<()> {
        let bucket = &bucket;
        self.tx
            .write(InDoubt::Surface, |db| async move { buckets::return_token(&db, bucket).await })
            .await
    }

    async fn find_attempt(
        &self,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Stored<Option<IdempotencyRecord>> {
        self.attempts.submit(BatchRead(FindRecord { attempt: attempt.clone(), now })).await
    }

    async fn record_response(&self, response: StoredResponse) -> Stored<ResponseSnapshot> {
        let response = &response;
        self.tx
            .write(
                InDoubt::Retry,
                |db| async move { idempotency::record_response(&db, response).await },
            )
            .await
    }

    async fn due_queues(&self, queues: Vec<Queue>, now: Timestamp) -> Stored<Vec<Queue>> {
        let queues = &queues;
        self.tx.read(|db| async move { leases::due_queues(&db, queues, now).await }).await
    }

    async fn lease_due(
        &self,
        places: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Stored<Vec<Due>> {
        let places = &places;
        self.tx
            .write(InDoubt::Retry, |db| async move {
                leases::lease_due(&db, places, now, leased_until).await
            })
            .await
    }

    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Stored<()> {
        self.tx
            .write(InDoubt::Retry, |db| async move { leases::end_leases(&db, now, latest).await })
            .await
    }

    async fn bring_schedules_back(&self, now: Timestamp) -> Stored<()> {
        self.tx
            .write(InDoubt::Retry, |db| async move { leases::bring_schedules_back(&db, now).await })
            .await
    }

    async fn plan_ask(
        &self,
        id: &TransactionId,
        asks: u32,
        next: NextAsk,
        now: Timestamp,
    ) -> Stored<bool> {
        self.tx
            .write(
                InDoubt::Retry,
                |db| async move { leases::plan_ask(&db, id, asks, next, now).await },
            )
            .await
    }

    /// Every change is published through [`ClusterLink`], also one by the command line.
    async fn changed_externally(&self) -> Stored<bool> {
        Ok(false)
    }

    fn cluster_link(&self) -> Option<&dyn ClusterLink> {
        Some(self)
    }

    async fn prune(&self, horizon: Horizon, limit: u32) -> Stored<Pruned> {
        self.tx
            .write(InDoubt::Retry, |db| async move { prune::prune(&db, horizon, limit).await })
            .await
    }

    async fn is_ready(&self, now: Timestamp) -> Stored<()> {
        let sql = "INSERT INTO readiness (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET \
            at = excluded.at";
        let at = &now.as_millisecond();
        self.tx
            .write(InDoubt::Retry, |db| async move { db.execute(sql, &[at]).await })
            .await
            .map(drop)
    }
}
