//! A store whose methods fail as planned: before or after they have done their work.

use super::failing_plan::{Moment, Plan};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::{collections::HashMap, ops::RangeInclusive, sync::Arc, time::Duration};
use tua_domain::{
    Account, AccountId, BatchId, Caller, Checkout, CheckoutId, CheckoutSummary, DeliveryId,
    EndpointId, Event, KeyId, Mode, NewTransaction, Scope, SecretKey, Transaction, TransactionId,
    approval::{DecideError, RoutedDecision},
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    branding::LogoName,
    exchange::Exchange,
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    key_ring::RegisteredKey,
    limit_lift::{LiftDecision, LiftRefusal, LimitLift, RequestedControls},
    listing::{Filter, Page},
    payout_batch::{BatchCheck, BatchSummary, NewBatch, PayoutBatch},
    payout_controls::{ControlsChange, PayoutControls},
    payout_route::{PayoutRoute, PayoutRoutes},
    pending::Pending,
    persistent_bucket::PersistentBucket,
    ports::{
        AcceptedClaim, AccountChange, Accounts, AcmeRecord, AcmeRecords, AuditLog, BeginError,
        CallbackLog, ChangedEndpoint, Checkouts, CloseError, ClusterLink, CodeAttempts, CountError,
        Decided, DecidedBatch, DeliveryFilter, Due, EndpointChange, ExchangeLog, Finding, HandOver,
        HandOvers, IdempotencyRecords, LimitLifts, NextAsk, Nodes, Observed, OpenError,
        OpenSessions, Outbox, PayoutApprovals, PayoutBatches, PinnedPayments, RateBuckets,
        Readiness, ReceivedCallback, Reports, ReservedFloats, Retention, ReviewError, Reviews, Route, Schedules,
        SettledCode, Store, StoreError, Transactions,
    },
    queue::Queue,
    reporting::{DayTotal, FilterTotals, FirstStepsFacts, ReportFilter, ReportPage, WaitingTimes},
    retention::{Horizon, Pruned},
    review::{Flagged, Note, Verdict},
    routing::{OperatorFingerprint, OperatorPin},
    secret::SecretDigest,
    transaction::Sending,
    webhook::{Delivery, DeliveryOutcome, Endpoint},
};

/// A wrapper around another store.
#[derive(Debug)]
pub struct FailingStore {
    pub(super) inner: Arc<dyn Store>,
    pub(super) plan: Plan,
}

macro_rules! failing {
    (
        $trait:ident {
            $(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $answer:ty;)+
        }
        $($more:item)*
    ) => {
        #[async_trait]
        impl $trait for FailingStore {
            $($more)*
            $(async fn $name(&self $(, $argument: $type)*) -> $answer {
                self.plan.wait(stringify!($name)).await;
                self.plan.check(stringify!($name), Moment::Before)?;
                let answer = self.inner.$name($($argument),*).await;
                self.plan.check(stringify!($name), Moment::After)?;
                answer
            })+
        }
    };
}
pub(super) use failing;

failing! { Accounts {
    fn create_account(
        &self, account: Account, keys: Vec<SecretKey>, by: &AuditContext
    ) -> Result<(), StoreError>;
    fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError>;
    fn accounts(&self) -> Result<Vec<Account>, StoreError>;
    fn change_account(
        &self, id: &AccountId, change: AccountChange, by: &AuditContext
    ) -> Result<Option<Account>, StoreError>;
    fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError>;
    fn add_key(&self, key: SecretKey, by: &AuditContext) -> Result<(), StoreError>;
    fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError>;
    fn revoke_key(
        &self, id: &KeyId, sessions: OpenSessions, by: &AuditContext
    ) -> Result<Option<SecretKey>, StoreError>;
    fn rotate_key(
        &self, id: &KeyId, successor: SecretKey, expires_at: Timestamp, by: &AuditContext
    ) -> Result<Option<SecretKey>, StoreError>;
    fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError>;
    fn caller(&self, digest: SecretDigest, now: Timestamp) -> Result<Option<Caller>, StoreError>;
} }

failing! { PayoutApprovals {
    fn payout_controls(&self, scope: &Scope) -> Result<PayoutControls, StoreError>;
    fn set_payout_controls(
        &self, scope: &Scope, change: ControlsChange, by: &AuditContext
    ) -> Result<PayoutControls, StoreError>;
    fn unapproved(&self, account: Option<&AccountId>) -> Result<Vec<Transaction>, StoreError>;
    fn decide_payout(
        &self, id: &TransactionId, decision: RoutedDecision, by: Option<&AuditContext>,
        now: Timestamp
    ) -> Result<Decided, DecideError>;
    fn expire_approvals(&self, now: Timestamp, limit: u32) -> Result<Vec<Decided>, StoreError>;
} }

