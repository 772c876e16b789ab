//! The [`Store`] port: each use case is one transaction.

use super::{
    SqliteStore, buckets, checkouts, hand_over, idempotency, leases, prune, transaction_rows,
    transactions,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};
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

#[async_trait]
impl Store for SqliteStore {
    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError> {
        self.writer
            .write(move |db| checkouts::insert(db, &checkout, token, response.as_ref()))
            .await?
    }

    async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError> {
        self.readers.read(|db| checkouts::by_id(db, id))
    }

    async fn close_checkout(
        &self,
        scope: &Scope,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<(Checkout, CheckoutSummary), CloseError> {
        let scope = scope.clone();
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| checkouts::close(db, &scope, &id, &by)).await?
    }

    async fn expire_test_checkout(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<Option<Checkout>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| checkouts::expire_test(db, &id, &by)).await
    }

    async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
        self.readers.read(|db| checkouts::standing(db, id))
    }

    async fn begin(
        &self,
        new: Arc<NewTransaction>,
        sending: Sending,
        attempt: Option<Attempt>,
        prompts: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, BeginError> {
        self.writer
            .write(move |db| {
                transactions::begin(db, &new, &sending, attempt.as_ref(), &prompts, now)
            })
            .await?
    }

    async fn hand_over(
        &self,
        id: &TransactionId,
        route: Route,
        first_ask: Timestamp,
        now: Timestamp,
        waited: Duration,
    ) -> Result<HandOver, StoreError> {
        let id = id.clone();
        self.writer.write(move |db| hand_over::mark(db, &id, route, first_ask, now, waited)).await
    }

    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let marked = marked.clone();
        self.writer.write(move |db| hand_over::withdraw(db, &marked, send_at, now)).await
    }

    async fn permit_repeated_send(
        &self,
        due: &Due,
        deadline: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let due = due.clone();
        self.writer.write(move |db| hand_over::permit_repeat(db, &due, deadline)).await
    }

    async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
        self.readers.read(|db| transaction_rows::by_id(db, id))
    }

    async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError> {
        self.readers.read(|db| transaction_rows::events(db, id))
    }

    async fn observe(
        &self,
        asked: &Transaction,
        finding: Finding,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Result<Observed, StoreError> {
        let asked = asked.clone();
        self.writer
            .write(move |db| transactions::observe(db, &asked, &finding, response.as_ref(), now))
            .await
    }

    async fn count_code_attempt(
        &self,
        id: &TransactionId,
        attempt: Option<Attempt>,
        guesses: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, CountError> {
        let id = id.clone();
        self.writer
            .write(move |db| {
                transactions::count_code_attempt(db, &id, attempt.as_ref(), &guesses, now)
            })
            .await?
    }

    async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError> {
        let id = id.clone();
        self.writer.write(move |db| transactions::settle_code(db, &id)).await
    }

    async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError> {
        self.writer.write(move |db| buckets::return_token(db, &bucket)).await
    }

    async fn find_attempt(
        &self,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.readers.read(|db| idempotency::find(db, attempt, now))
    }

    async fn record_response(
        &self,
        response: StoredResponse,
    ) -> Result<ResponseSnapshot, StoreError> {
        self.writer.write(move |db| idempotency::record_response(db, &response)).await
    }

    async fn due_queues(
        &self,
        queues: Vec<Queue>,
        now: Timestamp,
    ) -> Result<Vec<Queue>, StoreError> {
        self.readers.read(|db| leases::due_queues(db, queues, now))
    }

    async fn lease_due(
        &self,
        places: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Result<Vec<Due>, StoreError> {
        self.writer.write(move |db| leases::lease_due(db, &places, now, leased_until)).await
    }

    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
        self.writer.write(move |db| leases::end_leases(db, now, latest)).await
    }

    async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError> {
        self.writer.write(move |db| leases::bring_schedules_back(db, now)).await
    }

    async fn plan_ask(
        &self,
        id: &TransactionId,
        asks: u32,
        next: NextAsk,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.writer.write(move |db| leases::plan_ask(db, &id, asks, next, now)).await
    }

    async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError> {
        self.writer.write(move |db| prune::prune(db, horizon, limit)).await
    }

    async fn changed_externally(&self) -> Result<bool, StoreError> {
        // On the writer's connection: `data_version` changes with the commits of other connections
        // only.
        let sql = "PRAGMA data_version";
        let version = self
            .writer
            .write(move |db| db.prepare_cached(sql)?.query_row([], |row| row.get(0)))
            .await?;
        Ok(self.last_data_version.swap(version, Ordering::Relaxed) != version)
    }

    fn cluster_link(&self) -> Option<&dyn ClusterLink> {
        None
    }

    async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError> {
        self.writer
            .write(move |db| {
                db.prepare_cached("INSERT OR REPLACE INTO readiness (one, at) VALUES (1, ?1)")?
                    .execute([now.as_millisecond()])
                    .map(drop)
            })
            .await
    }
}
