//! Queries operators for the status of transactions, and records what they respond
//! (docs/reference/lifecycle.md).

use super::{
    operator_gateway::{OperatorGateway, log_failure, sent_order},
    refund_lists::refunds_of,
};
use jiff::Timestamp;
use std::sync::Arc;
use tracing::{Span, error, field::Empty, instrument, warn};
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::{
    Transaction, TransactionId,
    ports::{
        CallbackLog, DueTransaction, RefundOrder, Report, Reports, Schedules, SendPermit,
        SentOrder, StatusResponse, StoreError, Transactions,
    },
    rules,
};

/// What came of a question about a final transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinalStatus {
    /// Whether the operator reported a status, and it is stored.
    pub is_stored: bool,
    /// As [`Report::ask_again_at`].
    pub ask_again_at: Option<Timestamp>,
}

/// Queries operators for the status of transactions, on schedule, after callbacks and where people
/// ask.
#[derive(Debug)]
pub struct StatusQueries {
    /// Calls the operators, and records what they respond.
    pub gateway: Arc<OperatorGateway>,
    /// Finds the transaction of an operator reference.
    pub transactions: Arc<dyn Transactions>,
    /// Lists the refunds of a charge.
    pub reports: Arc<dyn Reports>,
    /// Has the failures that callbacks claimed.
    pub callback_log: Arc<dyn CallbackLog>,
    /// Schedules the next status query of a final transaction.
    pub schedules: Arc<dyn Schedules>,
}

impl StatusQueries {
    /// Queries the operator for the status of a handed-over transaction, and records it. An order
    /// that never arrived may be sent again while `permit` is valid
    /// ([`rules::after_never_received`]).
    #[instrument(
        name = "query_status",
        skip_all,
        fields(tua.transaction.id = %due.transaction.order.id)
    )]
    pub async fn refresh_status(&self, due: &DueTransaction, permit: &SendPermit) {
        let is_code_in_flight = due.transaction.is_last_code_in_flight(self.gateway.clock.now());
        // Before the query: what is sent during the query does not count.
        let OperatorGateway { clock, known_orders, .. } = &*self.gateway;
        let send_age = known_orders.sent_for(&due.transaction, due.send_deadline, clock.uptime());
        match self.gateway.query_status(&due.transaction).await {
            StatusResponse::Known(report) => {
                if let Some(report) = self.apply_failure_claim(&due.transaction, report).await {
                    self.gateway.record_status(&due.transaction, report, is_code_in_flight).await;
                }
            }
            StatusResponse::NeverReceived if !is_code_in_flight => {
                self.gateway.handle_never_received(due, send_age, permit).await
            }
            StatusResponse::NeverReceived | StatusResponse::Unanswered => {}
        }
    }

    /// Queries the status of a final transaction that a statement or a callback may contradict, or
    /// that its operator reverses at this time. If it now reports another outcome, that is a
    /// conflict or a reversal.
    #[instrument(
        name = "query_status",
        skip_all,
        fields(tua.transaction.id = %transaction.order.id)
    )]
    pub async fn refresh_final_status(&self, transaction: &Transaction) -> FinalStatus {
        match self.gateway.query_status(transaction).await {
            StatusResponse::Known(report) => {
                let ask_again_at = report.ask_again_at;
                let is_stored = self.gateway.record_status(transaction, report, false).await;
                FinalStatus { is_stored, ask_again_at }
            }
            // The statement or the callback contradicts it.
            StatusResponse::NeverReceived | StatusResponse::Unanswered => {
                FinalStatus { is_stored: false, ask_again_at: None }
            }
        }
    }

    /// As [`Self::refresh`], of the order with this operator reference, which a callback names.
    pub async fn refresh_by_reference(&self, operator_reference: &str) -> bool {
        match TransactionId::of_operator_reference(operator_reference) {
            Some(id) => self.refresh(&id).await,
            None => {
                warn!("a callback names a reference that is not ours");
                true
            }
        }
    }

    /// Queries the status of a transaction after a callback about it or where a person asks, and
    /// records it. A callback is only a hint: what the operator responds is recorded, and no order
    /// is sent. Returns `false` if the operator did not respond and can be queried again.
    #[instrument(name = "query_status", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn refresh(&self, id: &TransactionId) -> bool {
        match self.transactions.transaction(id).await {
            // Certainly not sent, so the operator does not have it.
            Ok(Some(transaction)) if transaction.handed_over_at.is_none() => {}
            Ok(Some(transaction)) => {
                Span::current().record("tua.transaction.id", transaction.order.id.as_str());
                return self.refresh_ahead_of_schedule(&transaction).await;
            }
            Ok(None) => warn!("there is no transaction whose status could be queried"),
            Err(error) => {
                error!(%error, "a transaction could not be read, so its status is not queried; \
                    the worker asks later")
            }
        }
        true
    }

    /// As [`Self::refresh`], for a handed-over transaction and its refunds.
    async fn refresh_ahead_of_schedule(&self, transaction: &Transaction) -> bool {
        let is_code_in_flight = transaction.is_last_code_in_flight(self.gateway.clock.now());
        let mut ask_again_at = None;
        let is_stored = match self.gateway.query_ahead_of_schedule(transaction).await {
            StatusResponse::Known(report) => {
                let Some(report) = self.apply_failure_claim(transaction, report).await else {
                    return false;
                };
                ask_again_at = report.ask_again_at;
                self.gateway.record_status(transaction, report, is_code_in_flight).await
            }
            // The callback contradicts it: the worker asks again.
            StatusResponse::NeverReceived => false,
            StatusResponse::Unanswered => return false,
        };
        if is_stored && transaction.state.is_final() {
            self.schedule_query_of_final(transaction, ask_again_at).await;
        }
        self.refresh_refunds(transaction).await;
        true
    }

    /// Schedules the next status query of a transaction that is final, or ends its status queries
    /// where `at` is `None`. If that fails, the worker may query once more.
    async fn schedule_query_of_final(&self, transaction: &Transaction, at: Option<Timestamp>) {
        let id = &transaction.order.id;
        if let Err(error) = self.schedules.schedule_status_query_of_final(id, 0, at).await {
            error!(transaction = %id, %error, "the next question about a final transaction could \
                not be scheduled");
        }
    }

    /// Applies the failure that a callback claimed about the transaction to the report
    /// ([`Report::with_claim`]). `None` where the claim could not be read: then the operator is
    /// queried again later.
    async fn apply_failure_claim(
        &self,
        transaction: &Transaction,
        report: Report,
    ) -> Option<Report> {
        if !report.may_take_claim() {
            return Some(report);
        }
        let id = &transaction.order.id;
        let claim = self.callback_log.failure_claim(id).await.inspect_err(|error| {
            error!(transaction = %id, %error, "the claim of a callback could not be read; the \
                operator is asked again");
        });
        Some(match claim.ok()? {
            Some(claim) => report.with_claim(claim),
            None => report,
        })
    }

    /// Queries and records the status of pending refunds of a charge that its operator makes: a
    /// callback about a refund may name the charge only.
    async fn refresh_refunds(&self, charge: &Transaction) {
        let refunds = self.pending_native_refunds(charge).await.unwrap_or_else(|error| {
            error!(%error, "the refunds of a callback could not be read; the worker asks later");
            Vec::new()
        });
        for refund in refunds {
            if let StatusResponse::Known(report) =
                self.gateway.query_ahead_of_schedule(&refund).await
            {
                self.gateway.record_status(&refund, report, false).await;
            }
        }
    }

    /// The refunds of a charge that were sent to the operator, which makes them itself, and are not
    /// final.
    ///
    /// # Errors
    /// Those of the store.
    async fn pending_native_refunds(
        &self,
        charge: &Transaction,
    ) -> Result<Vec<Transaction>, StoreError> {
        if charge.refunds.native == 0 {
            return Ok(Vec::new());
        }
        let mut refunds = refunds_of(self.reports.as_ref(), charge).await?;
        refunds.retain(|refund| {
            let is_sent = refund.handed_over_at.is_some() && !refund.state.is_final();
            is_sent && refund.order.native_refund_of().is_some()
        });
        Ok(refunds)
    }
}

