//! Persistence. Each method is one use case and atomic: what it returns is on disk, and no database transaction leaks
//! out.

use super::{AcmeRecords, ClusterLink, Outbox};
use crate::domain::{
    Account, AccountId, Caller, Checkout, CheckoutId, CheckoutSummary, Event, KeyId, NewTransaction, Scope, SecretKey,
    Transaction, TransactionId,
    admission::Overloaded,
    idempotency::{Attempt, IdempotencyRecord, RepeatError, ResponseSnapshot, StoredResponse},
    listing::{Filter, Page},
    pending::Pending,
    persistent_bucket::PersistentBucket,
    queue::Queue,
    rate_limit::Exceeded,
    retention::{Horizon, Pruned},
    review::{Flagged, Note, Verdict},
    secret::SecretDigest,
    transaction::Sending,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashMap, error::Error, fmt::Debug};
use tua_contract::{State, Status, lifecycle::Observation};

/// The store could not do what it was asked. Nothing of it was done, unless it is uncertain.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It went away in the middle: all of it was done, or nothing.
    #[error("whether it was written is not known: {0}")]
    Uncertain(#[source] Box<dyn Error + Send + Sync>),
    /// Try again: it is busy, full or going away.
    #[error("the store is unavailable: {0}")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// Trying again would not help.
    #[error("the store failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// A failure that trying again would not mend.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }

    /// A failure that may pass.
    pub fn unavailable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into())
    }
}

/// Why a payment was not begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// A charge of the session is not decided yet.
    #[error("a charge of this checkout is in progress")]
    ChargeInProgress,
    /// The session is paid, or an operator said so against a final state.
    #[error("this checkout has been paid")]
    AlreadyPaid,
    /// The session's attempts are used up.
    #[error("the attempts of this checkout are used up")]
    AttemptsExhausted,
    /// The attempt's key is known already.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The number was asked to pay too often.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// There is more to do than can be done.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// No operator serves the network in this mode.
    #[error("no operator serves this network")]
    NetworkUnavailable,
    /// The store's own.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a code was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The attempt's key is known already.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// There is no such transaction that the caller may see.
    #[error("there is no such transaction")]
    NotFound,
    /// The transaction does not wait for one.
    #[error("no code is expected")]
    NotExpected,
    /// Codes were guessed too often.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The store's own.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a review was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// There is no such transaction.
    #[error("there is no such transaction")]
    Unknown,
    /// It is not pending any more.
    #[error("it is {} already, and a final state never changes", .0.as_str())]
    Decided(Status),
    /// Its operator is still asked, until this moment at the latest.
    #[error("its operator is still being asked about it; where that decides nothing, it is flagged for review at {0}")]
    NotFlagged(Timestamp),
    /// The store's own.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a session was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The attempt's key is known already.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// There is more to do than can be done.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The store's own.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of handing an order over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandOver {
    /// It is marked. Whoever gets this may send the order, once; nobody else does.
    Marked(Transaction),
    /// It has waited for too long. The transaction ended as `not_sent`.
    Ended(Transaction),
    /// Nothing changed: it is handed over already, or the transaction is final or missing.
    Nothing,
}

/// A transaction that is due to be sent, if it is not handed over, or to be asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Due {
    /// The transaction.
    pub transaction: Transaction,
    /// How often it has been asked about.
    pub asks: u32,
    /// Until when nobody else sends it or asks about it.
    pub leased_until: Timestamp,
    /// Whether the operator has ever responded that it has the order.
    pub is_acknowledged: bool,
    /// Whether it is flagged for review.
    pub is_flagged: bool,
    /// The deadline of the last repeated send.
    pub send_deadline: Option<Timestamp>,
}

/// What follows a question that decided nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextAsk {
    /// When to ask again; `None` for never.
    pub at: Option<Timestamp>,
    /// Whether the transaction is flagged for review.
    pub is_flagged: bool,
}

/// What an observation has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The transaction as it now stands.
    pub transaction: Transaction,
    /// Where it stood before, if anything changed.
    pub before: Option<State>,
    /// Whether the response was stored with it.
    pub is_response_stored: bool,
}

