//! Asks operators, and turns their responses into the state of a transaction. [`super::sending`]
//! sends orders.

use super::{decisions::Decisions, reading};
use crate::{
    Transaction, TransactionId,
    capabilities::MAX_SEND_TIME,
    change_notifier::ChangeNotifier,
    idempotency::{Attempt, ResponseSnapshot, StoredResponse},
    known_orders::KnownOrders,
    ports::{
        Answer, Cancelled, Clock, Due, Finding, Observed, Operator, OutcomeLabel, PaymentMetrics,
        RefundOrder, Report, SendPermit, SentOrder, Store, StoreError,
    },
    routing::Operators,
    rules,
    steady_time::SteadyTime,
};
use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Instant};
use tracing::{error, info, warn};
use tua_contract::{Amount, FailureCode, State, Step, lifecycle::Observation};

/// How long a call to an operator may take. A response that comes later is found by asking again.
pub const OPERATOR_TIMEOUT: SignedDuration = MAX_SEND_TIME;

/// Calls operators and records what they respond.
#[derive(Debug)]
pub struct Settlement {
    /// Where transactions are kept.
    pub store: Arc<dyn Store>,
    /// Who moves the money.
    pub operators: Operators,
    /// Limits calls to operators, and dates what they respond.
    pub clock: Arc<dyn Clock>,
    /// Who waits for changes.
    pub changes: Arc<ChangeNotifier>,
    /// Counts transactions, their changes, and calls to operators.
    pub metrics: Arc<dyn PaymentMetrics>,
    /// The time by which payouts end without an approval.
    pub steady_time: SteadyTime,
    /// For how long this process has known of orders.
    pub known_orders: KnownOrders,
}

/// What has come of a transaction and of the attempt that began it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The transaction as it now stands.
    pub transaction: Transaction,
    /// Whether the attempt's response was stored in the same commit.
    pub is_response_stored: bool,
}

impl Settlement {
    /// Applies decisions about payouts that are not sent yet.
    #[must_use]
    pub fn decisions(&self) -> Decisions {
        Decisions { store: self.store.clone(), operators: self.operators.clone() }
    }

    /// Asks the operator for the status of a handed-over transaction, by reference, and records it.
    /// An order that never arrived may be sent again under `lease`
    /// ([`rules::after_never_received`]).
    pub async fn verify(&self, due: &Due, lease: &SendPermit) {
        let is_code_in_flight = due.transaction.is_last_code_in_flight(self.clock.now());
        // Before the question: what is sent while it is answered does not count.
        let age =
            self.known_orders.sent_for(&due.transaction, due.send_deadline, self.clock.uptime());
        match self.ask(&due.transaction).await {
            Answer::Known(report) => {
                if let Some(report) = self.with_claim(&due.transaction, report).await {
                    self.record_status(&due.transaction, report, is_code_in_flight).await;
                }
            }
            Answer::NeverReceived if !is_code_in_flight => {
                self.handle_never_received(due, age, lease).await
            }
            Answer::NeverReceived | Answer::Unanswered => {}
        }
    }

    /// Asks about a failed transaction that a statement shows as paid. Returns whether the operator
    /// responded. If it now reports a success, that is a conflict.
    pub async fn ask_about_failed(&self, failed: &Transaction) -> bool {
        match self.ask(failed).await {
            Answer::Known(report) => {
                self.record_status(failed, report, false).await;
                true
            }
            Answer::NeverReceived => true,
            Answer::Unanswered => false,
        }
    }

    /// Handles an operator's callback about a reference. A callback is only a hint: the operator is
    /// asked, and what it responds is recorded. A callback never causes an order to be sent.
    /// Returns `false` if the operator did not respond and can be asked again.
    pub async fn verify_by_reference(self: Arc<Self>, operator_reference: String) -> bool {
        let found = match TransactionId::of_operator_reference(&operator_reference) {
            Some(id) => self.store.transaction(&id).await,
            None => Ok(None),
        };
        match found {
            // Certainly not sent, so the operator does not have it.
            Ok(Some(transaction)) if transaction.handed_over_at.is_none() => {}
            Ok(Some(transaction)) => {
                let is_code_in_flight = transaction.is_last_code_in_flight(self.clock.now());
                match self.ask_ahead(&transaction).await {
                    Answer::Known(report) => match self.with_claim(&transaction, report).await {
                        Some(report) => {
                            self.record_status(&transaction, report, is_code_in_flight).await
                        }
                        None => return false,
                    },
                    Answer::NeverReceived => {}
                    Answer::Unanswered => return false,
                }
                self.verify_refunds(&transaction).await;
            }
            Ok(None) => warn!("a callback names a reference that is not ours"),
            Err(error) => {
                error!(%error, "the transaction of a callback could not be read; the worker asks \
                    later")
            }
        }
        true
    }

