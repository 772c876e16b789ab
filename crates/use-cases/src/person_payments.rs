//! Begins charges and payouts that a person of the dashboard asks for. The audit log names the
//! person before any money moves.

use super::{
    idempotency::IdempotentResult, payments::Payments, reading, requester::dashboard_holder,
};
use futures_util::FutureExt;
use std::sync::Arc;
use tracing::{field::Empty, instrument};
use tua_domain::{
    Scope, Transaction, TransactionId,
    audit::AuditContext,
    idempotency::{Attempt, IdempotencyKey, RepeatError},
    instruction::Instruction,
    ports::{BeginError, StoreError},
};

impl Payments {
    /// Whether a person's form with this key was sent before.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn was_sent(
        &self,
        scope: &Scope,
        instruction: &Instruction,
        key: &IdempotencyKey,
    ) -> Result<bool, StoreError> {
        match self.attempt(&dashboard_holder(scope), instruction, Some(key.clone())) {
            Some(attempt) => Ok(self.idempotency.find(&attempt).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Begins a charge or a payout for a person, once for each key, and waits up to 2 s for the
    /// operator's first response. A payout may then wait for the approval of a second person.
    ///
    /// A repetition that comes while the first request still waits gets the transaction as it
    /// stands: a person who taps twice must not read about an error.
    ///
    /// # Errors
    /// [`BeginError`]. Then nothing was begun, unless the store is
    /// [uncertain](tua_domain::ports::StoreError::Uncertain).
    #[instrument(
        name = "begin_payment",
        skip_all,
        fields(tua.transaction.id = Empty, tua.transaction.kind = instruction.transfer.kind.as_str())
    )]
    pub async fn begin_for_person(
        self: &Arc<Self>,
        scope: &Scope,
        instruction: Instruction,
        key: IdempotencyKey,
        by: &AuditContext,
    ) -> Result<IdempotentResult<Transaction>, BeginError> {
        let attempt = self.attempt(&dashboard_holder(scope), &instruction, Some(key));
        let work = self
            .clone()
            .begin_requested(scope.clone(), instruction, by.clone(), attempt.clone())
            .boxed();
        let repeated = attempt.clone();
        // What a person asks for is recorded before the store could refuse a repetition.
        let begun = self
            .idempotency
            .run(attempt.clone(), work, |record| self.replay(repeated, record))
            .await;
        match (begun, attempt) {
            (Err(BeginError::Repeat(RepeatError::InProgress)), Some(attempt)) => {
                let value = self.under_way(&attempt).await?;
                Ok(IdempotentResult { value, is_replay: true })
            }
            (begun, _) => begun,
        }
    }

    /// The transaction of an attempt whose first request has not ended yet. A record is stored
    /// together with its transaction.
    async fn under_way(&self, attempt: &Attempt) -> Result<Transaction, BeginError> {
        let record = self.idempotency.stored_record(attempt).await?;
        let record = record.ok_or(RepeatError::InProgress)?;
        let id = TransactionId::new(record.subject);
        Ok(reading::existing(self.transactions.as_ref(), &id).await?)
    }

    async fn begin_requested(
        self: Arc<Self>,
        scope: Scope,
        instruction: Instruction,
        by: AuditContext,
        attempt: Option<Attempt>,
    ) -> Result<Transaction, BeginError> {
        let expected = instruction.payer_pays;
        let new = instruction.into_order(&scope, None, None);
        let beginning = self.prepare(new, expected, attempt)?;
        // First, so that no money moves without a name; a payment that is refused then shows as
        // asked for.
        self.audit_log.append_request(&beginning.new, &by).await?;
        self.commit_and_send(beginning).await
    }
}
