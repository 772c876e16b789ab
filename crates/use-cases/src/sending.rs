//! Sends orders to operators (docs/reference/lifecycle.md, Handing over and Sending again).

use super::{
    operator_gateway::{OPERATOR_TIMEOUT, OperatorGateway, log_failure},
    recording::Recorded,
};
use jiff::{SignedDuration, Timestamp};
use tracing::{error, info, instrument, warn};
use tua_contract::{State, lifecycle::Observation};
use tua_domain::{
    Transaction,
    idempotency::Attempt,
    known_orders::SendAge,
    ports::{
        DueTransaction, Finding, HandOver, Order, RefundOrder, Route, SendPermit, SendResponse,
        StatusResponse, StoreError,
    },
    rules::{self, AfterNeverReceived, OperatorTerms},
};

/// The shortest and the longest time after which an order is sent again of which no byte was
/// written.
const MIN_RETRY: SignedDuration = SignedDuration::from_secs(10);
const MAX_RETRY: SignedDuration = SignedDuration::from_hours(1);

/// What is sent to an operator.
enum OutgoingOrder {
    /// A collection or payout, also a refund by payout.
    Order(Order),
    /// The refund of one of its charges.
    Refund(RefundOrder),
}

impl OperatorGateway {
    /// The permission to send an order. Take it before the commit that marks the order as handed
    /// over, so that a pause after the commit counts.
    #[must_use]
    pub fn permit(&self) -> SendPermit {
        SendPermit::new(&self.clock, OPERATOR_TIMEOUT.unsigned_abs())
    }

