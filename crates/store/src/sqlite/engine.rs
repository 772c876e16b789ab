//! The [`Store`] port: each use case is one transaction.

use super::{
    SqliteStore, account_changes, accounts, approvals, audit, buckets, checkouts, hand_over,
    idempotency, key_revocation, leases, listing, payout_controls, prune, reviews,
    transaction_rows, transactions,
};
use crate::audit_values;
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashMap, sync::Arc, sync::atomic::Ordering, time::Duration};
use tua_domain::{
    Account, AccountId, Caller, Checkout, CheckoutId, CheckoutSummary, Event, KeyId,
    NewTransaction, Scope, SecretKey, Transaction, TransactionId,
    approval::{DecideError, RoutedDecision},
    audit::AuditContext,
    branding::LogoName,
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    listing::{Filter, Page},
    payout_controls::{ControlsChange, PayoutControls},
    pending::Pending,
    persistent_bucket::PersistentBucket,
    ports::{
        AccountChange, BeginError, CloseError, ClusterLink, CountError, Decided, Due, Finding,
        HandOver, NextAsk, Observed, OpenError, OpenSessions, ReviewError, Route, SettledCode,
        Store, StoreError,
    },
    queue::Queue,
    retention::{Horizon, Pruned},
    review::{Flagged, Note, Verdict},
    secret::SecretDigest,
    transaction::Sending,
};

