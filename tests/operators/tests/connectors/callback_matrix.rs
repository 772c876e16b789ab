//! Every fault of the callbacks of every connector.

use super::{
    documented::Is,
    faults::SOON,
    matrix::{Cell, Connected},
    rig::amount,
};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Kind, TransactionId,
    ports::{CallbackRefusal, CallbackSubject, Order},
};
use tua_emulator::{Call, Fault, Operator as Emulated};

#[tokio::test]
async fn callbacks() {
    for mut connected in Connected::all().await {
        // The operator calls us, so the cells about its responses do not occur. A lost callback is
        // its time-out.
        for cell in [
            Cell::Html,
            Cell::HalfJson,
            Cell::WrongAmount,
            Cell::WrongReference,
            Cell::UnknownStatus,
            Cell::Twice,
        ] {
            let place = format!("{} {cell:?}", connected.emulated);
            let fault = cell.fault().unwrap_or(Fault::Doubled);
            let order = connected.order(Kind::Payout, "0241230006");
            connected.send(&order, cell).await;
            connected.rig.emulator.chaos().set_once(connected.emulated, Call::Callback, fault);
            connected.rig.advance(SOON);
            for _ in 0..if cell == Cell::Twice { 2 } else { 1 } {
                let request = connected.callbacks.next().await;
                let read = connected
                    .operator
                    .verify_callback(&request)
                    .await
                    .map(|verified| verified.into_subject());
                assert_callback(&connected, &order, cell, read, &place);
            }
        }
        let before = connected.rig.emulator.requests().of_call(connected.emulated, Call::Callback);
        connected.rig.emulator.chaos().set_once(connected.emulated, Call::Callback, Fault::Lost);
        let order = connected.order(Kind::Payout, "0241230006");
        connected.send(&order, Cell::Twice).await;
        connected.rig.advance(SOON);
        let sent = connected.rig.emulator.requests().of_call(connected.emulated, Call::Callback);
        assert_eq!(sent, before, "{}: the callback is lost", connected.emulated);
        assert!(matches!(connected.ask(&order, Cell::Twice).await, Is(Observation::Failed(_))));
    }
}

/// A callback names an order and claims a failure at most; the amount of a claim is compared later.
fn assert_callback(
    connected: &Connected,
    order: &Order,
    cell: Cell,
    read: Result<CallbackSubject, CallbackRefusal>,
    place: &str,
) {
    let (reference, claim) = match read {
        Ok(CallbackSubject::Order { reference, claim }) => (reference, claim),
        other => {
            let is_unreadable = matches!(cell, Cell::Html | Cell::HalfJson);
            // Paystack sends its question about a transfer to the same address, and a 200 would
            // approve it.
            let refusal = if connected.is(Emulated::PAYSTACK) {
                CallbackRefusal::UnclearQuestion
            } else {
                CallbackRefusal::Unreadable
            };
            assert_eq!((other, is_unreadable), (Err(refusal), true), "{place}");
            return;
        }
    };
    let is_other = cell == Cell::WrongReference;
    assert_eq!(reference != order.reference, is_other, "{place}");
    assert!(is_other || TransactionId::of_operator_reference(&reference).is_some(), "{place}");
    // Only Hubtel's status lacks the reason.
    let is_claimed = connected.is(Emulated::HUBTEL) && cell != Cell::UnknownStatus;
    assert_eq!(claim.is_some(), is_claimed, "{place}");
    if let Some(claim) = claim {
        let claimed = if cell == Cell::WrongAmount { amount(1350) } else { amount(1250) };
        assert_eq!((claim.amount, claim.is_decisive), (claimed, false), "{place}");
    }
}
