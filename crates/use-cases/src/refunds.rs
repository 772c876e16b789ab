//! Refunds: begins them, and decides how and through whom the money of a charge returns
//! (docs/reference/refunds.md).

use super::{
    idempotency::IdempotentResult,
    operator_gateway::{OPERATOR_TIMEOUT, OperatorGateway, sent_order},
    payments::{Beginning, Payments},
    reading,
    refund_lists::refunds_of,
    requester::{CommandLineRequester, Requester},
    transactions::{TransactionResource, find_visible},
};
use futures_util::FutureExt;
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::{field::Empty, instrument, warn};
use tua_contract::{Amount, lifecycle::Observation};
use tua_domain::{
    Caller, Details, Kind, Transaction, TransactionId, TransactionOrder, Transfer,
    idempotency::{Attempt, IdempotencyKey, Operation},
    payout_route::PayoutRoute,
    ports::{
        AuditLog, BeginError, RefundOrder, Report, Reports, Route, StatusResponse, StoreError,
        Transactions,
    },
    refund::{self, NotRefundable, RefundMethod, RefundOf, RefundRefused},
    routing::RouteError,
    tariff::Price,
    transaction::Sending,
};

/// When the worker looks at a refund that this process has not handed over, because it crashed.
/// Before that, this process may still wait for the status of the charge.
const HAND_OVER_RETRY: SignedDuration = SignedDuration::from_secs(OPERATOR_TIMEOUT.as_secs() + 10);

impl Requester {
    /// The charge with this id, if the requester may see it.
    async fn charge(
        &self,
        transactions: &dyn Transactions,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        match self {
            Self::Key(key) => {
                find_visible(
                    transactions,
                    &Caller::Key(key.clone()),
                    TransactionResource::Payment,
                    id,
                )
                .await
            }
            Self::Person(scope, _) | Self::CommandLine(CommandLineRequester { scope, .. }) => {
                let found = transactions.transaction(id).await?;
                Ok(found.filter(|one| one.order.scope == *scope && one.order.refund.is_none()))
            }
        }
    }
}

/// A parsed request for a refund.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    /// The charge to refund. It may not exist, or not be visible to the requester.
    pub charge: TransactionId,
    /// How much; all that is left where it is absent.
    pub amount: Option<Amount>,
    /// Why, for the merchant's own books.
    pub reason: Option<String>,
    /// Whether the caller asks for a payout, because a refund by the operator failed.
    pub is_by_payout: bool,
}

/// Begins refunds, by the charge's operator or by a payout to the payer.
#[derive(Clone, Debug)]
pub struct Refunds {
    /// Begins what was decided.
    pub payments: Arc<Payments>,
    /// Reads the charge that is refunded.
    pub transactions: Arc<dyn Transactions>,
    /// Lists the refunds of a charge.
    pub reports: Arc<dyn Reports>,
    /// Records what a person asks for before any money leaves.
    pub audit_log: Arc<dyn AuditLog>,
}

impl Refunds {
    /// Begins a refund, once for each key, and waits up to 2 s for the operator's first response.
    /// One of the command line is sent by the running service.
    ///
    /// # Errors
    /// [`BeginError`]. Then nothing was begun, unless the store is
    /// [uncertain](tua_domain::ports::StoreError::Uncertain).
    #[instrument(name = "begin_refund", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn begin(
        &self,
        requester: Requester,
        request: RefundRequest,
        idempotency_key: IdempotencyKey,
    ) -> Result<IdempotentResult<Transaction>, BeginError> {
        let amount = request.amount.map(|amount| amount.to_string());
        let fields = [
            Some(request.charge.as_str()),
            amount.as_deref(),
            request.reason.as_deref(),
            request.is_by_payout.then_some("payout"),
        ];
        let idempotency = &self.payments.idempotency;
        let attempt = idempotency.attempt(
            &requester.holder(),
            Operation::Refund,
            Some(idempotency_key),
            &fields,
        );
        // What a person asks for is recorded before the store could refuse a repetition.
        let is_recorded_first = requester.person().is_some();
        let work = self.clone().begin_once(requester, request, attempt.clone()).boxed();
        let repeated = attempt.clone();
        let replay = |record| self.payments.replay(repeated, record);
        if is_recorded_first {
            idempotency.run(attempt, work, replay).await
        } else {
            idempotency.try_first(attempt, work, replay).await
        }
    }

    async fn begin_once(
        self,
        requester: Requester,
        request: RefundRequest,
        attempt: Option<Attempt>,
    ) -> Result<Transaction, BeginError> {
        let gateway = &self.payments.gateway;
        let now = gateway.clock.now();
        let charge = requester.charge(self.transactions.as_ref(), &request.charge).await?;
        let charge = charge.ok_or(BeginError::ChargeNotFound)?;
        let amount = refund::amount(&charge, request.amount)?;
        let serving = gateway.operators.serving(charge.order.scope.mode, charge.operator.as_ref());
        let capabilities = serving.map(|operator| operator.capabilities());
        let method = match (&capabilities, request.is_by_payout) {
            (_, true) => self.payout_after_failure(&charge).await?,
            (Some(capabilities), false) => {
                refund::method(capabilities.refunds, &charge, amount, now)
            }
            // The settings no longer have the operator of the charge, so it is not known what it
            // can do.
            (None, false) => return Err(RouteError::NetworkUnavailable.into()),
        };
        let new = new_refund(&charge, amount, method, request.reason, &requester);
        let new = match method {
            // The operator that has the charge knows it by the network of the charge.
            RefundMethod::Native => new,
            RefundMethod::Payout => gateway.operators.on_its_network(new),
        };
        let PayoutRoute { operator, .. } =
            PayoutRoute::of_refund(&gateway.operators, &new, &charge, method, now)?;
        let is_one_at_a_time =
            capabilities.is_some_and(|capabilities| capabilities.has_one_refund_at_a_time);
        let is_sent_here = !matches!(requester, Requester::CommandLine(_));
        let sending = match (method, is_one_at_a_time) {
            _ if !is_sent_here => Sending::Later { send_at: now, operator },
            (RefundMethod::Native, false) => Sending::AtOnce {
                first_query_at: self.payments.schedule.first_query_at(&new.scope, now),
                operator,
            },
            _ => Sending::Later { send_at: now + HAND_OVER_RETRY, operator },
        };
        // First, so that no money leaves without a name; a refund that is refused then shows as
        // asked for.
        if let Some(by) = requester.person() {
            self.audit_log.append_request(&new, by).await?;
        }
        let beginning = Beginning { new: new.into(), sending, prompts: Vec::new(), attempt };
        if is_sent_here {
            self.payments.clone().commit_and_send(beginning).await
        } else {
            self.payments.commit_unsent(beginning).await
        }
    }

    /// # Errors
    /// [`NotRefundable::NoFailedRefund`], and those of the store.
    async fn payout_after_failure(&self, charge: &Transaction) -> Result<RefundMethod, BeginError> {
        let refunds = refunds_of(self.reports.as_ref(), charge).await?;
        if refunds.iter().any(refund::is_failed_by_operator) {
            Ok(RefundMethod::Payout)
        } else {
            Err(RefundRefused::from(NotRefundable::NoFailedRefund).into())
        }
    }
}