    /// The report in the light of what a callback claimed about the transaction, whenever that was.
    /// `None` where the claim could not be read: then the operator is asked again later.
    async fn with_claim(&self, transaction: &Transaction, report: Report) -> Option<Report> {
        if !report.may_take_claim() {
            return Some(report);
        }
        let id = &transaction.begun.id;
        let claim = self.store.failure_claim(id).await.inspect_err(|error| {
            error!(transaction = %id, %error, "the claim of a callback could not be read; the \
                operator is asked again");
        });
        Some(match claim.ok()? {
            Some(claim) => report.with_claim(claim),
            None => report,
        })
    }

    /// Asks about the refunds of a charge that its operator makes: a callback about a refund may
    /// name the charge only.
    async fn verify_refunds(&self, charge: &Transaction) {
        let refunds = self.refunds_under_way(charge).await.unwrap_or_else(|error| {
            error!(%error, "the refunds of a callback could not be read; the worker asks later");
            Vec::new()
        });
        for refund in refunds {
            if let Answer::Known(report) = self.ask_ahead(&refund).await {
                self.record_status(&refund, report, false).await;
            }
        }
    }

    /// The operator's response about the status of a transaction.
    pub(super) async fn ask(&self, transaction: &Transaction) -> Answer {
        self.ask_status(transaction, sent_order(transaction)).await
    }

    /// As [`Self::ask`], ahead of the polling schedule.
    async fn ask_ahead(&self, transaction: &Transaction) -> Answer {
        self.ask_status(
            transaction,
            SentOrder { is_brought_forward: true, ..sent_order(transaction) },
        )
        .await
    }

    async fn ask_status(&self, transaction: &Transaction, order: SentOrder) -> Answer {
        let Some(operator) = self.operator_of(transaction) else { return Answer::Unanswered };
        let call = async {
            match self.native_refund(transaction).await {
                Ok(Some(RefundOrder { reference, charge, amount })) => {
                    let charge =
                        SentOrder { is_brought_forward: order.is_brought_forward, ..charge };
                    operator.ask_refund(&RefundOrder { reference, charge, amount }).await
                }
                Ok(None) => operator.ask(&order).await,
                Err(error) => {
                    error!(refund = %transaction.begun.id, %error, "the charge of a refund could \
                        not be read");
                    Answer::Unanswered
                }
            }
        };
        self.call(transaction, call, Answer::Unanswered).await
    }

    /// Records a status. `is_code_in_flight` says whether the last code was on its way when the
    /// operator was asked.
    pub(super) async fn record_status(
        &self,
        transaction: &Transaction,
        report: Report,
        is_code_in_flight: bool,
    ) {
        let recorded = match report.observation {
            // The verdict on the last code is still to come, and tells more.
            Observation::Awaits(_) | Observation::StillPending | Observation::Ambiguous
                if is_code_in_flight =>
            {
                return;
            }
            // The next poll finds the failure again.
            Observation::Failed(_)
                if report.reason_may_follow && self.is_just_handed_over(transaction) =>
            {
                return;
            }
            // It could not be cancelled before, or a crash came between the last wrong code and the
            // cancellation.
            Observation::Awaits(Step::EnterOtp | Step::EnterVoucher)
                if transaction.has_no_code_left() =>
            {
                self.end_if_unchanged(transaction).await
            }
            _ => self.record(transaction, report.compare(transaction.begun.price.payer_pays)).await,
        };
        drop(log_failure(transaction, recorded));
    }

    fn is_just_handed_over(&self, transaction: &Transaction) -> bool {
        transaction.handed_over_at.is_some_and(|at| self.clock.now() < at + rules::REASON_WAIT)
    }