impl OperatorGateway {
    /// Queries the operator for the status of a transaction.
    pub(super) async fn query_status(&self, transaction: &Transaction) -> StatusResponse {
        self.send_status_query(transaction, sent_order(transaction)).await
    }

    /// As [`Self::query_status`], ahead of the polling schedule.
    async fn query_ahead_of_schedule(&self, transaction: &Transaction) -> StatusResponse {
        self.send_status_query(
            transaction,
            SentOrder { is_ahead_of_schedule: true, ..sent_order(transaction) },
        )
        .await
    }

    async fn send_status_query(
        &self,
        transaction: &Transaction,
        order: SentOrder,
    ) -> StatusResponse {
        let Some(operator) = self.operator_of(transaction) else {
            return StatusResponse::Unanswered;
        };
        let call = async {
            match self.native_refund_order(transaction).await {
                Ok(Some(refund)) => {
                    let is_ahead_of_schedule = order.is_ahead_of_schedule;
                    let charge = SentOrder { is_ahead_of_schedule, ..refund.charge };
                    operator.query_refund_status(&RefundOrder { charge, ..refund }).await
                }
                Ok(None) => operator.query_status(&order).await,
                Err(error) => {
                    error!(refund = %transaction.order.id, %error, "the charge of a refund could \
                        not be read");
                    StatusResponse::Unanswered
                }
            }
        };
        self.call(transaction, call, StatusResponse::Unanswered).await
    }

    /// Records a status, and returns whether it is stored. `is_code_in_flight` says whether the
    /// last code was on its way when the operator was asked.
    pub(super) async fn record_status(
        &self,
        transaction: &Transaction,
        report: Report,
        is_code_in_flight: bool,
    ) -> bool {
        let stored = match report.observation {
            // The verdict on the last code follows, and is more precise.
            Observation::Awaits(_) | Observation::StillPending | Observation::Ambiguous
                if is_code_in_flight =>
            {
                return false;
            }
            // The next poll finds the failure again.
            Observation::Failed(_)
                if report.reason_may_follow && self.is_just_handed_over(transaction) =>
            {
                return false;
            }
            // It could not be cancelled before, or a crash came between the last wrong code and the
            // cancellation.
            Observation::Awaits(Step::EnterOtp | Step::EnterVoucher)
                if transaction.has_no_code_left() =>
            {
                self.cancel_after_last_code_if_unchanged(transaction).await
            }
            _ => self.record(transaction, report.compare(transaction.order.price.payer_pays)).await,
        };
        log_failure(transaction, stored).is_some()
    }

    fn is_just_handed_over(&self, transaction: &Transaction) -> bool {
        transaction.handed_over_at.is_some_and(|at| self.clock.now() < at + rules::REASON_WAIT)
    }
}