failing! { Checkouts {
    fn open_checkout(
        &self, checkout: Checkout, token: SecretDigest, response: Option<StoredResponse>
    ) -> Result<(), OpenError>;
    fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError>;
    fn close_checkout(
        &self, scope: &Scope, id: &CheckoutId, by: &AuditContext
    ) -> Result<(Checkout, CheckoutSummary), CloseError>;
    fn expire_test_checkout(
        &self, id: &CheckoutId, by: &AuditContext
    ) -> Result<Option<Checkout>, StoreError>;
    fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError>;
} }

failing! { Transactions {
    fn begin(
        &self, new: Arc<NewTransaction>, sending: Sending, attempt: Option<Attempt>,
        prompts: Vec<PersistentBucket>,
        now: Timestamp
    ) -> Result<Transaction, BeginError>;
    fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError>;
    fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError>;
    fn observe(
        &self, asked: &Transaction, finding: Finding, response: Option<StoredResponse>,
        now: Timestamp
    ) -> Result<Observed, StoreError>;
} }

failing! { HandOvers {
    fn hand_over(
        &self, id: &TransactionId, route: Route, first_ask: Timestamp, now: Timestamp,
        waited: Duration
    ) -> Result<HandOver, StoreError>;
    fn withdraw_hand_over(
        &self, marked: &Transaction, send_at: Timestamp, now: Timestamp
    ) -> Result<bool, StoreError>;
    fn permit_repeated_send(
        &self, due: &Due, deadline: Timestamp
    ) -> Result<Option<Timestamp>, StoreError>;
} }

failing! { CodeAttempts {
    fn count_code_attempt(
        &self, id: &TransactionId, attempt: Option<Attempt>, guesses: Vec<PersistentBucket>,
        now: Timestamp
    ) -> Result<Transaction, CountError>;
    fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError>;
} }

failing! { RateBuckets {
    fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError>;
} }

failing! { IdempotencyRecords {
    fn find_attempt(
        &self, attempt: &Attempt, now: Timestamp
    ) -> Result<Option<IdempotencyRecord>, StoreError>;
    fn record_response(&self, response: StoredResponse) -> Result<ResponseSnapshot, StoreError>;
} }

failing! { Schedules {
    fn due_queues(&self, queues: Vec<Queue>, now: Timestamp) -> Result<Vec<Queue>, StoreError>;
    fn lease_due(
        &self, places: Vec<(Queue, u32)>, now: Timestamp, leased_until: Timestamp
    ) -> Result<Vec<Due>, StoreError>;
    fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError>;
    fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError>;
    fn plan_ask(
        &self, id: &TransactionId, asks: u32, next: NextAsk, now: Timestamp
    ) -> Result<bool, StoreError>;
} }

failing! { Retention {
    fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError>;
} }

failing! { Nodes {
    fn changed_externally(&self) -> Result<bool, StoreError>;
}
    fn cluster_link(&self) -> Option<&dyn ClusterLink> {
        self.inner.cluster_link()
    }
}

failing! { Readiness {
    fn is_ready(&self, now: Timestamp) -> Result<(), StoreError>;
} }

failing! { Outbox {
    fn add_endpoint(&self, endpoint: Endpoint, by: &AuditContext) -> Result<(), StoreError>;
    fn endpoints(&self, account: Option<&AccountId>) -> Result<Vec<Endpoint>, StoreError>;
    fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError>;
    fn change_endpoint(
        &self, id: &EndpointId, change: EndpointChange, by: &AuditContext
    ) -> Result<Option<ChangedEndpoint>, StoreError>;
    fn remove_endpoint(&self, id: &EndpointId, by: &AuditContext) -> Result<bool, StoreError>;
    fn ping_endpoint(
        &self, id: &EndpointId, now: Timestamp
    ) -> Result<Option<Delivery>, StoreError>;
    fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError>;
    fn replay_delivery(
        &self, id: &DeliveryId, by: &AuditContext
    ) -> Result<Option<Delivery>, StoreError>;
    fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError>;
    fn lease_deliveries(
        &self, endpoint: &EndpointId, now: Timestamp, leased_until: Timestamp, limit: u32
    ) -> Result<Vec<Delivery>, StoreError>;
    fn record_attempt(
        &self, delivery: &Delivery, outcome: DeliveryOutcome, by: &AuditContext
    ) -> Result<(), StoreError>;
    fn announce_overdue(&self, now: Timestamp, limit: u32) -> Result<usize, StoreError>;
} }

failing! { AcmeRecords {
    fn acme_record(&self, name: &str) -> Result<Option<AcmeRecord>, StoreError>;
    fn put_acme_record(&self, record: AcmeRecord) -> Result<(), StoreError>;
    fn swap_acme_record(
        &self, seen: Option<AcmeRecord>, record: AcmeRecord
    ) -> Result<bool, StoreError>;
    fn remove_acme_record(&self, name: &str) -> Result<(), StoreError>;
} }

failing! { CallbackLog {
    fn record_callback(
        &self, callback: ReceivedCallback
    ) -> Result<Option<Transaction>, StoreError>;
    fn failure_claim(
        &self, transaction: &TransactionId
    ) -> Result<Option<AcceptedClaim>, StoreError>;
} }