#[async_trait]
impl Store for SqliteStore {
    async fn create_account(
        &self,
        account: Account,
        keys: Vec<SecretKey>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let by = by.clone();
        self.write(move |db| {
            accounts::insert_account(db, &account)?;
            audit::append(db, &by, &audit_values::accounts::account_created(&account))?;
            keys.iter().try_for_each(|key| accounts::add_key(db, key, &by))
        })
        .await
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError> {
        self.readers.read(|db| accounts::account(db, id))
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.readers.read_many(accounts::accounts).await
    }

    async fn change_account(
        &self,
        id: &AccountId,
        change: AccountChange,
        by: &AuditContext,
    ) -> Result<Option<Account>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| account_changes::change_account(db, &id, &change, &by)).await
    }

    async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError> {
        let name = name.clone();
        self.readers.read_many(move |db| account_changes::logo(db, &name)).await
    }

    async fn add_key(&self, key: SecretKey, by: &AuditContext) -> Result<(), StoreError> {
        let by = by.clone();
        self.write(move |db| accounts::add_key(db, &key, &by)).await
    }

    async fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| accounts::keys(db, account.as_ref())).await
    }

    async fn revoke_key(
        &self,
        id: &KeyId,
        sessions: OpenSessions,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| key_revocation::revoke_key(db, &id, sessions, &by)).await
    }

    async fn rotate_key(
        &self,
        id: &KeyId,
        successor: SecretKey,
        expires_at: Timestamp,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| accounts::rotate_key(db, &id, &successor, expires_at, &by)).await
    }

    async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write_later(move |db| accounts::note_key_use(db, &id, at))
    }

    async fn caller(
        &self,
        digest: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        self.readers.read(|db| {
            let key = accounts::key_by_digest(db, &digest.0)?.filter(|key| key.is_valid(now));
            match key {
                Some(key) => Ok(Some(Caller::Key(key))),
                None => Ok(checkouts::by_token(db, &digest.0)?
                    .map(|checkout| Caller::Token(Box::new(checkout)))),
            }
        })
    }

    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError> {
        self.write(move |db| checkouts::insert(db, &checkout, token, response.as_ref())).await?
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
        self.write(move |db| checkouts::close(db, &scope, &id, &by)).await?
    }

    async fn expire_test_checkout(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<Option<Checkout>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| checkouts::expire_test(db, &id, &by)).await
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
        self.write(move |db| {
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
        self.write(move |db| hand_over::mark(db, &id, route, first_ask, now, waited)).await
    }

    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let marked = marked.clone();
        self.write(move |db| hand_over::withdraw(db, &marked, send_at, now)).await
    }

    async fn permit_repeated_send(
        &self,
        due: &Due,
        deadline: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let due = due.clone();
        self.write(move |db| hand_over::permit_repeat(db, &due, deadline)).await
    }

    async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
        self.readers.read(|db| transaction_rows::by_id(db, id))
    }

    async fn transactions(
        &self,
        scope: &Scope,
        filter: Filter,
        page: Page,
    ) -> Result<Vec<Transaction>, StoreError> {
        let scope = scope.clone();
        self.readers.read_many(move |db| listing::list(db, &scope, &filter, &page)).await
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
        self.write(move |db| transactions::observe(db, &asked, &finding, response.as_ref(), now))
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
        self.write(move |db| {
            transactions::count_code_attempt(db, &id, attempt.as_ref(), &guesses, now)
        })
        .await?
    }

    async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError> {
        let id = id.clone();
        self.write(move |db| transactions::settle_code(db, &id)).await
    }

    async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError> {
        self.write(move |db| buckets::return_token(db, &bucket)).await
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
        self.write(move |db| idempotency::record_response(db, &response)).await
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
        self.write(move |db| leases::lease_due(db, &places, now, leased_until)).await
    }

    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| leases::end_leases(db, now, latest)).await
    }

    async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| leases::bring_schedules_back(db, now)).await
    }

    async fn plan_ask(
        &self,
        id: &TransactionId,
        asks: u32,
        next: NextAsk,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write(move |db| leases::plan_ask(db, &id, asks, next, now)).await
    }

    async fn flagged(&self, account: Option<&AccountId>) -> Result<Vec<Flagged>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| reviews::flagged(db, account.as_ref())).await
    }

    async fn review(
        &self,
        id: &TransactionId,
        verdict: Verdict,
        note: Note,
        by: &AuditContext,
    ) -> Result<Transaction, ReviewError> {
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| reviews::settle(db, &id, verdict, &note, &by)).await?
    }

    async fn payout_controls(&self, scope: &Scope) -> Result<PayoutControls, StoreError> {
        self.readers.read(|db| payout_controls::read(db, scope))
    }

    async fn set_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<PayoutControls, StoreError> {
        let scope = scope.clone();
        let by = by.clone();
        self.write(move |db| payout_controls::change(db, &scope, change, &by)).await
    }

    async fn unapproved(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<Transaction>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| approvals::unapproved(db, account.as_ref())).await
    }

    async fn decide_payout(
        &self,
        id: &TransactionId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<Decided, DecideError> {
        let id = id.clone();
        let by = by.cloned();
        self.write(move |db| approvals::decide(db, &id, &decision, by.as_ref(), now)).await?
    }

    async fn expire_approvals(
        &self,
        now: Timestamp,
        most: u32,
    ) -> Result<Vec<Decided>, StoreError> {
        if self.readers.read(|db| approvals::is_any_expired(db, now))? {
            self.write(move |db| approvals::expire(db, now, most)).await
        } else {
            Ok(Vec::new())
        }
    }

    async fn pending(&self, now: Timestamp) -> Result<HashMap<Pending, u32>, StoreError> {
        self.readers.read_many(move |db| reviews::pending(db, now)).await
    }

    async fn prune(&self, horizon: Horizon, most: u32) -> Result<Pruned, StoreError> {
        self.write(move |db| prune::prune(db, horizon, most)).await
    }

    async fn changed_externally(&self) -> Result<bool, StoreError> {
        // On the writer's connection: `data_version` changes with the commits of other connections
        // only.
        let sql = "PRAGMA data_version";
        let version =
            self.write(move |db| db.prepare_cached(sql)?.query_row([], |row| row.get(0))).await?;
        Ok(self.last_data_version.swap(version, Ordering::Relaxed) != version)
    }

    fn cluster_link(&self) -> Option<&dyn ClusterLink> {
        None
    }

    async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| {
            db.prepare_cached("INSERT OR REPLACE INTO readiness (one, at) VALUES (1, ?1)")?
                .execute([now.as_millisecond()])
                .map(drop)
        })
        .await
    }
}
