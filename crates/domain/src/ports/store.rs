//! Persistence. Each method is one use case and atomic. When it returns, its writes are on disk.
//! Database transactions are not visible outside.

use super::{
    Accounts, AcmeRecords, AuditLog, BeginError, CallbackLog, CloseError, ClosedDays, ClusterLink,
    CountError, Due, ExchangeLog, Finding, HandOver, Identities, Ledger, LimitLifts, MailOutbox,
    NextAsk, Observed, OpenError, Outbox, Passkeys, PaymentLinks, PayoutApprovals, PayoutBatches,
    People, PersonalData, PinnedPayments, Reports, Reviews, Route, SettledCode, Statements,
    StoreError,
};
use crate::{
    Checkout, CheckoutId, CheckoutSummary, Event, NewTransaction, Scope, Transaction,
    TransactionId,
    audit::AuditContext,
    idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse},
    persistent_bucket::PersistentBucket,
    queue::Queue,
    retention::{Horizon, Pruned},
    secret::SecretDigest,
    transaction::Sending,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, sync::Arc, time::Duration};

/// The port to the database. Every method returns [`StoreError`], alone or in a variant, if the
/// database fails.
#[async_trait]
pub trait Store:
    Outbox
    + Accounts
    + AcmeRecords
    + AuditLog
    + CallbackLog
    + ExchangeLog
    + Identities
    + Ledger
    + LimitLifts
    + MailOutbox
    + Passkeys
    + PayoutApprovals
    + PaymentLinks
    + PersonalData
    + PinnedPayments
    + People
    + PayoutBatches
    + Reports
    + Reviews
    + Statements
    + ClosedDays
    + Debug
    + Send
    + Sync
    + 'static
{
    /// Inserts a session, with the idempotency record and its response.
    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError>;
    /// Finds a session by its id, also one that has ended.
    async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError>;
    /// Closes a session, in one order with the charges that begin. An expired session does not
    /// change. A second call does not change the time of closing.
    async fn close_checkout(
        &self,
        scope: &Scope,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<(Checkout, CheckoutSummary), CloseError>;
    /// Sets the expiry of an open test session to now. Returns `None` if there is no such test
    /// session.
    async fn expire_test_checkout(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<Option<Checkout>, StoreError>;
    /// Summarises the charges of a session.
    async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError>;

    /// Inserts a payment in one database transaction: its row, its first event, the times of its
    /// order and of its first query, and the idempotency record. Checks that no other charge of the
    /// session is pending, and that the refunds of a charge are not larger than its payment. The
    /// prompts' tokens are consumed last, all or none, so that refused and repeated requests
    /// consume none, however many run concurrently.
    async fn begin(
        &self,
        new: Arc<NewTransaction>,
        sending: Sending,
        attempt: Option<Attempt>,
        prompts: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, BeginError>;
    /// Marks the order of a transaction as handed over and schedules the first query, before a byte
    /// of the order is sent. Against a simultaneous cancellation, expiry or hand-over, exactly one
    /// wins ([`crate::rules::hand_over`]). `waited` is how long this process has known that
    /// the order waits.
    async fn hand_over(
        &self,
        id: &TransactionId,
        route: Route,
        first_ask: Timestamp,
        now: Timestamp,
        waited: Duration,
    ) -> Result<HandOver, StoreError>;
    /// Clears the mark of a transaction as [`Self::hand_over`] or [`Self::begin`] returned it,
    /// because no byte of its order was written. The order is due to be sent again at `send_at`.
    /// Does nothing if the order may have been sent meanwhile, or if anything else has changed.
    /// Returns whether the mark was cleared.
    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Permits to send an order again until `deadline`, and stores the permission. Returns the
    /// deadline as it is stored, which is later than any before. `None` where it is not permitted:
    /// only while the lease of `due` is valid, and the transaction is pending, handed over, never
    /// acknowledged and not flagged; a refund also only while its charge can be refunded.
    async fn permit_repeated_send(
        &self,
        due: &Due,
        deadline: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError>;
    /// Finds a transaction by its id, in any account and mode.
    async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError>;
    /// Lists the events of a transaction, oldest first.
    async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError>;
    /// Applies a finding about the transaction as it was when the operator was queried (see
    /// [`Transaction::weigh`]), and writes the result. The response is stored too if the new state
    /// is that of [`Transaction::after`], or if the finding is the first acknowledgement. Of an
    /// order that was sent again, [`Finding::after_repeat`] counts.
    async fn observe(
        &self,
        asked: &Transaction,
        finding: Finding,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Result<Observed, StoreError>;
    /// Counts a code and inserts its idempotency record, before the code is sent to the operator.
    /// The tokens of `guesses` are consumed last, as those of prompts.
    async fn count_code_attempt(
        &self,
        id: &TransactionId,
        attempt: Option<Attempt>,
        guesses: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, CountError>;
    /// Stores that a counted code is not in flight any more, and was not accepted. A code that is
    /// accepted changes the transaction instead.
    async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError>;
    /// Returns a token that was taken from a bucket.
    async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError>;

    /// Finds the record of an idempotency key. `None` if the key is unknown or was deleted.
    async fn find_attempt(
        &self,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, StoreError>;
    /// Stores the response to a request with an idempotency key, unless there is one already.
    /// Returns the stored response.
    async fn record_response(
        &self,
        response: StoredResponse,
    ) -> Result<ResponseSnapshot, StoreError>;

    /// Which of these queues contain due transactions: an order to send, or a query.
    async fn due_queues(
        &self,
        queues: Vec<Queue>,
        now: Timestamp,
    ) -> Result<Vec<Queue>, StoreError>;
    /// Leases due transactions of these queues, oldest first, each queue with its maximum. Until
    /// `leased_until` no other process gets them.
    async fn lease_due(
        &self,
        places: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Result<Vec<Due>, StoreError>;
    /// Ends the leases that expire at `latest` or earlier: they belong to a process that has ended,
    /// or expire soon anyway. Does nothing while another process is running that may hold them.
    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError>;
    /// Makes due now what is scheduled later than any schedule reaches: orders to send, queries,
    /// webhook deliveries and e-mail. A clock that was ahead has scheduled it, here or on another
    /// node.
    async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError>;
    /// Schedules the next query, or flags the transaction for review, as `next` says. Does nothing
    /// if the transaction has a final state. Returns whether it was pending.
    async fn plan_ask(
        &self,
        id: &TransactionId,
        asks: u32,
        next: NextAsk,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes rows that are older than the horizon, at most `limit` of each kind, so that other
    /// writes wait only briefly.
    async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError>;
    /// Whether a process that publishes no changes, such as `tua review settle`, has written since
    /// the last call.
    async fn changed_externally(&self) -> Result<bool, StoreError>;

    /// The link to the other processes on this database. `None` if there can be only one.
    fn cluster_link(&self) -> Option<&dyn ClusterLink>;

    /// Checks that the store accepts writes, by a write.
    async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError>;
}