failing! { ExchangeLog {
    fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError>;
    fn exchanges(&self, transaction: &TransactionId) -> Result<Vec<Exchange>, StoreError>;
} }

failing! { PayoutBatches {
    fn begin_batch(
        &self, batch: NewBatch, routes: PayoutRoutes, attempt: Option<Attempt>,
        by: Option<&AuditContext>,
        now: Timestamp
    ) -> Result<PayoutBatch, BeginError>;
    fn check_batch(&self, batch: &NewBatch, now: Timestamp) -> Result<BatchCheck, StoreError>;
    fn payout_batch(&self, id: &BatchId) -> Result<Option<PayoutBatch>, StoreError>;
    fn payout_batches(
        &self, scope: Option<&Scope>, limit: u32
    ) -> Result<Vec<BatchSummary>, StoreError>;
    fn unapproved_batches(&self, scope: Option<&Scope>) -> Result<Vec<BatchSummary>, StoreError>;
    fn decide_batch(
        &self, id: &BatchId, decision: RoutedDecision, by: Option<&AuditContext>, now: Timestamp
    ) -> Result<DecidedBatch, DecideError>;
} }

failing! { PinnedPayments {
    fn pending_by_operator(&self) -> Result<Vec<(OperatorPin, u32)>, StoreError>;
    fn reserved_floats(&self) -> Result<ReservedFloats, StoreError>;
    fn flag_unserved(
        &self, known: Vec<OperatorFingerprint>, before: Timestamp, now: Timestamp
    ) -> Result<u64, StoreError>;
    fn record_found(
        &self, asked: &Transaction, approved: Option<PayoutRoute>, by: &AuditContext
    ) -> Result<Transaction, StoreError>;
} }

failing! { Reviews {
    fn flagged(&self, account: Option<&AccountId>) -> Result<Vec<Flagged>, StoreError>;
    fn review(
        &self, id: &TransactionId, verdict: Verdict, note: Note, by: &AuditContext
    ) -> Result<Transaction, ReviewError>;
    fn pending(&self, now: Timestamp) -> Result<HashMap<Pending, u32>, StoreError>;
} }

failing! { Reports {
    fn transactions(
        &self, scope: &Scope, filter: Filter, page: Page
    ) -> Result<Vec<Transaction>, StoreError>;
    fn report_transactions(
        &self, scope: &Scope, filter: &ReportFilter, page: &ReportPage
    ) -> Result<Vec<Transaction>, StoreError>;
    fn report_totals(
        &self, scope: &Scope, filter: &ReportFilter
    ) -> Result<FilterTotals, StoreError>;
    fn day_totals(
        &self, scope: &Scope, days: RangeInclusive<Date>
    ) -> Result<Vec<DayTotal>, StoreError>;
    fn accounts_of_mode(&self, mode: Mode, now: Timestamp) -> Result<Vec<AccountId>, StoreError>;
    fn first_steps(
        &self, account: &AccountId, now: Timestamp
    ) -> Result<FirstStepsFacts, StoreError>;
    fn rebuild_day_totals(&self) -> Result<u64, StoreError>;
    fn waiting_times(&self, id: &TransactionId) -> Result<Option<WaitingTimes>, StoreError>;
    fn deliveries_of(&self, transaction: &Transaction) -> Result<Vec<Delivery>, StoreError>;
    fn key_makers(&self, id: &KeyId) -> Result<Vec<String>, StoreError>;
    fn refund_asker(&self, id: &TransactionId) -> Result<Option<String>, StoreError>;
    fn report_checkouts(
        &self, scope: &Scope, text: Option<&str>, now: Timestamp, limit: u32
    ) -> Result<Vec<Checkout>, StoreError>;
} }

failing! { AuditLog {
    fn append_audit(&self, change: AuditChange, by: &AuditContext) -> Result<(), StoreError>;
    fn append_request(&self, new: &NewTransaction, by: &AuditContext) -> Result<(), StoreError>;
    fn audit_entries(&self, after: u64, limit: u32) -> Result<Vec<AuditEntry>, StoreError>;
    fn last_audit_entry(&self, action: Action) -> Result<Option<AuditEntry>, StoreError>;
    fn audit_head(&self) -> Result<Option<AuditHead>, StoreError>;
    fn server_keys(&self) -> Result<Vec<RegisteredKey>, StoreError>;
    fn register_first_key(&self, digest: [u8; 32], audit_key: &AuditKey) -> Result<(), StoreError>;
    fn register_next_key(&self, next: RegisteredKey, by: &AuditContext) -> Result<bool, StoreError>;
} }

failing! { LimitLifts {
    fn request_payout_controls(
        &self, scope: &Scope, change: ControlsChange, by: &AuditContext
    ) -> Result<RequestedControls, StoreError>;
    fn limit_lift(&self, scope: &Scope, now: Timestamp) -> Result<Option<LimitLift>, StoreError>;
    fn decide_limit_lift(
        &self, scope: &Scope, asked_at: Timestamp, decision: LiftDecision, by: &AuditContext
    ) -> Result<Result<PayoutControls, LiftRefusal>, StoreError>;
} }