    /// Records a finding about `asked`, and notifies those who wait for a change. Returns the
    /// transaction as it now stands.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record(
        &self,
        asked: &Transaction,
        finding: impl Into<Finding> + Send,
    ) -> Result<Transaction, StoreError> {
        self.record_with_response(asked, finding.into(), None)
            .await
            .map(|recorded| recorded.transaction)
    }

    /// As [`Self::record`]. The attempt's response is stored in the same commit, unless the
    /// transaction has changed since `asked`: only then is it not known beforehand which version
    /// the response shows.
    pub(super) async fn record_with_response(
        &self,
        asked: &Transaction,
        finding: Finding,
        attempt: Option<Attempt>,
    ) -> Result<Recorded, StoreError> {
        let now = self.clock.now();
        let version = match asked.after(&finding, now) {
            Some((_, after)) => {
                Some(if after.is_shown_at_once() { after.version } else { asked.version })
            }
            // Its acknowledgement is stored, and the response with it.
            None => finding.observation.is_acknowledgement().then_some(asked.version),
        };
        let response = attempt.zip(version).map(|(attempt, version)| {
            let snapshot = ResponseSnapshot::payment(version);
            StoredResponse { attempt, snapshot }
        });
        let Finding { attention, refusal, .. } = finding;
        let Observed { transaction, before, is_response_stored } =
            self.store.observe(asked, finding, response, now).await?;
        if let Some(attention) = attention.filter(|_| !transaction.state.is_final()) {
            let id = &transaction.begun.id;
            let attention = attention.as_str();
            warn!(transaction = %id, attention, "people must look at the order: flagged for \
                review");
        }
        if let Some(before) = before {
            self.announce(&transaction, before);
            if !before.is_final() && transaction.state.is_final() {
                self.count_end(&transaction, refusal);
            }
        }
        Ok(Recorded { transaction, is_response_stored })
    }

    /// Reports a change that is stored to those who wait for it, to the metrics and to the log.
    pub(super) fn announce(&self, transaction: &Transaction, before: State) {
        let id = &transaction.begun.id;
        self.metrics.transaction_changed(transaction, before);
        info!(
            transaction = %id,
            status = transaction.state.status().as_str(),
            next_action = transaction.state.next_action(),
            phone = transaction.begun.transfer.phone.last_three(),
            "transaction moved"
        );
        if let Some(mismatch) = transaction.mismatch.filter(|_| !transaction.state.is_final()) {
            let received_pesewas = mismatch.received.map(Amount::pesewas);
            warn!(transaction = %id, ?received_pesewas, "an operator reports a success for \
                something else: flagged for review");
        }
        if transaction.conflict.is_some() {
            warn!(transaction = %id, "an operator contradicts a final state; the state stands");
        }
        self.changes.notify(id);
    }

    /// Ends a transaction after its last wrong code. It fails only once the operator can no longer
    /// take money for it; otherwise it waits for the operator's final status.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn end_without_codes(
        &self,
        transaction: &Transaction,
    ) -> Result<Transaction, StoreError> {
        let cancelled = match self.operator_of(transaction) {
            Some(operator) => {
                self.call(transaction, operator.cancel(&sent_order(transaction)), Cancelled::No)
                    .await
            }
            None => Cancelled::No,
        };
        let observation = match cancelled {
            Cancelled::Yes => Observation::Failed(FailureCode::OtpAttemptsExhausted),
            Cancelled::No => Observation::Ambiguous,
        };
        self.record(transaction, observation).await
    }

    /// As [`Self::end_without_codes`], unless the transaction has changed since the operator was
    /// asked: then its response may be older than the change.
    async fn end_if_unchanged(&self, asked: &Transaction) -> Result<Transaction, StoreError> {
        let current = self.reload(&asked.begun.id).await?;
        if current.version == asked.version {
            self.end_without_codes(asked).await
        } else {
            Ok(current)
        }
    }

    /// The operator that serves a transaction for good.
    pub(super) fn operator_of(&self, transaction: &Transaction) -> Option<&Arc<dyn Operator>> {
        self.operators.serving(transaction.begun.scope.mode, transaction.operator.as_ref())
    }

    /// The response to a call, or `unanswered` after [`OPERATOR_TIMEOUT`] or where the connector
    /// panics.
    pub(super) async fn call<T: OutcomeLabel>(
        &self,
        transaction: &Transaction,
        response: impl Future<Output = T>,
        unanswered: T,
    ) -> T {
        self.call_within(OPERATOR_TIMEOUT, transaction, response, unanswered).await
    }

    /// As [`Self::call`], with another time limit.
    pub(super) async fn call_within<T: OutcomeLabel>(
        &self,
        timeout: SignedDuration,
        transaction: &Transaction,
        response: impl Future<Output = T>,
        unanswered: T,
    ) -> T {
        let called_at = Instant::now();
        let (response, outcome) = tokio::select! {
            response = AssertUnwindSafe(response).catch_unwind() => match response {
                Ok(response) => {
                    let outcome = response.outcome();
                    (response, outcome)
                }
                Err(_) => {
                    error!(transaction = %transaction.begun.id, "the operator's connector \
                        panicked; its response is not known");
                    (unanswered, "panicked")
                }
            },
            () = self.clock.sleep_until(self.clock.now() + timeout) => (unanswered, "timed_out"),
        };
        self.metrics.operator_called(transaction, T::OPERATION, outcome, called_at.elapsed());
        response
    }

    /// Reads a transaction that must exist.
    pub(super) async fn reload(&self, id: &TransactionId) -> Result<Transaction, StoreError> {
        reading::existing(self.store.as_ref(), id).await
    }
}

/// What later calls need of an order that was sent.
pub(super) fn sent_order(transaction: &Transaction) -> SentOrder {
    SentOrder {
        reference: transaction.begun.id.operator_reference(),
        transfer: transaction.begun.asked(),
        operator_transaction_id: transaction.details.transaction_id.clone(),
        is_brought_forward: false,
    }
}

/// Logs that a response could not be stored. Nothing is lost: the transaction is on disk, pending
/// and due.
pub(super) fn log_failure<T>(
    transaction: &Transaction,
    stored: Result<T, StoreError>,
) -> Option<T> {
    let id = &transaction.begun.id;
    stored
        .inspect_err(
            |error| error!(transaction = %id, %error, "an operator's response could not be stored"),
        )
        .ok()
}
