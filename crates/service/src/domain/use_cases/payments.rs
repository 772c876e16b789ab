//! Begins charges, payouts and refunds: first the commit, then the call to the operator.

use super::{
    idempotency::{Completed, Idempotency, RepeatableError},
    reading,
    settlement::{Recorded, Settlement},
};
use crate::domain::{
    Caller, Kind, NewTransaction, Transaction, TransactionId,
    admission::AdmissionControl,
    idempotency::{Attempt, IdempotencyKey, IdempotencyRecord, Operation, RepeatError, ResponseSnapshot},
    instruction::Instruction,
    payment_limits::PaymentLimits,
    persistent_bucket::PersistentBucket,
    poll_schedule::PollSchedule,
    ports::BeginError,
    reporting::filter::day_of,
    routing::{Chosen, RouteRequest},
    transaction::Sending,
};
use jiff::SignedDuration;
use std::sync::Arc;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// How long the response to a charge or payout waits for the operator's first response (`docs/reference/lifecycle.md`).
const FIRST_RESPONSE_TIMEOUT: SignedDuration = SignedDuration::from_secs(2);

/// Begins payments.
#[derive(Debug)]
pub struct Payments {
    /// Calls the operator.
    pub settlement: Arc<Settlement>,
    /// Runs an attempt once.
    pub idempotency: Arc<Idempotency>,
    /// Refuses new payments under overload.
    pub admission: Arc<AdmissionControl>,
    /// Limits the prompts on a phone.
    pub limits: PaymentLimits,
    /// When operators are asked for the status.
    pub schedule: PollSchedule,
    /// Where calls run that outlive their request.
    pub tasks: TaskTracker,
}

/// A transaction that is about to begin.
#[derive(Debug)]
pub(super) struct Beginning {
    /// The transaction.
    pub(super) new: Arc<NewTransaction>,
    /// When its order is sent.
    pub(super) sending: Sending,
    /// The limits of prompts that it counts against.
    pub(super) prompts: Vec<PersistentBucket>,
    /// The request with an idempotency key that begins it.
    pub(super) attempt: Option<Attempt>,
}

impl Payments {
    /// Begins a payment, once for each key, and waits up to 2 s for the operator's first response.
    ///
    /// Returns the transaction as it then stands. A replay returns it as the first response showed it.
    ///
    /// # Errors
    /// [`BeginError`]. Then nothing was begun, unless the store is
    /// [uncertain](crate::domain::ports::StoreError::Uncertain).
    pub async fn begin(
        self: &Arc<Self>,
        caller: Caller,
        instruction: Instruction,
        key: Option<IdempotencyKey>,
    ) -> Result<Completed<Transaction>, BeginError> {
        let operation = match instruction.transfer.kind {
            Kind::Charge => Operation::Charge,
            Kind::Payout => Operation::Payout,
        };
        let fields = instruction.fingerprint_fields();
        let fields: Vec<Option<&str>> = fields.iter().map(Option::as_deref).collect();
        let attempt = self.idempotency.attempt(&caller.holder(), operation, key, &fields);
        let work = self.clone().begin_once(caller, instruction, attempt.clone());
        let repeated = attempt.clone();
        self.idempotency.run(attempt, work, |record| self.replay(repeated, record)).await
    }

    async fn begin_once(
        self: Arc<Self>,
        caller: Caller,
        instruction: Instruction,
        attempt: Option<Attempt>,
    ) -> Result<Transaction, BeginError> {
        let expected = instruction.payer_pays;
        let new = instruction.into_transaction(&caller);
        let now = self.settlement.clock.now();
        let request = RouteRequest::of(&new, day_of(now));
        let Chosen { operator, price, .. } = self.settlement.operators.choose(request)?;
        if expected.is_some_and(|expected| expected != price.payer_pays) {
            return Err(BeginError::QuoteChanged { payer_pays: price.payer_pays });
        }
        let new = Arc::new(NewTransaction { price, ..new });
        let sending = Sending::AtOnce { first_ask: self.schedule.first(&new.scope, now), operator };
        // Only a charge prompts its payer.
        let prompts = match new.transfer.kind {
            Kind::Charge => self.limits.prompts(&new.scope, &new.transfer.phone),
            Kind::Payout => Vec::new(),
        };
        self.commit_and_send(Beginning { new, sending, prompts, attempt }).await
    }

    /// Commits a transaction, then sends its order, unless it waits for an approval. Waits up to 2 s for the operator's
    /// first response.
    ///
    /// # Errors
    /// [`BeginError`].
    pub(super) async fn commit_and_send(self: Arc<Self>, beginning: Beginning) -> Result<Transaction, BeginError> {
        let Beginning { new, sending, prompts, attempt } = beginning;
        let Settlement { store, clock, changes, metrics, .. } = &*self.settlement;
        let (now, permit) = (clock.now(), self.settlement.permit());
        let begun = {
            let _permit = self.admission.acquire(now)?;
            store.begin(new, sending, attempt.clone(), prompts, now).await?
        };
        changes.notify_outbox();
        metrics.transaction_begun(&begun);
        if begun.state.is_unapproved() {
            return Ok(match attempt {
                Some(attempt) => self.respond(&attempt, begun).await,
                None => begun,
            });
        }
        let first_response = {
            let (settlement, begun, attempt) = (self.settlement.clone(), begun.clone(), attempt.clone());
            let first_ask = self.schedule.first(&begun.begun.scope, now);
            async move {
                if begun.handed_over_at.is_some() {
                    return settlement.send(&begun, &permit, attempt).await;
                }
                settlement.hand_over(&begun, first_ask).await;
                let transaction = settlement.reload(&begun.begun.id).await.ok()?;
                Some(Recorded { transaction, is_response_stored: false })
            }
        };
        let recorded = tokio::select! {
            recorded = self.tasks.spawn(first_response.in_current_span()) => recorded.ok().flatten(),
            () = clock.sleep_until(clock.now() + FIRST_RESPONSE_TIMEOUT) => None,
        };
        // From here on nothing may fail: the payment has begun, and the caller must learn of it.
        let Recorded { transaction, is_response_stored } =
            recorded.unwrap_or_else(|| Recorded { transaction: begun.clone(), is_response_stored: false });
        let transaction = if transaction.is_shown_at_once() { transaction } else { begun };
        Ok(match attempt {
            Some(attempt) if !is_response_stored => self.respond(&attempt, transaction).await,
            _ => transaction,
        })
    }

    pub(super) async fn replay(
        &self,
        attempt: Option<Attempt>,
        record: IdempotencyRecord,
    ) -> Result<Transaction, BeginError> {
        let (store, id) = (self.settlement.store.as_ref(), TransactionId::new(record.subject));
        if let Some(response) = record.response {
            return Ok(reading::at_version(store, &id, response.version).await?);
        }
        let current = reading::existing(store, &id).await?;
        Ok(match attempt {
            Some(attempt) => self.respond(&attempt, current).await,
            None => current,
        })
    }

    /// Stores a transaction as the response to an attempt. Returns it as the response that stands shows it.
    async fn respond(&self, attempt: &Attempt, transaction: Transaction) -> Transaction {
        let response = ResponseSnapshot::payment(transaction.version);
        let first = self.idempotency.store_response(attempt, response).await;
        if first == response {
            return transaction;
        }
        let store = self.settlement.store.as_ref();
        reading::at_version(store, &transaction.begun.id, first.version).await.unwrap_or(transaction)
    }
}

impl RepeatableError for BeginError {
    fn is_repetition(&self) -> bool {
        matches!(self, Self::Repeat(RepeatError::InProgress))
    }
}