    /// Sends the order of a transaction that is marked as handed over, and records the first
    /// response. `None` where there was no response, or where it could not be stored; then the
    /// worker asks later.
    ///
    /// The response to `attempt`, which began the transaction, is stored in the same commit.
    #[instrument(
        name = "send_order",
        skip_all,
        fields(tua.transaction.id = %transaction.order.id)
    )]
    pub async fn send(
        &self,
        transaction: &Transaction,
        permit: &SendPermit,
        attempt: Option<Attempt>,
    ) -> Option<Recorded> {
        self.known_orders.note_first_send(transaction, self.clock.uptime());
        let response = self.try_send(transaction, permit, Self::count_send).await;
        self.record_send(transaction, response, attempt).await
    }

    async fn record_send(
        &self,
        transaction: &Transaction,
        response: SendResponse,
        attempt: Option<Attempt>,
    ) -> Option<Recorded> {
        let asked = transaction.order.price.payer_pays;
        let finding = match response {
            SendResponse::Observed(report) => report.compare(asked).of_send(),
            // The operator has the order, whatever its status.
            SendResponse::Duplicate => match self.query_status(transaction).await {
                StatusResponse::Known(report) => report.compare(asked),
                StatusResponse::NeverReceived | StatusResponse::Unanswered => {
                    Observation::StillPending.into()
                }
            },
            SendResponse::NotSent => {
                self.withdraw(transaction).await;
                return None;
            }
        };
        log_failure(transaction, self.record_with_response(transaction, finding, attempt).await)
    }

    /// Hands over an order that waits: marks it, then sends it. Where it has waited for too long,
    /// it ends without being sent. Safe to call at any time and on any node: only one call sends
    /// the order.
    #[instrument(
        name = "hand_over_order",
        skip_all,
        fields(tua.transaction.id = %transaction.order.id)
    )]
    pub async fn hand_over(&self, transaction: &Transaction, first_query_at: Timestamp) {
        let id = &transaction.order.id;
        let route = match &transaction.order.refund {
            Some(of) => self.route_refund(transaction, of).await.unwrap_or_else(|error| {
                error!(refund = %id, %error, "the charge of a refund could not be read");
                Route::Unavailable
            }),
            None => self.route(transaction),
        };
        let waited = self.known_orders.waiting_for(transaction, self.clock.uptime());
        let permit = self.permit();
        match self.hand_overs.hand_over(id, route, first_query_at, self.clock.now(), waited).await {
            Ok(HandOver::Marked(transaction)) => drop(self.send(&transaction, &permit, None).await),
            Ok(HandOver::Ended(transaction) | HandOver::Held(transaction)) => {
                self.announce(&transaction, State::NEW)
            }
            Ok(HandOver::Nothing) => {}
            Err(error) => {
                error!(transaction = %id, %error, "an order could not be marked as handed over")
            }
        }
    }

    /// The operator reports that it never received the order. `age` is as it was when the operator
    /// was asked.
    pub(super) async fn handle_never_received(
        &self,
        due: &DueTransaction,
        age: SendAge,
        permit: &SendPermit,
    ) {
        let transaction = &due.transaction;
        let next = match self.after_never_received(due, age).await {
            Ok(next) => next,
            Err(error) => {
                error!(transaction = %transaction.order.id, %error, "the session of a charge could \
                    not be read");
                return;
            }
        };
        let finding = match next {
            AfterNeverReceived::SendAgain => return self.send_again(due, permit).await,
            AfterNeverReceived::NotSent => Finding::never_received(due.send_deadline),
            AfterNeverReceived::Wait => Observation::Ambiguous.into(),
        };
        drop(log_failure(transaction, self.record(transaction, finding).await));
    }

    async fn after_never_received(
        &self,
        due: &DueTransaction,
        age: SendAge,
    ) -> Result<AfterNeverReceived, StoreError> {
        let transaction = &due.transaction;
        let Some(operator) = self.operator_of(transaction) else {
            return Ok(AfterNeverReceived::Wait);
        };
        let entry = self.entry_of(transaction);
        let may_have_earlier_credentials = entry
            .zip(transaction.handed_over_at)
            .is_some_and(|(entry, at)| entry.may_have_earlier_credentials(at));
        let session = match &transaction.order.checkout {
            Some(id) => self.checkouts.checkout(id).await?,
            None => None,
        };
        let capabilities = operator.capabilities();
        let terms = OperatorTerms {
            refuses_repeats: capabilities.refuses_repeats,
            max_send_time: capabilities.max_send_time,
            never_received_is_final_after: capabilities.never_received_is_final_after,
            may_have_earlier_credentials,
        };
        let expires_at = session.map(|session| session.expires_at);
        Ok(rules::after_never_received(due, expires_at, terms, self.clock.now(), age))
    }

    /// Sends an order with the same reference again, if the permit of its lease is valid and
    /// nothing has happened since the lease was taken.
    #[instrument(
        name = "send_order_again",
        skip_all,
        fields(tua.transaction.id = %due.transaction.order.id)
    )]
    async fn send_again(&self, due: &DueTransaction, permit: &SendPermit) {
        let transaction = &due.transaction;
        let permit = permit.at_most(OPERATOR_TIMEOUT.unsigned_abs());
        let id = &transaction.order.id;
        match self.hand_overs.permit_repeated_send(due, self.clock.now() + permit.remaining()).await
        {
            Ok(Some(deadline)) => {
                warn!(transaction = %id, "the operator never received the order; sending it again");
                let _ =
                    self.known_orders.sent_for(transaction, Some(deadline), self.clock.uptime());
                let response = self.try_send(transaction, &permit, Self::count_repeated_send).await;
                drop(self.record_send(transaction, response, None).await);
            }
            Ok(None) => {}
            Err(error) => {
                error!(transaction = %id, %error, "an order could not be sent again; the worker \
                    asks later")
            }
        }
    }

    /// Sends an order, and counts what the operator responds.
    async fn try_send(
        &self,
        transaction: &Transaction,
        permit: &SendPermit,
        count: fn(&Self, &Transaction, &SendResponse),
    ) -> SendResponse {
        let id = &transaction.order.id;
        let Some(operator) = self.operator_of(transaction) else {
            warn!(transaction = %id, "the settings no longer have the operator of this \
                payment");
            return SendResponse::NotSent;
        };
        let outgoing = match self.outgoing(transaction).await {
            Ok(outgoing) => outgoing,
            Err(error) => {
                error!(transaction = %id, %error, "an order could not be prepared");
                return SendResponse::NotSent;
            }
        };
        if !permit.is_valid() {
            return SendResponse::NotSent;
        }
        let ambiguous = Observation::Ambiguous.into();
        let call = async {
            match &outgoing {
                OutgoingOrder::Order(order) => operator.send(order, permit).await,
                OutgoingOrder::Refund(refund) => operator.refund(refund, permit).await,
            }
        };
        let response = self.call_within(permit.remaining(), transaction, call, ambiguous).await;
        count(self, transaction, &response);
        response
    }

    /// Clears the mark of an order of which no byte was written. It is sent later, unless it was
    /// sent before.
    async fn withdraw(&self, transaction: &Transaction) {
        let id = &transaction.order.id;
        let now = self.clock.now();
        let waited = now.duration_since(transaction.created_at);
        let send_at = now + (waited / 2).clamp(MIN_RETRY, MAX_RETRY);
        match self.hand_overs.withdraw_hand_over(transaction, send_at, now).await {
            Ok(true) => {
                info!(transaction = %id, %send_at, "no byte of the order was written; it is sent \
                    later")
            }
            Ok(false) => {}
            Err(error) => {
                error!(transaction = %id, %error, "the mark of an unsent order remains; the worker \
                    asks later")
            }
        }
    }

    /// Whether the operator of an order that waits takes it now.
    pub(super) fn route(&self, transaction: &Transaction) -> Route {
        let order = &transaction.order;
        if self.operators.takes_order(transaction.operator.as_ref(), order) {
            Route::Open
        } else {
            Route::Unavailable
        }
    }

    async fn outgoing(&self, transaction: &Transaction) -> Result<OutgoingOrder, StoreError> {
        let new = &transaction.order;
        if let Some(refund) = self.native_refund_order(transaction).await? {
            return Ok(OutgoingOrder::Refund(refund));
        }
        let account = self.accounts.account(&new.scope.account).await?;
        Ok(OutgoingOrder::Order(Order {
            reference: new.id.operator_reference(),
            transfer: new.requested_transfer(),
            merchant: account.map(|account| account.name).unwrap_or_default(),
            // The reason of a refund is the merchant's own.
            message: new.details.payer_message.clone().filter(|_| new.refund.is_none()),
            email: new.details.email.clone(),
        }))
    }
}
