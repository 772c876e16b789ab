//! Passcodes and vouchers: five wrong ones at the most.

use super::{
    code_submitter::CodeSubmitter,
    idempotency::{Idempotency, IdempotentResult, RepeatableError},
    operator_gateway::{OPERATOR_TIMEOUT, OperatorGateway, sent_order},
    reading,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::FutureExt;
use std::sync::Arc;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, Span, field::Empty, instrument};
use tua_contract::{Code, State, Step, lifecycle::Observation};
use tua_domain::{
    Transaction, TransactionId,
    idempotency::{
        Attempt, Fingerprint, IdempotencyKey, IdempotencyRecord, Operation, ResponseSnapshot,
    },
    payment_limits::PaymentLimits,
    persistent_bucket::PersistentBucket,
    ports::{
        CodeAttemptError, CodeAttempts, CodeResponse, Finding, RateBuckets, SettledCode,
        StoreError, Transactions,
    },
    transaction::{CODE_TIMEOUT, MAX_CODE_ATTEMPTS},
    verdict::CodeVerdict,
};

/// Passes codes on to operators.
#[derive(Debug)]
pub struct Codes {
    /// Passes the codes on to the operator, and records its responses.
    pub gateway: Arc<OperatorGateway>,
    /// Reads the transactions that expect codes.
    pub transactions: Arc<dyn Transactions>,
    /// Counts codes before they are sent, and stores the verdicts.
    pub code_attempts: Arc<dyn CodeAttempts>,
    /// Returns the token of a right code to the limit of its phone number.
    pub rate_buckets: Arc<dyn RateBuckets>,
    /// Runs an attempt once.
    pub idempotency: Arc<Idempotency>,
    /// Limits the guesses of one session or transaction, and those for one phone number.
    pub limits: PaymentLimits,
    /// Where calls run that outlive their request.
    pub tasks: TaskTracker,
}

/// A transaction after a code was submitted, and the verdict on the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeChecked {
    /// The transaction as it then stood.
    pub transaction: Transaction,
    /// Whether the operator accepted the code; not known where it did not respond.
    pub verdict: CodeVerdict,
}

