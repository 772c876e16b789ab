//! Begins charges, payouts and refunds: first the commit, then the call to the operator.

use super::{
    idempotency::{Idempotency, IdempotentResult, RepeatableError},
    operator_gateway::OperatorGateway,
    reading,
    recording::Recorded,
    requester::CommandLineRequester,
};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use std::{panic::AssertUnwindSafe, sync::Arc};
use tokio_util::task::TaskTracker;
use tracing::{Instrument, Span, field::Empty, info_span, instrument};
use tua_contract::Amount;
use tua_domain::{
    Caller, Kind, Transaction, TransactionId, TransactionOrder,
    admission::AdmissionControl,
    calendar::day_of,
    idempotency::{Attempt, IdempotencyKey, IdempotencyRecord, Operation, ResponseSnapshot},
    instruction::Instruction,
    payment_limits::PaymentLimits,
    persistent_bucket::PersistentBucket,
    poll_schedule::PollSchedule,
    ports::{AuditLog, BeginError, Transactions},
    routing::{ChosenRoute, RouteRequest},
    transaction::Sending,
};

/// How long the response to a charge or payout waits for the operator's first response
/// (`docs/reference/lifecycle.md`).
const FIRST_RESPONSE_TIMEOUT: SignedDuration = SignedDuration::from_secs(2);

