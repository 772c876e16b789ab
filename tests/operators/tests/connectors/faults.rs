//! Faults of responses, and what must hold with every operator: a send with a fault is ambiguous
//! and never fails, and asking finds what became of it.

use super::rig::{Rig, amount, sent};
use std::time::Duration;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    TransactionId,
    ports::{
        FailureScope, Operator, Order, RefundOrder, Report, SendResponse, SentOrder, StatusResponse,
    },
};
use tua_emulator::{Call, Fault, Operator as Emulated};

/// After this time an order of the usual number is final.
pub const SOON: Duration = Duration::from_secs(3);

/// Faults that every operator's response can have, and whether the request has its effect.
pub const FAULTS: [(Fault, bool); 10] = [
    (Fault::ErrorBefore, false),
    (Fault::ErrorAfter, true),
    (Fault::Unavailable, false),
    (Fault::CloseBefore, false),
    (Fault::CloseAfter, true),
    (Fault::CloseInBody, true),
    (Fault::Html, true),
    (Fault::HalfJson, true),
    (Fault::UnknownStatus, true),
    (Fault::TooManyRequests, false),
];

/// What a send reports whose response has this fault. A server that refuses its caller refuses
/// every order.
pub fn ambiguous_after(fault: Fault) -> SendResponse {
    let report = Report::new(Observation::Ambiguous);
    let is_refused = fault == Fault::OffList;
    if is_refused { report.with_failure_scope(FailureScope::Network) } else { report }.into()
}

/// What an operator reports of an order; `None` where it never received it.
pub async fn observation(operator: &dyn Operator, order: &Order) -> Option<Observation> {
    match operator.query_status(&sent(order)).await {
        StatusResponse::Known(report) => Some(report.compare(order.transfer.amount).observation),
        StatusResponse::NeverReceived => None,
        StatusResponse::Unanswered => panic!("unanswered"),
    }
}

/// Sends the order, under a new reference each time, with each fault.
pub async fn assert_sends_are_ambiguous_and_found(
    rig: &Rig,
    operator: &dyn Operator,
    (emulated, call): (Emulated, Call),
    order: &Order,
    faults: impl IntoIterator<Item = (Fault, bool)>,
) {
    for (fault, has_effect) in faults {
        let order =
            Order { reference: TransactionId::mint().operator_reference(), ..order.clone() };
        rig.emulator.chaos().set_once(emulated, call, fault);
        let response = operator.send(&order, &rig.permit()).await;
        assert_eq!(response, ambiguous_after(fault), "{call:?} {fault:?}");
        rig.emulator.chaos().clear();
        rig.advance(SOON);
        let expected = has_effect.then_some(Observation::Succeeded);
        assert_eq!(observation(operator, &order).await, expected, "{call:?} {fault:?}");
    }
}

/// Refunds a part of the charge with this fault. Sent again, the refund is a duplicate where the
/// first one had its effect.
pub async fn assert_refund_is_ambiguous_and_not_repeated(
    rig: &Rig,
    operator: &dyn Operator,
    emulated: Emulated,
    (charge, pesewas): (SentOrder, i64),
    (fault, has_effect): (Fault, bool),
) {
    let refund = RefundOrder {
        reference: TransactionId::mint().operator_reference(),
        charge,
        amount: amount(pesewas),
    };
    rig.emulator.chaos().set_once(emulated, Call::Refund, fault);
    assert_eq!(
        operator.refund(&refund, &rig.permit()).await,
        Observation::Ambiguous.into(),
        "{fault:?}"
    );
    rig.emulator.chaos().clear();
    rig.advance(SOON);
    let again = operator.refund(&refund, &rig.permit()).await;
    assert_eq!(again == SendResponse::Duplicate, has_effect, "{fault:?}");
    rig.advance(SOON);
    let StatusResponse::Known(report) = operator.query_refund_status(&refund).await else {
        panic!("{fault:?}")
    };
    assert_eq!(report.compare(refund.amount).observation, Observation::Succeeded, "{fault:?}");
}
