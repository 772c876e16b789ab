//! Batches of payouts: begins, reads and cancels them (docs/reference/payouts.md#batches).

use super::{
    decisions::Decisions,
    float_shortage::{FloatShortage, float_shortages},
    idempotency::{Idempotency, IdempotentResult},
    operator_gateway::OperatorGateway,
    payments::Payments,
    requester::CommandLineRequester,
};
use futures_util::FutureExt;
use jiff::Timestamp;
use std::sync::Arc;
use tracing::{Span, field::Empty, instrument};
use tua_domain::{
    BatchId, Caller, Scope, SecretKey,
    approval::{DecideError, PayoutDecision},
    audit::AuditContext,
    idempotency::{Attempt, IdempotencyKey, Operation},
    instruction::Instruction,
    payout_batch::{
        AskedBy, BatchCheck, BatchLimitExceeded, NewBatch, PayoutBatch, UnroutableLines,
    },
    payout_route::{PayoutRoute, PayoutRoutes},
    ports::{BeginError, DecidedBatch, PayoutBatches, PinnedPayments, StoreError},
    readable_code::generated_reference,
    refund::TransactionType,
};

/// A parsed request for a batch.
#[derive(Clone, Debug)]
pub struct BatchRequest {
    /// The payouts, at least one.
    pub lines: Vec<Instruction>,
    /// The merchant's reference; generated where there is none.
    pub reference: Option<String>,
}

/// What a batch would meet if it began now.
#[derive(Clone, Debug)]
pub struct CheckedBatch {
    /// Repetitions, limits and whether it needs an approval.
    pub check: BatchCheck,
    /// The lines that no operator takes.
    pub unroutable: UnroutableLines,
    /// The fee of each line by the tariff of the operator that would pay it now, in pesewas; `None`
    /// without a tariff or an operator.
    pub fees: Vec<Option<i64>>,
    /// The operators whose float, as this process last read it, does not cover the payouts and
    /// their fees.
    pub shortages: Vec<FloatShortage>,
}

impl CheckedBatch {
    /// Whether the sum is more than the limit of the day leaves.
    #[must_use]
    pub const fn exceeds_daily_limit(&self) -> bool {
        matches!(self.check, BatchCheck { limit_exceeded: Some(BatchLimitExceeded::Daily(_)), .. })
    }

    /// What the operators keep of all lines by their tariffs, in pesewas; `None` if the fee of a
    /// line is not known.
    #[must_use]
    pub fn fees_pesewas(&self) -> Option<i64> {
        self.fees.iter().copied().sum()
    }
}

/// Who requests a batch.
struct BatchRequester {
    scope: Scope,
    asked_by: AskedBy,
    /// Whose idempotency keys are used.
    holder: String,
    /// For the audit log, where it is a person.
    by: Option<AuditContext>,
}

/// Begins, reads and cancels batches.
#[derive(Clone, Debug)]
pub struct Batches {
    /// Has the parts that single payouts need too: idempotency, limits and operators.
    pub payments: Arc<Payments>,
    /// Applies decisions about batches that are not sent yet.
    pub decisions: Decisions,
    /// Where batches are stored.
    pub payout_batches: Arc<dyn PayoutBatches>,
    /// Has the floats that pending payouts reserve.
    pub pinned_payments: Arc<dyn PinnedPayments>,
}

impl Batches {
    fn gateway(&self) -> &OperatorGateway {
        &self.payments.gateway
    }

    /// Begins a batch, once for each idempotency key. A replay returns it as the first response
    /// showed it.
    ///
    /// # Errors
    /// [`BeginError`]. Then none of its payouts was begun, unless the store is
    /// [uncertain](tua_domain::ports::StoreError::Uncertain).
    pub async fn begin(
        &self,
        key: SecretKey,
        request: BatchRequest,
        idempotency_key: IdempotencyKey,
    ) -> Result<IdempotentResult<PayoutBatch>, BeginError> {
        let holder = Caller::Key(key.clone()).holder();
        let requester =
            BatchRequester { scope: key.scope, asked_by: AskedBy::Key(key.id), holder, by: None };
        self.begin_with_key(requester, request, idempotency_key).await
    }