/// Begins charges, payouts and refunds, and sends their orders.
#[derive(Debug)]
pub struct Payments {
    /// Sends the order after the commit, and records the operator's response.
    pub gateway: Arc<OperatorGateway>,
    /// Where transactions begin, and are read for repeated requests.
    pub transactions: Arc<dyn Transactions>,
    /// Records what a person asks for before any money moves.
    pub audit_log: Arc<dyn AuditLog>,
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
    /// What the transaction is begun with.
    pub(super) new: Arc<TransactionOrder>,
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
    /// Returns the transaction as it then stands. A replay returns it as the first response showed
    /// it.
    ///
    /// # Errors
    /// [`BeginError`]. Then nothing was begun, unless the store is
    /// [uncertain](tua_domain::ports::StoreError::Uncertain).
    #[instrument(
        name = "begin_payment",
        skip_all,
        fields(tua.transaction.id = Empty, tua.transaction.kind = instruction.transfer.kind.as_str())
    )]
    pub async fn begin(
        self: &Arc<Self>,
        caller: Caller,
        instruction: Instruction,
        key: Option<IdempotencyKey>,
    ) -> Result<IdempotentResult<Transaction>, BeginError> {
        let attempt = self.attempt(&caller.holder(), &instruction, key);
        let work = self.clone().begin_once(caller, instruction, attempt.clone()).boxed();
        let repeated = attempt.clone();
        self.idempotency.try_first(attempt, work, |record| self.replay(repeated, record)).await
    }

    /// Begins a payout that a person asks for on the command line, once for each key. The running
    /// service sends it, unless it waits for an approval. Returns it as [`Self::begin`] does.
    ///
    /// # Errors
    /// As [`Self::begin`].
    #[instrument(name = "begin_payout", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn begin_on_command_line(
        self: &Arc<Self>,
        requester: CommandLineRequester,
        payout: Instruction,
        key: IdempotencyKey,
    ) -> Result<IdempotentResult<Transaction>, BeginError> {
        let attempt = self.attempt(&requester.holder(), &payout, Some(key));
        let work = self.clone().begin_unsent(requester, payout, attempt.clone()).boxed();
        let repeated = attempt.clone();
        self.idempotency.run(attempt, work, |record| self.replay(repeated, record)).await
    }

    pub(super) fn attempt(
        &self,
        holder: &str,
        instruction: &Instruction,
        key: Option<IdempotencyKey>,
    ) -> Option<Attempt> {
        let operation = match instruction.transfer.kind {
            Kind::Charge => Operation::Charge,
            Kind::Payout => Operation::Payout,
        };
        let fields = instruction.fingerprint_fields();
        let fields: Vec<Option<&str>> = fields.iter().map(Option::as_deref).collect();
        self.idempotency.attempt(holder, operation, key, &fields)
    }

    async fn begin_unsent(
        self: Arc<Self>,
        CommandLineRequester { scope, by }: CommandLineRequester,
        payout: Instruction,
        attempt: Option<Attempt>,
    ) -> Result<Transaction, BeginError> {
        let OperatorGateway { clock, operators, .. } = &*self.gateway;
        let new = operators.on_its_network(payout.into_order(&scope, None, None));
        let now = clock.now();
        let ChosenRoute { operator, price, .. } =
            operators.choose(RouteRequest::for_order(&new, day_of(now)))?;
        let new = Arc::new(TransactionOrder { price, ..new });
        // First, so that no money leaves without a name; a payout that is refused then shows as
        // asked for.
        self.audit_log.append_request(&new, &by).await?;
        let sending = Sending::Later { send_at: now, operator };
        self.commit_unsent(Beginning { new, sending, prompts: Vec::new(), attempt }).await
    }

    async fn begin_once(
        self: Arc<Self>,
        caller: Caller,
        instruction: Instruction,
        attempt: Option<Attempt>,
    ) -> Result<Transaction, BeginError> {
        let expected = instruction.payer_pays;
        let beginning = self.prepare(instruction.into_transaction(&caller), expected, attempt)?;
        self.commit_and_send(beginning).await
    }

    /// Chooses the operator of a new charge or payout, with its price. `expected` is the sum that
    /// the payer was shown.
    ///
    /// # Errors
    /// [`BeginError::Unroutable`] and [`BeginError::QuoteChanged`].
    pub(super) fn prepare(
        &self,
        new: TransactionOrder,
        expected: Option<Amount>,
        attempt: Option<Attempt>,
    ) -> Result<Beginning, BeginError> {
        let operators = &self.gateway.operators;
        let new = operators.on_its_network(new);
        let now = self.gateway.clock.now();
        let ChosenRoute { operator, price, .. } =
            operators.choose(RouteRequest::for_order(&new, day_of(now)))?;
        if expected.is_some_and(|expected| expected != price.payer_pays) {
            return Err(BeginError::QuoteChanged { payer_pays: price.payer_pays });
        }
        let new = Arc::new(TransactionOrder { price, ..new });
        let sending = Sending::AtOnce {
            first_query_at: self.schedule.first_query_at(&new.scope, now),
            operator,
        };
        // Only a charge prompts its payer.
        let prompts = match new.transfer.kind {
            Kind::Charge => self.limits.prompts(&new.scope, &new.transfer.phone),
            Kind::Payout => Vec::new(),
        };
        Ok(Beginning { new, sending, prompts, attempt })
    }

    /// Commits a transaction, then sends its order, unless it waits for an approval. Waits up to 2
    /// s for the operator's first response. It must be work of [`Idempotency::run`], whose task
    /// ends even where the connection breaks: dropping this future would end the call to the
    /// operator.
    ///
    /// # Errors
    /// [`BeginError`].
    pub(super) async fn commit_and_send(
        self: Arc<Self>,
        beginning: Beginning,
    ) -> Result<Transaction, BeginError> {
        let OperatorGateway { clock, .. } = &*self.gateway;
        let now = clock.now();
        let permit = self.gateway.permit();
        let attempt = beginning.attempt.clone();
        let stored = self.commit(beginning, now).await?;
        if stored.state.is_unapproved() {
            return Ok(self.respond_to(attempt.as_ref(), stored).await);
        }
        let first_response = {
            let gateway = self.gateway.clone();
            let stored = stored.clone();
            let attempt = attempt.clone();
            let first_query_at = self.schedule.first_query_at(&stored.order.scope, now);
            async move {
                if stored.handed_over_at.is_some() {
                    return gateway.send(&stored, &permit, attempt).await;
                }
                gateway.hand_over(&stored, first_query_at).await;
                let transaction = gateway.reload(&stored.order.id).await.ok()?;
                Some(Recorded { transaction, is_response_stored: false })
            }
        };
        // Without traces the span of the request is that of its log lines.
        let span = info_span!("await_first_response", tua.transaction.id = %stored.order.id);
        let span = if span.is_disabled() { Span::current() } else { span };
        // A panic counts as no response.
        let first_response = AssertUnwindSafe(first_response).catch_unwind();
        let mut first_response = first_response.instrument(span).boxed();
        let recorded = tokio::select! {
            biased;
            recorded = &mut first_response => recorded.ok().flatten(),
            () = clock.sleep_until(clock.now() + FIRST_RESPONSE_TIMEOUT) => {
                // The request is answered now, and the response is recorded when it comes.
                self.tasks.spawn(first_response);
                None
            }
        };
        // From here on nothing may fail: the payment has begun, and the caller must learn of it.
        let Recorded { transaction, is_response_stored } = recorded
            .unwrap_or_else(|| Recorded { transaction: stored.clone(), is_response_stored: false });
        let transaction = if transaction.is_in_first_response() { transaction } else { stored };
        Ok(self.respond_to(attempt.as_ref().filter(|_| !is_response_stored), transaction).await)
    }

    /// Commits a transaction whose order the running service sends, as it does with every order
    /// that is due.
    ///
    /// # Errors
    /// [`BeginError`].
    pub(super) async fn commit_unsent(
        &self,
        beginning: Beginning,
    ) -> Result<Transaction, BeginError> {
        let attempt = beginning.attempt.clone();
        let stored = self.commit(beginning, self.gateway.clock.now()).await?;
        Ok(self.respond_to(attempt.as_ref(), stored).await)
    }

    async fn commit(
        &self,
        beginning: Beginning,
        now: Timestamp,
    ) -> Result<Transaction, BeginError> {
        let Beginning { new, sending, prompts, attempt } = beginning;
        let OperatorGateway { changes, metrics, .. } = &*self.gateway;
        let transaction = {
            let _permit = self.admission.acquire(now)?;
            self.transactions.begin(new, sending, attempt, prompts, now).await?
        };
        Span::current().record("tua.transaction.id", transaction.order.id.as_str());
        changes.notify_outbox();
        metrics.transaction_begun(&transaction);
        Ok(transaction)
    }

    pub(super) async fn replay(
        &self,
        attempt: Option<Attempt>,
        record: IdempotencyRecord,
    ) -> Result<Transaction, BeginError> {
        let transactions = self.transactions.as_ref();
        let id = TransactionId::new(record.subject);
        if let Some(response) = record.response {
            return Ok(reading::at_version(transactions, &id, response.version).await?);
        }
        let current = reading::existing(transactions, &id).await?;
        Ok(self.respond_to(attempt.as_ref(), current).await)
    }

    /// Stores a transaction as the response to an attempt, if there is one. Returns it as the
    /// response that stands shows it.
    async fn respond_to(&self, attempt: Option<&Attempt>, transaction: Transaction) -> Transaction {
        let Some(attempt) = attempt else { return transaction };
        let response = ResponseSnapshot::payment(transaction.version);
        let first = self.idempotency.store_response(attempt, response).await;
        if first == response {
            return transaction;
        }
        let transactions = self.transactions.as_ref();
        reading::at_version(transactions, &transaction.order.id, first.version)
            .await
            .unwrap_or(transaction)
    }
}

impl RepeatableError for BeginError {
    fn is_store_error(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}