fn new_refund(
    charge: &Transaction,
    amount: Amount,
    method: RefundMethod,
    reason: Option<String>,
    requester: &Requester,
) -> TransactionOrder {
    let order = &charge.order;
    TransactionOrder {
        id: TransactionId::mint(),
        scope: order.scope.clone(),
        reference: order.reference.clone(),
        checkout: None,
        transfer: Transfer { kind: Kind::Payout, amount, ..order.transfer.clone() },
        price: Price::without_tariff(amount),
        // As in a payout, this text is the merchant's own. The address is kept so that an erasure
        // finds the refund too.
        details: Details {
            email: order.details.email.clone(),
            language: order.details.language.clone(),
            payer_message: reason,
            ..Details::default()
        },
        link: None,
        refund: Some(RefundOf { charge: order.id.clone(), method }),
        key: requester.key().cloned(),
        batch: None,
        needs_approval: false,
    }
}

impl OperatorGateway {
    /// Whether the operator of a refund takes it now. Before a refund by payout, the operator of
    /// the charge is asked whether the money has returned already.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn route_refund(
        &self,
        refund: &Transaction,
        of: &RefundOf,
    ) -> Result<Route, StoreError> {
        let mut charge = reading::existing(self.transactions.as_ref(), &of.charge).await?;
        let mut is_refundable = refund::left(&charge).is_ok();
        if of.method == RefundMethod::Payout && is_refundable {
            match self.query_status(&charge).await {
                StatusResponse::Unanswered
                | StatusResponse::Known(Report {
                    observation:
                        Observation::Awaits(_) | Observation::StillPending | Observation::Ambiguous,
                    ..
                }) => return Ok(Route::Unavailable),
                StatusResponse::NeverReceived => is_refundable = false,
                // What contradicts the charge is recorded about the charge, too.
                StatusResponse::Known(report) => {
                    let has_succeeded = report.observation == Observation::Succeeded;
                    charge =
                        self.record(&charge, report.compare(charge.order.price.payer_pays)).await?;
                    is_refundable = has_succeeded && refund::left(&charge).is_ok();
                }
            }
        }
        if !is_refundable {
            warn!(refund = %refund.order.id, charge = %of.charge,
                "the money of the charge has returned, or is disputed: the refund is not sent, and \
                 flagged for review");
            return Ok(Route::Blocked);
        }
        if self.route(refund) == Route::Unavailable {
            return Ok(Route::Unavailable);
        }
        let serving = self.operators.serving(charge.order.scope.mode, charge.operator.as_ref());
        let is_one_at_a_time = of.method == RefundMethod::Native
            && serving.is_some_and(|operator| operator.capabilities().has_one_refund_at_a_time);
        Ok(if is_one_at_a_time { Route::OneAtATime } else { Route::Open })
    }

    /// The order for a refund that the operator makes itself; `None` for every other transaction.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn native_refund_order(
        &self,
        transaction: &Transaction,
    ) -> Result<Option<RefundOrder>, StoreError> {
        let order = &transaction.order;
        let Some(charge) = order.native_refund_of() else { return Ok(None) };
        let charge = reading::existing(self.transactions.as_ref(), charge).await?;
        Ok(Some(RefundOrder {
            reference: order.id.operator_reference(),
            charge: sent_order(&charge),
            amount: order.transfer.amount,
        }))
    }
}