    /// Begins a batch that a person asks for on the command line, once for each idempotency key.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub async fn begin_on_command_line(
        &self,
        requester: CommandLineRequester,
        request: BatchRequest,
        idempotency_key: IdempotencyKey,
    ) -> Result<IdempotentResult<PayoutBatch>, BeginError> {
        let holder = requester.holder();
        let CommandLineRequester { scope, by } = requester;
        let requester =
            BatchRequester { scope, asked_by: AskedBy::CommandLine, holder, by: Some(by) };
        self.begin_with_key(requester, request, idempotency_key).await
    }

    #[instrument(name = "begin_batch", skip_all, fields(tua.batch.id = Empty))]
    async fn begin_with_key(
        &self,
        BatchRequester { scope, asked_by, holder, by }: BatchRequester,
        request: BatchRequest,
        idempotency_key: IdempotencyKey,
    ) -> Result<IdempotentResult<PayoutBatch>, BeginError> {
        let idempotency: &Arc<Idempotency> = &self.payments.idempotency;
        let fields: Vec<Option<String>> = request
            .lines
            .iter()
            .flat_map(Instruction::fingerprint_fields)
            .chain([request.reference.clone()])
            .collect();
        let fields: Vec<Option<&str>> = fields.iter().map(Option::as_deref).collect();
        let attempt =
            idempotency.attempt(&holder, Operation::PayoutBatch, Some(idempotency_key), &fields);
        let new = request.into_batch(BatchId::mint(), scope, asked_by);
        let now = self.gateway().clock.now();
        let work = self.clone().begin_once(new, attempt.clone(), by, now).boxed();
        let find_batch = |subject: String| async move {
            let found = self.payout_batches.payout_batch(&BatchId::new(subject)).await?;
            Ok(found.ok_or_else(|| StoreError::failed("a batch is missing"))?.as_begun())
        };
        idempotency.run(attempt, work, |record| find_batch(record.subject)).await
    }

    /// Begins a batch for a person. A batch with the same id that was begun before is returned as
    /// it is, so that a form that is sent twice begins one batch.
    ///
    /// # Errors
    /// As [`Self::begin`].
    #[instrument(name = "begin_batch", skip_all, fields(tua.batch.id = Empty))]
    pub async fn begin_for_person(
        &self,
        new: NewBatch,
        by: &AuditContext,
    ) -> Result<PayoutBatch, BeginError> {
        let id = new.id.clone();
        let scope = new.scope.clone();
        // First, so that a repetition is not refused because no operator takes payouts now.
        if let Some(batch) = self.of_scope(&scope, &id).await? {
            return Ok(batch);
        }
        match self.clone().begin_once(new, None, Some(by.clone()), by.at).await {
            Err(refused @ BeginError::Repeat(_)) => {
                self.of_scope(&scope, &id).await?.ok_or(refused)
            }
            other => other,
        }
    }

    async fn begin_once(
        self,
        new: NewBatch,
        attempt: Option<Attempt>,
        by: Option<AuditContext>,
        now: Timestamp,
    ) -> Result<PayoutBatch, BeginError> {
        let gateway = self.gateway();
        let new = self.on_its_networks(new);
        let (routes, unroutable) = self.routes(&new, now);
        if !unroutable.is_empty() {
            return Err(BeginError::LinesUnroutable(unroutable));
        }
        let batch = {
            let _permit = self.payments.admission.acquire(now)?;
            self.payout_batches.begin_batch(new, routes, attempt, by.as_ref(), now).await?
        };
        Span::current().record("tua.batch.id", batch.id.as_str());
        gateway.changes.notify_outbox();
        batch.lines.iter().for_each(|line| gateway.metrics.transaction_begun(line));
        Ok(batch)
    }

    fn on_its_networks(&self, new: NewBatch) -> NewBatch {
        let operators = &self.gateway().operators;
        NewBatch {
            lines: new.lines.into_iter().map(|line| operators.on_its_network(line)).collect(),
            ..new
        }
    }

    /// Chooses an operator for each of the payouts; the lines that no operator takes now are apart.
    fn routes(&self, new: &NewBatch, now: Timestamp) -> (PayoutRoutes, UnroutableLines) {
        let mut routes = PayoutRoutes::new();
        let mut unroutable = UnroutableLines::new();
        for (index, line) in new.lines.iter().enumerate() {
            match PayoutRoute::of_payout(&self.gateway().operators, line, now) {
                Ok(route) => drop(routes.insert(line.id.clone(), route)),
                Err(error) => unroutable.push((index, error)),
            }
        }
        (routes, unroutable)
    }

    /// What a batch would meet if it began now.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn check(&self, new: &NewBatch) -> Result<CheckedBatch, StoreError> {
        let now = self.gateway().clock.now();
        let new = &self.on_its_networks(new.clone());
        let (routes, unroutable) = self.routes(new, now);
        let fees = new.lines.iter().map(|line| routes.get(&line.id)?.fee_pesewas).collect();
        let payouts = new.lines.iter().filter_map(|line| {
            let route = routes.get(&line.id)?;
            Some((
                route.operator.clone()?,
                line.transfer.amount.pesewas() + route.fee_pesewas.unwrap_or_default(),
            ))
        });
        let reserved = self.pinned_payments.reserved_floats().await?;
        let shortages = float_shortages(&self.gateway().operators, payouts, &reserved);
        let check = self.payout_batches.check_batch(new, now).await?;
        Ok(CheckedBatch { check, unroutable, fees, shortages })
    }

    /// A batch; `None` where there is none that this key may read.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        key: &SecretKey,
        id: &BatchId,
    ) -> Result<Option<PayoutBatch>, StoreError> {
        if key.scopes.may_read(TransactionType::Payout) {
            self.of_scope(&key.scope, id).await
        } else {
            Ok(None)
        }
    }

    /// A batch of an account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_scope(
        &self,
        scope: &Scope,
        id: &BatchId,
    ) -> Result<Option<PayoutBatch>, StoreError> {
        // It is no id of ours, so it is not looked up. PostgreSQL takes no text with NUL.
        const MAX_ID_BYTES: usize = 64;
        if id.as_str().len() > MAX_ID_BYTES || id.as_str().contains('\0') {
            return Ok(None);
        }
        Ok(self.payout_batches.payout_batch(id).await?.filter(|batch| batch.scope == *scope))
    }

    /// Ends the payouts of a batch that are not handed over. Those that are go on. It may be
    /// repeated.
    ///
    /// # Errors
    /// [`DecideError::NotFound`] where the key may see no such batch, and those of the store.
    #[instrument(name = "cancel_batch", skip_all, fields(tua.batch.id = Empty))]
    pub async fn cancel(&self, key: &SecretKey, id: &BatchId) -> Result<PayoutBatch, DecideError> {
        let id = self.find(key, id).await?.ok_or(DecideError::NotFound)?.id;
        let now = self.gateway().clock.now();
        let decided = self.decisions.about_batch(&id, PayoutDecision::Cancel, None, now).await?;
        Ok(self.gateway().report_batch(decided))
    }

    /// Applies a person's decision about a batch.
    ///
    /// # Errors
    /// [`DecideError`].
    #[instrument(name = "decide_batch", skip_all, fields(tua.batch.id = Empty))]
    pub async fn decide(
        &self,
        id: &BatchId,
        decision: PayoutDecision,
        by: &AuditContext,
    ) -> Result<PayoutBatch, DecideError> {
        let decided = self.decisions.about_batch(id, decision, Some(by), by.at).await?;
        Ok(self.gateway().report_batch(decided))
    }
}

impl BatchRequest {
    /// The batch that is requested.
    #[must_use]
    pub fn into_batch(self, id: BatchId, scope: Scope, asked_by: AskedBy) -> NewBatch {
        let lines = self
            .lines
            .into_iter()
            .map(|line| line.into_order(&scope, asked_by.key(), Some(&id)))
            .collect();
        let reference = self.reference.unwrap_or_else(generated_reference);
        NewBatch { id, scope, reference, asked_by, lines }
    }
}

impl OperatorGateway {
    fn report_batch(&self, DecidedBatch { batch, changed }: DecidedBatch) -> PayoutBatch {
        Span::current().record("tua.batch.id", batch.id.as_str());
        for decided in &changed {
            if let Some(before) = decided.before {
                self.announce(&decided.transaction, before);
            }
        }
        if !changed.is_empty() {
            self.changes.notify_outbox();
        }
        batch
    }
}
