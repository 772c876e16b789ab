//! Passcodes and vouchers: five wrong ones at the most.

use super::{
    idempotency::{Completed, Idempotency, RepeatableError},
    reading,
    settlement::Settlement,
    transactions::visible,
};
use crate::domain::{
    Caller, Transaction, TransactionId,
    idempotency::{Attempt, Fingerprint, IdempotencyKey, IdempotencyRecord, Operation, RepeatError, ResponseSnapshot},
    payment_limits::PaymentLimits,
    ports::{CodeAnswer, CountError, StoreError},
    verdict::CodeVerdict,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::sync::Arc;
use tokio_util::task::TaskTracker;
use tracing::Instrument;
use tua_contract::{Code, State, lifecycle::Observation};

/// Passes codes on to operators.
#[derive(Debug)]
pub struct Codes {
    /// Calls the operator.
    pub settlement: Arc<Settlement>,
    /// Runs an attempt once.
    pub idempotency: Arc<Idempotency>,
    /// Limits guesses.
    pub limits: PaymentLimits,
    /// Where calls run that outlive their request.
    pub tasks: TaskTracker,
}

/// A transaction after a code was submitted, and the verdict on the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeChecked {
    /// The transaction as it then stood.
    pub transaction: Transaction,
    /// The verdict.
    pub verdict: CodeVerdict,
}

impl Codes {
    /// Submits a code for a transaction that the caller may see, once for each key.
    ///
    /// A counted attempt reaches the operator even where the payer's connection breaks.
    ///
    /// # Errors
    /// [`CountError`]. Then no attempt was used up, unless the store is uncertain ([`StoreError::Uncertain`]).
    pub async fn submit(
        self: &Arc<Self>,
        caller: Caller,
        id: TransactionId,
        code: Code,
        key: Option<IdempotencyKey>,
    ) -> Result<Completed<CodeChecked>, CountError> {
        let fields = [Some(id.as_str()), Some(code.expose())];
        let attempt = self.idempotency.attempt(&caller, Operation::SubmitOtp, key, &fields);
        let work = self.clone().submit_once(caller.clone(), id, code, attempt.clone());
        let repeated = attempt.clone();
        self.idempotency.run(attempt, work, |record| self.replay(caller, repeated, record)).await
    }

    /// As [`Self::submit`], with the code itself as the key: a form that is sent twice uses up one attempt.
    ///
    /// # Errors
    /// As [`Self::submit`].
    pub async fn submit_form(
        self: &Arc<Self>,
        caller: Caller,
        id: TransactionId,
        code: Code,
    ) -> Result<Completed<CodeChecked>, CountError> {
        let fields = [Some("page"), Some(id.as_str()), Some(code.expose())];
        let digest = Fingerprint::of(&self.idempotency.server_key, &fields);
        let key = IdempotencyKey::parse(URL_SAFE_NO_PAD.encode(digest.0).as_bytes());
        self.submit(caller, id, code, key).await
    }

    async fn submit_once(
        self: Arc<Self>,
        caller: Caller,
        id: TransactionId,
        code: Code,
        attempt: Option<Attempt>,
    ) -> Result<CodeChecked, CountError> {
        let Settlement { store, clock, changes, .. } = &*self.settlement;
        let id = visible(store.as_ref(), &caller, &id).await?.ok_or(CountError::NotFound)?.begun.id;
        let session = match &caller {
            Caller::Key(_) => None,
            Caller::Token(checkout) => Some(&checkout.id),
        };
        let guess = self.limits.code(session, &id);
        let counted = store.count_code_attempt(&id, attempt.clone(), guess, clock.now()).await?;
        changes.notify(&id);
        let verification = verify(self.settlement.clone(), counted, code);
        let checked = self.tasks.spawn(verification.in_current_span()).await;
        let checked = checked.map_err(|_| StoreError::failed("a verification ended early"))??;
        Ok(match attempt {
            Some(attempt) => self.respond(&attempt, checked).await,
            None => checked,
        })
    }

    async fn replay(
        &self,
        caller: Caller,
        attempt: Option<Attempt>,
        record: IdempotencyRecord,
    ) -> Result<CodeChecked, CountError> {
        let (store, id) = (self.settlement.store.as_ref(), TransactionId::new(record.subject));
        if let Some(ResponseSnapshot { version, verdict }) = record.response {
            let transaction = reading::at_version(store, &id, version).await?;
            return Ok(CodeChecked { transaction, verdict: verdict.unwrap_or(CodeVerdict::Unknown) });
        }
        let transaction = visible(store, &caller, &id).await?.ok_or(CountError::NotFound)?;
        let current = CodeChecked { transaction, verdict: CodeVerdict::Unknown };
        Ok(match attempt {
            Some(attempt) => self.respond(&attempt, current).await,
            None => current,
        })
    }

    /// Stores the response to an attempt. Returns what the response that stands shows.
    async fn respond(&self, attempt: &Attempt, checked: CodeChecked) -> CodeChecked {
        let response = ResponseSnapshot { version: checked.transaction.version, verdict: Some(checked.verdict) };
        let first = self.idempotency.store_response(attempt, response).await;
        if first == response {
            return checked;
        }
        let store = self.settlement.store.as_ref();
        match reading::at_version(store, &checked.transaction.begun.id, first.version).await {
            Ok(transaction) => CodeChecked { transaction, verdict: first.verdict.unwrap_or(checked.verdict) },
            Err(_) => checked,
        }
    }
}

async fn verify(settlement: Arc<Settlement>, counted: Transaction, code: Code) -> Result<CodeChecked, StoreError> {
    let begun = &counted.begun;
    let Some(operator) = settlement.operator_of(begun) else {
        let transaction = settlement.record(&counted, Observation::Ambiguous).await?;
        return Ok(CodeChecked { transaction, verdict: CodeVerdict::Unknown });
    };
    let reference = begun.id.operator_reference();
    let response = settlement.call(begun, operator.submit_code(&reference, &code), CodeAnswer::Unanswered).await;
    let (transaction, verdict) = match response {
        CodeAnswer::Accepted(observation) => (settlement.record(&counted, observation).await?, CodeVerdict::Accepted),
        CodeAnswer::Unanswered => (settlement.record(&counted, Observation::Ambiguous).await?, CodeVerdict::Unknown),
        CodeAnswer::Wrong if counted.code_attempts_left() == Some(0) => {
            let ended = settlement.end_without_codes(&counted).await?;
            let verdict = match ended.state {
                State::Failed(_) => CodeVerdict::Exhausted,
                State::Pending(_) | State::Successful => CodeVerdict::Unknown,
            };
            (ended, verdict)
        }
        CodeAnswer::Wrong => (settlement.reload(&begun.id).await?, CodeVerdict::Wrong),
    };
    Ok(CodeChecked { transaction, verdict })
}

impl RepeatableError for CountError {
    fn is_repetition(&self) -> bool {
        matches!(self, Self::Repeat(RepeatError::InProgress))
    }
}