/// Everything that lasts. Every method fails with [`StoreError`] where the store itself fails.
#[async_trait]
pub trait Store: Outbox + AcmeRecords + Debug + Send + Sync + 'static {
    /// Keeps a new account with its first keys.
    async fn create_account(&self, account: Account, keys: Vec<SecretKey>) -> Result<(), StoreError>;
    /// An account.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError>;
    /// Keeps a new key of an existing account.
    async fn add_key(&self, key: SecretKey) -> Result<(), StoreError>;
    /// All keys, or those of one account, oldest first.
    async fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError>;
    /// Revokes a key from now on; nothing where there is none. Revoking twice keeps the first moment.
    async fn revoke_key(&self, id: &KeyId, now: Timestamp) -> Result<Option<SecretKey>, StoreError>;

    /// Keeps the successor of a key, which expires at this moment, or sooner where it would have anyway.
    /// Returns the key as it then stands; nothing where it opens nothing any more, and then nothing was kept.
    async fn rotate_key(
        &self,
        id: &KeyId,
        successor: SecretKey,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<Option<SecretKey>, StoreError>;
    /// Notes that a key was used, without waiting for the disk.
    async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError>;

    /// Who holds a credential: a key that is valid now, or a session, expired or not.
    async fn caller(&self, digest: SecretDigest, now: Timestamp) -> Result<Option<Caller>, StoreError>;

    /// Stores a new session, and with it the attempt and its response.
    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError>;
    /// A session.
    async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError>;
    /// What a session's charges amount to.
    async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError>;

    /// Begins a payment: its row, its first event, when it is sent, its first question and the attempt, and for a
    /// session the rule of one charge at a time, in one transaction. The prompt is taken last: what is refused or
    /// repeated uses none up, however many race.
    async fn begin(
        &self,
        new: NewTransaction,
        sending: Sending,
        attempt: Option<Attempt>,
        prompt: Option<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, BeginError>;
    /// Marks the order of a transaction as handed over and plans the first question, before a byte of the order is sent.
    /// Against a simultaneous cancellation, expiry or hand-over, exactly one wins ([`crate::domain::rules::hand_over`]).
    async fn hand_over(&self, id: &TransactionId, first_ask: Timestamp, now: Timestamp)
    -> Result<HandOver, StoreError>;
    /// Clears the mark of a transaction as [`Self::hand_over`] or [`Self::begin`] returned it, because no byte of its
    /// order was written; it is due to be sent again at `send_at`. Nothing where the order may have been sent meanwhile
    /// or anything else has changed; returns whether it was cleared.
    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Permits to send an order again until `deadline`, and stores that. Only while the lease of `due` is held, and while
    /// the transaction is pending, handed over, never acknowledged and not flagged; returns whether it is permitted.
    async fn permit_repeated_send(&self, due: &Due, deadline: Timestamp) -> Result<bool, StoreError>;
    /// A transaction.
    async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError>;
    /// A page of an account's transactions of one mode, newest first.
    async fn transactions(&self, scope: &Scope, filter: Filter, page: Page) -> Result<Vec<Transaction>, StoreError>;
    /// What has happened to a transaction, oldest first.
    async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError>;
    /// Weighs an observation about a transaction as it was then (see [`Transaction::weigh`]) and keeps what follows
    /// from it. The response is stored with it where the transaction then stands as [`Transaction::after`] has it.
    async fn observe(
        &self,
        asked: &Transaction,
        observation: Observation,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Result<Observed, StoreError>;
    /// Counts a code, and remembers the attempt with it, before the operator is asked about it. The guess is taken
    /// last, as a prompt is.
    async fn count_code_attempt(
        &self,
        id: &TransactionId,
        attempt: Option<Attempt>,
        guess: Option<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, CountError>;

    /// The record of an attempt; `None` where its key is not known, or was pruned.
    async fn find_attempt(&self, attempt: &Attempt, now: Timestamp) -> Result<Option<IdempotencyRecord>, StoreError>;
    /// Stores the response to an attempt. The first response stands, and is returned.
    async fn record_response(&self, response: StoredResponse) -> Result<ResponseSnapshot, StoreError>;

    /// The queues with transactions that are due to be sent or asked about.
    async fn due_queues(&self, now: Timestamp) -> Result<Vec<Queue>, StoreError>;
    /// Takes transactions that are due to be sent or asked about, at most so many of each of these queues, oldest first,
    /// and puts them off until `leased_until`, so that nobody else sends or asks meanwhile.
    async fn lease_due(
        &self,
        places: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Result<Vec<Due>, StoreError>;
    /// Makes due what was put off until this moment at the latest: a process that has ended was
    /// attending to it, or its question is near anyway. Nothing while another process lives that may be
    /// attending to it.
    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError>;
    /// Plans the next question, and flags the transaction for review. One that was decided meanwhile is left alone;
    /// returns whether it was not.
    async fn plan_ask(&self, id: &TransactionId, asks: u32, next: NextAsk, now: Timestamp) -> Result<bool, StoreError>;

    /// Transactions that wait for people, the longest first.
    async fn flagged(&self, account: Option<&AccountId>) -> Result<Vec<Flagged>, StoreError>;
    /// Applies a manual decision to a flagged transaction, by the same rules as an operator's response.
    async fn review(
        &self,
        id: &TransactionId,
        verdict: Verdict,
        note: Note,
        now: Timestamp,
    ) -> Result<Transaction, ReviewError>;
    /// How many transactions are pending, and of which sort.
    async fn pending(&self, now: Timestamp) -> Result<HashMap<Pending, u32>, StoreError>;

    /// Forgets what lies before these moments, at most so many rows of each kind, so that no write waits long.
    async fn prune(&self, horizon: Horizon, most: u32) -> Result<Pruned, StoreError>;

    /// Whether a process that tells nobody, such as `tua review settle`, has written since this was last asked.
    async fn changed_externally(&self) -> Result<bool, StoreError>;

    /// What the processes on this store tell each other; nothing where there is only this one.
    fn cluster_link(&self) -> Option<&dyn ClusterLink>;

    /// Whether the store can be written to: it writes.
    async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError>;
}
