//! Chooses who sends a payout or refund: when it begins or, where it waits for a person, when it is
//! approved (docs/reference/operators.md#routing).

use super::{
    Mode, Transaction, TransactionOrder,
    calendar::day_of,
    payout_route::PayoutRoute,
    refund,
    refund_values::{RefundMethod, RefundSums},
    route_error::RouteError,
    routing::{ChosenRoute, Operators, RouteRequest},
};
use jiff::Timestamp;
use tua_contract::Network;

impl PayoutRoute {
    /// Chooses for a payout that is no refund.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn of_payout(
        operators: &Operators,
        payout: &TransactionOrder,
        now: Timestamp,
    ) -> Result<Self, RouteError> {
        let ChosenRoute { operator, price, .. } =
            operators.choose(RouteRequest::for_order(payout, day_of(now)))?;
        let moved_to = moved_to(operators, payout);
        Ok(Self { operator, fee_pesewas: price.fee_pesewas, refund_method: None, moved_to })
    }

    /// Chooses for a payout or refund that waits. One that is held by a suspension of its account
    /// is approved although it needed no approval, or for the second time: it keeps what was chosen
    /// first. `charge` is the charge of a refund.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn of_waiting(
        operators: &Operators,
        waiting: &Transaction,
        charge: Option<&Transaction>,
        now: Timestamp,
    ) -> Result<Self, RouteError> {
        let order = &waiting.order;
        if waiting.is_routed() {
            let kept = Self {
                operator: waiting.operator.clone(),
                fee_pesewas: order.price.fee_pesewas,
                refund_method: order.refund.as_ref().map(|of| of.method),
                moved_to: None,
            };
            let is_open = operators.takes_order(kept.operator.as_ref(), order);
            return is_open.then_some(kept).ok_or(RouteError::NetworkUnavailable);
        }
        match (charge, &order.refund) {
            (Some(charge), Some(of)) => {
                let method = refund_method_now(operators, waiting, charge, of.method, now)?;
                Self::of_refund(operators, order, charge, method, now)
            }
            _ => Self::of_payout(operators, order, now),
        }
    }

    /// Chooses for a refund: the operator of the charge, or the one that pays out.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn of_refund(
        operators: &Operators,
        refund: &TransactionOrder,
        charge: &Transaction,
        method: RefundMethod,
        now: Timestamp,
    ) -> Result<Self, RouteError> {
        let operator = match method {
            RefundMethod::Payout => {
                let preferred = charge.operator.as_ref();
                operators
                    .choose(RouteRequest {
                        preferred,
                        ..RouteRequest::for_order(refund, day_of(now))
                    })?
                    .operator
            }
            RefundMethod::Native => {
                let pin = charge.operator.as_ref();
                if !operators.takes_order(pin, refund) {
                    return Err(RouteError::NetworkUnavailable);
                }
                pin.cloned()
            }
        };
        // At the operator of the charge, the refund has the charge's network.
        let moved_to = moved_to(operators, refund).filter(|_| method == RefundMethod::Payout);
        // Refunds have no price: their charge had.
        Ok(Self { operator, fee_pesewas: None, refund_method: Some(method), moved_to })
    }

    /// What an approval of a payout or refund may have chosen, if it was lost with a newer
    /// database: the operator of the charge, if it refunds by itself, and every operator that pays
    /// out to the network. `charge` is the charge of a refund.
    #[must_use]
    pub fn possible(
        operators: &Operators,
        waiting: &TransactionOrder,
        charge: Option<&Transaction>,
        now: Timestamp,
    ) -> Vec<Self> {
        let method = |method| charge.map(|_| method);
        let native = charge.map(|charge| Self {
            operator: charge.operator.clone(),
            fee_pesewas: None,
            refund_method: method(RefundMethod::Native),
            moved_to: None,
        });
        let by_payout = |moved_to: Option<Network>| {
            let transfer = &waiting.transfer;
            let network = moved_to.unwrap_or(transfer.network);
            let mut pays_out = operators.of_account(waiting.scope.mode, &waiting.scope.account);
            pays_out.retain(|entry| {
                entry.operator.capabilities().amounts(network, transfer.kind).is_some()
            });
            let by_operator = pays_out.into_iter().map(move |entry| {
                let price =
                    entry.tariffs.price(transfer.kind, network, transfer.amount, day_of(now));
                Self {
                    operator: Some(entry.pin.clone()),
                    // Refunds have no price: their charge had.
                    fee_pesewas: price
                        .filter(|_| charge.is_none())
                        .and_then(|price| price.fee_pesewas),
                    refund_method: method(RefundMethod::Payout),
                    moved_to,
                }
            });
            let by_sandbox = (waiting.scope.mode == Mode::Test).then(|| Self {
                operator: None,
                fee_pesewas: None,
                refund_method: method(RefundMethod::Payout),
                moved_to,
            });
            by_operator.chain(by_sandbox)
        };
        // It may have been approved before its network moved, or afterwards.
        let moved = moved_to(operators, waiting).map(Some);
        native.into_iter().chain([None].into_iter().chain(moved).flat_map(by_payout)).collect()
    }
}

/// The network on which a payment is sent that has waited, where that is no longer its own.
fn moved_to(operators: &Operators, waiting: &TransactionOrder) -> Option<Network> {
    let own = waiting.transfer.network;
    Some(operators.sent_as(own)).filter(|network| *network != own)
}

/// How the money of a refund that has waited returns. One that was to be returned by the operator
/// itself may have waited for longer than the operator allows that.
///
/// # Errors
/// [`RouteError::NetworkUnavailable`] where the settings no longer have the operator of the charge,
/// so that it is not known what it can do.
fn refund_method_now(
    operators: &Operators,
    refund: &Transaction,
    charge: &Transaction,
    planned: RefundMethod,
    now: Timestamp,
) -> Result<RefundMethod, RouteError> {
    if planned == RefundMethod::Payout {
        return Ok(planned);
    }
    let serving = operators.serving(charge.order.scope.mode, charge.operator.as_ref());
    let capabilities = serving.ok_or(RouteError::NetworkUnavailable)?.capabilities();
    let others = charge.refunds - RefundSums::of(refund);
    let charge = Transaction { refunds: others, ..charge.clone() };
    Ok(refund::method(capabilities.refunds, &charge, refund.order.transfer.amount, now))
}