impl Codes {
    /// Submits a code for a transaction that the submitter may see, once for each key.
    ///
    /// A counted attempt reaches the operator even where the payer's connection breaks.
    ///
    /// # Errors
    /// [`CodeAttemptError`]. Then no attempt was used up, unless the store is uncertain
    /// ([`StoreError::Uncertain`]).
    #[instrument(name = "submit_code", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn submit(
        self: &Arc<Self>,
        submitter: impl Into<CodeSubmitter>,
        id: TransactionId,
        code: Code,
        key: Option<IdempotencyKey>,
    ) -> Result<IdempotentResult<CodeChecked>, CodeAttemptError> {
        let submitter = submitter.into();
        let fields = [Some(id.as_str()), Some(code.expose())];
        let attempt =
            self.idempotency.attempt(&submitter.holder(), Operation::SubmitOtp, key, &fields);
        let work = self.clone().submit_once(submitter.clone(), id, code, attempt.clone()).boxed();
        let repeated = attempt.clone();
        let replay = |record| self.replay(submitter, repeated, record);
        self.idempotency.run(attempt, work, replay).await
    }

    /// As [`Self::submit`], with the code itself as the key, since a form has no other: a form that
    /// is sent twice uses up one attempt. A wrong code that is typed again gets the same verdict.
    /// One whose verdict was lost (a crash or a timeout) is submitted as a new attempt.
    ///
    /// # Errors
    /// As [`Self::submit`].
    pub async fn submit_form(
        self: &Arc<Self>,
        submitter: impl Into<CodeSubmitter>,
        id: TransactionId,
        code: Code,
    ) -> Result<CodeChecked, CodeAttemptError> {
        let submitter = submitter.into();
        for round in 0..MAX_CODE_ATTEMPTS {
            let key = self.form_key(&id, &code, round);
            let IdempotentResult { value, is_replay } =
                self.submit(submitter.clone(), id.clone(), code.clone(), key).await?;
            if !is_replay {
                return Ok(value);
            }
            // What counts is what the transaction awaits at present.
            let found = submitter.find(self.transactions.as_ref(), &id).await?;
            let transaction = found.ok_or(CodeAttemptError::NotFound)?;
            match value.verdict {
                CodeVerdict::Unknown if transaction.state.expects_code() => {}
                CodeVerdict::Wrong if !transaction.state.expects_code() => {
                    return Ok(CodeChecked { transaction, verdict: CodeVerdict::Unknown });
                }
                verdict => return Ok(CodeChecked { transaction, verdict }),
            }
        }
        Err(CodeAttemptError::NotExpected)
    }

    /// The key of a code that is typed into the page's form. A round ends with a lost verdict.
    fn form_key(&self, id: &TransactionId, code: &Code, round: u8) -> Option<IdempotencyKey> {
        let round = round.to_string();
        let fields = [Some("page"), Some(id.as_str()), Some(code.expose()), Some(round.as_str())];
        let digest = Fingerprint::of(&self.idempotency.keys.current(), &fields);
        IdempotencyKey::parse(URL_SAFE_NO_PAD.encode(digest.0).as_bytes())
    }

    async fn submit_once(
        self: Arc<Self>,
        submitter: CodeSubmitter,
        id: TransactionId,
        code: Code,
        attempt: Option<Attempt>,
    ) -> Result<CodeChecked, CodeAttemptError> {
        let OperatorGateway { clock, changes, .. } = &*self.gateway;
        let found = submitter.find(self.transactions.as_ref(), &id).await?;
        let new = found.ok_or(CodeAttemptError::NotFound)?.order;
        let id = &new.id;
        Span::current().record("tua.transaction.id", id.as_str());
        let of_phone = self.limits.code_of_phone(new.scope.mode, &new.transfer.phone);
        let guesses =
            self.limits.code(submitter.session(), id).into_iter().chain(of_phone.clone()).collect();
        let counted = self
            .code_attempts
            .count_code_attempt(id, attempt.clone(), guesses, clock.now())
            .await?;
        changes.notify(id);
        let verification = self.clone().verify_and_return(counted, code, of_phone).boxed();
        let checked = self.tasks.spawn(verification.in_current_span()).await;
        let checked = checked.map_err(|_| StoreError::failed("a verification ended early"))??;
        Ok(match attempt {
            Some(attempt) => self.respond(&attempt, checked).await,
            None => checked,
        })
    }

    async fn replay(
        &self,
        submitter: CodeSubmitter,
        attempt: Option<Attempt>,
        record: IdempotencyRecord,
    ) -> Result<CodeChecked, CodeAttemptError> {
        let transactions = self.transactions.as_ref();
        let id = TransactionId::new(record.subject);
        if let Some(ResponseSnapshot { version, verdict }) = record.response {
            let transaction = reading::at_version(transactions, &id, version).await?;
            return Ok(CodeChecked {
                transaction,
                verdict: verdict.unwrap_or(CodeVerdict::Unknown),
            });
        }
        let transaction =
            submitter.find(transactions, &id).await?.ok_or(CodeAttemptError::NotFound)?;
        let current = CodeChecked { transaction, verdict: CodeVerdict::Unknown };
        Ok(match attempt {
            Some(attempt) => self.respond(&attempt, current).await,
            None => current,
        })
    }

    /// Stores the response to an attempt. Returns what the response that stands shows.
    async fn respond(&self, attempt: &Attempt, checked: CodeChecked) -> CodeChecked {
        let response = ResponseSnapshot {
            version: checked.transaction.version,
            verdict: Some(checked.verdict),
        };
        let first = self.idempotency.store_response(attempt, response).await;
        if first == response {
            return checked;
        }
        let transactions = self.transactions.as_ref();
        match reading::at_version(transactions, &checked.transaction.order.id, first.version).await
        {
            Ok(transaction) => {
                CodeChecked { transaction, verdict: first.verdict.unwrap_or(checked.verdict) }
            }
            Err(_) => checked,
        }
    }

    /// Asks the operator about a code. A right one does not count against the limit of its phone
    /// number.
    async fn verify_and_return(
        self: Arc<Self>,
        counted: Transaction,
        code: Code,
        of_phone: Option<PersistentBucket>,
    ) -> Result<CodeChecked, StoreError> {
        let checked = self.verify(counted, code).await?;
        if checked.verdict == CodeVerdict::Accepted
            && let Some(bucket) = of_phone
            && let Err(error) = self.rate_buckets.return_token(bucket).await
        {
            tracing::warn!(%error, "a right code counts as a wrong one of its phone number until \
                the limit's window ends");
        }
        Ok(checked)
    }

    async fn verify(&self, counted: Transaction, code: Code) -> Result<CodeChecked, StoreError> {
        // A code that was counted too long ago is not sent: by the end of its time its verdict
        // could not be known.
        let is_late =
            self.gateway.clock.now() + OPERATOR_TIMEOUT > counted.updated_at + CODE_TIMEOUT;
        let Some(operator) = self.gateway.operator_of(&counted).filter(|_| !is_late) else {
            self.gateway.record(&counted, Observation::Ambiguous).await?;
            return self.settle(&counted, CodeVerdict::Unknown).await;
        };
        let sent = sent_order(&counted);
        let response = self
            .gateway
            .call(&counted, operator.submit_code(&sent, &code), CodeResponse::Unanswered)
            .await;
        match response {
            CodeResponse::Accepted(report) => {
                let transaction = self
                    .record_accepted(&counted, report.compare(counted.order.price.payer_pays))
                    .await?;
                Ok(CodeChecked { transaction, verdict: CodeVerdict::Accepted })
            }
            CodeResponse::Unanswered => {
                self.gateway.record(&counted, Observation::Ambiguous).await?;
                self.settle(&counted, CodeVerdict::Unknown).await
            }
            CodeResponse::Wrong => self.settle(&counted, CodeVerdict::Wrong).await,
        }
    }

    /// Records that a code was accepted: no other code is expected then, also where one was counted
    /// meanwhile.
    async fn record_accepted(
        &self,
        counted: &Transaction,
        mut finding: Finding,
    ) -> Result<Transaction, StoreError> {
        if finding.observation == Observation::StillPending {
            finding.observation = Observation::Awaits(Step::Wait);
        }
        let mut transaction = self.gateway.record(counted, finding.clone()).await?;
        // Unless it is final, a finding about an earlier version changes nothing. Each code makes a
        // version.
        for _ in 1..MAX_CODE_ATTEMPTS {
            if transaction.state.expects_code() {
                transaction = self.gateway.record(&transaction, finding.clone()).await?;
            }
        }
        Ok(transaction)
    }

    /// Stores that a code was not accepted. After the last code, the verdict that comes last ends
    /// the transaction: an earlier code may be right, and its verdict still to come, on this node
    /// or another.
    async fn settle(
        &self,
        counted: &Transaction,
        verdict: CodeVerdict,
    ) -> Result<CodeChecked, StoreError> {
        let settled = self.code_attempts.settle_code(&counted.order.id).await?;
        let is_exhausted =
            settled.transaction.has_no_code_left() && settled.transaction.state.expects_code();
        let transaction = match settled {
            SettledCode { transaction, in_flight: 0 } if is_exhausted => {
                self.gateway.cancel_after_last_code(&transaction).await?
            }
            _ if is_exhausted && counted.has_no_code_left() => {
                self.wait_for_verdicts(counted).await?
            }
            SettledCode { transaction, .. } => transaction,
        };
        let verdict = match transaction.state {
            State::Failed(_) if transaction.has_no_code_left() => CodeVerdict::Exhausted,
            _ if counted.has_no_code_left() => CodeVerdict::Unknown,
            _ => verdict,
        };
        Ok(CodeChecked { transaction, verdict })
    }

    /// Waits until the codes that were counted before have their verdicts. Where a node has ended
    /// without storing one, the transaction ends when that code's time is over.
    async fn wait_for_verdicts(&self, counted: &Transaction) -> Result<Transaction, StoreError> {
        let id = &counted.order.id;
        loop {
            let change = self.gateway.changes.subscribe(id);
            let current = self.gateway.reload(id).await?;
            if !current.state.expects_code() {
                return Ok(current);
            }
            tokio::select! {
                () = change.changed() => {}
                () = self.gateway.clock.sleep_until(counted.updated_at + CODE_TIMEOUT) => {
                    return self.gateway.cancel_after_last_code(&current).await;
                }
            }
        }
    }
}

impl RepeatableError for CodeAttemptError {
    fn is_store_error(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}
