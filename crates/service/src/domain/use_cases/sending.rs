//! Sends orders to operators (docs/reference/lifecycle.md, Handing over and Sending again).

use super::settlement::{OPERATOR_TIMEOUT, Recorded, Settlement, log_failure};
use crate::domain::{
    Transaction, TransactionId,
    idempotency::Attempt,
    ports::{Answer, Due, HandOver, Order, SendPermit, SendResponse, StoreError},
    rules::{self, AfterNeverReceived, OperatorTerms},
};
use jiff::{SignedDuration, Timestamp};
use tracing::{error, info, warn};
use tua_contract::{FailureCode, State, lifecycle::Observation};

/// The shortest and the longest time after which an order is sent again of which no byte was written.
const MIN_RETRY: SignedDuration = SignedDuration::from_secs(10);
const MAX_RETRY: SignedDuration = SignedDuration::from_hours(1);

impl Settlement {
    /// The permission to send an order. Take it before the commit that marks the order as handed over, so that a pause
    /// after the commit counts.
    #[must_use]
    pub fn permit(&self) -> SendPermit {
        SendPermit::new(&self.clock, OPERATOR_TIMEOUT.unsigned_abs())
    }

    /// Sends the order of a transaction that is marked as handed over, and records the first response. `None` where
    /// there was no response, or where it could not be stored; then the worker asks later.
    ///
    /// The response to `attempt`, which began the transaction, is stored in the same commit.
    pub async fn send(
        &self,
        transaction: &Transaction,
        permit: &SendPermit,
        attempt: Option<Attempt>,
    ) -> Option<Recorded> {
        let observation = match self.try_send(transaction, permit).await {
            SendResponse::Observed(observation) => observation,
            // The operator has the order, whatever its status.
            SendResponse::Duplicate => match self.ask(transaction).await {
                Answer::Known(observation) => observation,
                Answer::NeverReceived | Answer::Unanswered => Observation::StillPending,
            },
            SendResponse::NotSent => {
                self.withdraw(transaction).await;
                return None;
            }
        };
        log_failure(transaction, self.record_with_response(transaction, observation, attempt).await)
    }

    /// Hands over an order that waits: marks it, then sends it. Where it has waited for too long, it ends without being
    /// sent. Safe to call at any time and on any node: only one call sends the order.
    pub async fn hand_over(&self, id: &TransactionId, first_ask: Timestamp) {
        let permit = self.permit();
        match self.store.hand_over(id, first_ask, self.clock.now()).await {
            Ok(HandOver::Marked(transaction)) => drop(self.send(&transaction, &permit, None).await),
            Ok(HandOver::Ended(transaction)) => self.announce(&transaction, State::NEW),
            Ok(HandOver::Nothing) => {}
            Err(error) => error!(transaction = %id, %error, "an order could not be marked as handed over"),
        }
    }

    /// The operator reports that it never received the order.
    pub(super) async fn handle_never_received(&self, due: &Due, lease: &SendPermit) {
        let transaction = &due.transaction;
        let next = match self.after_never_received(due).await {
            Ok(next) => next,
            Err(error) => {
                error!(transaction = %transaction.begun.id, %error, "the session of a charge could not be read");
                return;
            }
        };
        let observation = match next {
            AfterNeverReceived::SendAgain => return self.send_again(due, lease).await,
            AfterNeverReceived::NotSent => Observation::Failed(FailureCode::NotSent),
            AfterNeverReceived::Wait => Observation::Ambiguous,
        };
        drop(log_failure(transaction, self.record(transaction, observation).await));
    }

    async fn after_never_received(&self, due: &Due) -> Result<AfterNeverReceived, StoreError> {
        let Some(operator) = self.operator_of(&due.transaction.begun) else { return Ok(AfterNeverReceived::Wait) };
        let session = match &due.transaction.begun.checkout {
            Some(id) => self.store.checkout(id).await?,
            None => None,
        };
        let terms = OperatorTerms {
            refuses_repeats: operator.refuses_repeats(),
            never_received_is_final_after: operator.never_received_is_final_after(),
        };
        let expires_at = session.map(|session| session.expires_at);
        Ok(rules::after_never_received(due, expires_at, terms, self.clock.now()))
    }

    /// Sends an order with the same reference again, if the lease is valid and nothing has happened since it was taken.
    async fn send_again(&self, due: &Due, lease: &SendPermit) {
        let (transaction, permit) = (&due.transaction, lease.at_most(OPERATOR_TIMEOUT.unsigned_abs()));
        let id = &transaction.begun.id;
        match self.store.permit_repeated_send(due, self.clock.now() + permit.remaining()).await {
            Ok(true) => {
                warn!(transaction = %id, "the operator never received the order; sending it again");
                drop(self.send(transaction, &permit, None).await);
            }
            Ok(false) => {}
            Err(error) => error!(transaction = %id, %error, "an order could not be sent again; the worker asks later"),
        }
    }

    async fn try_send(&self, transaction: &Transaction, permit: &SendPermit) -> SendResponse {
        let begun = &transaction.begun;
        let Some(operator) = self.operator_of(begun) else {
            warn!(transaction = %begun.id, "no operator serves this network any more");
            return SendResponse::NotSent;
        };
        let order = match self.order(transaction).await {
            Ok(order) => order,
            Err(error) => {
                error!(transaction = %begun.id, %error, "an order could not be prepared");
                return SendResponse::NotSent;
            }
        };
        if !permit.is_valid() {
            return SendResponse::NotSent;
        }
        let ambiguous = Observation::Ambiguous.into();
        self.call_within(permit.remaining(), begun, operator.send(&order, permit), ambiguous).await
    }

    /// Clears the mark of an order of which no byte was written. It is sent later, unless it was sent before.
    async fn withdraw(&self, transaction: &Transaction) {
        let (id, now) = (&transaction.begun.id, self.clock.now());
        let waited = now.duration_since(transaction.created_at);
        let send_at = now + (waited / 2).clamp(MIN_RETRY, MAX_RETRY);
        match self.store.withdraw_hand_over(transaction, send_at, now).await {
            Ok(true) => info!(transaction = %id, %send_at, "no byte of the order was written; it is sent later"),
            Ok(false) => {}
            Err(error) => {
                error!(transaction = %id, %error, "the mark of an unsent order remains; the worker asks later")
            }
        }
    }

    async fn order(&self, transaction: &Transaction) -> Result<Order, StoreError> {
        let begun = &transaction.begun;
        let account = self.store.account(&begun.scope.account).await?;
        Ok(Order {
            reference: begun.id.operator_reference(),
            transfer: begun.transfer.clone(),
            merchant: account.map(|account| account.name).unwrap_or_default(),
            message: begun.details.payer_message.clone(),
        })
    }
}
