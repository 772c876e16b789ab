use super::*;
use crate::{
    AccountId, Kind, Mode, Scope, TransactionId,
    payout_route::PayoutRoute,
    pinned_operator::OperatorFingerprint,
    tariff::Price,
    transfer::{Details, Transfer},
};
use proptest::prelude::*;
use tua_contract::{FailureCode, Network, Phone, Step};

pub(crate) fn new_order() -> TransactionOrder {
    TransactionOrder {
        id: TransactionId::mint(),
        scope: Scope { account: AccountId::mint(), mode: Mode::Test },
        reference: "order-1".to_owned(),
        checkout: None,
        transfer: Transfer {
            kind: Kind::Charge,
            amount: Amount::from_pesewas(1050).unwrap(),
            network: Network::Telecel,
            phone: Phone::parse("0201234567").unwrap(),
        },
        price: Price::without_tariff(Amount::from_pesewas(1050).unwrap()),
        details: Details::default(),
        link: None,
        refund: None,
        key: None,
        batch: None,
        needs_approval: false,
    }
}

fn order_as(kind: Kind) -> TransactionOrder {
    let order = new_order();
    TransactionOrder { transfer: Transfer { kind, ..order.transfer }, ..order }
}

pub(crate) fn observations() -> impl Strategy<Value = Observation> {
    prop_oneof![
        prop::sample::select(&Step::ALL[..]).prop_map(Observation::Awaits),
        prop::sample::select(&FailureCode::ALL[..]).prop_map(Observation::Failed),
        Just(Observation::StillPending),
        Just(Observation::Ambiguous),
        Just(Observation::Succeeded),
        Just(Observation::Mismatched),
        Just(Observation::Reversed),
        Just(Observation::Disputed),
    ]
}

proptest! {
    #[test]
    fn events_rebuild_the_transaction(
        kind in prop::sample::select(Kind::ALL),
        words in prop::collection::vec((observations(), any::<bool>()), 0..20),
    ) {
        let now = Timestamp::UNIX_EPOCH;
        let mut transaction = Transaction::begin(order_as(kind), true, None, now);
        let new = transaction.order.clone();
        let mut events = vec![(now, Event::Begun { new, is_handed_over: true, operator: None })];
        for (observation, timely) in words {
            let asked_of = if timely { transaction.version } else { 0 };
            if let Some(event) = transaction.weigh(&observation.into(), asked_of) {
                transaction.apply_event(&event, now);
                events.push((now, event));
            }
        }
        prop_assert_eq!(Transaction::replay(events), Some(transaction));
    }
}

#[test]
fn a_word_that_was_overtaken_does_not_ask_for_a_second_voucher() {
    let mut transaction = Transaction::begin(new_order(), true, None, Timestamp::UNIX_EPOCH);
    let asks_voucher = Observation::Awaits(Step::EnterVoucher);
    transaction
        .apply_event(&transaction.weigh(&asks_voucher.into(), 1).unwrap(), Timestamp::UNIX_EPOCH);
    let asked_of = transaction.version;
    transaction.apply_event(&Event::CodeAttempted, Timestamp::UNIX_EPOCH);
    transaction.apply_event(&Event::moved(State::Pending(Step::Wait)), Timestamp::UNIX_EPOCH);
    assert_eq!(transaction.weigh(&asks_voucher.into(), asked_of), None);
    assert_eq!(
        transaction.weigh(&Observation::Succeeded.into(), asked_of),
        Some(Event::moved(State::Successful))
    );
}

#[test]
fn a_contradiction_is_recorded_once_and_moves_nothing() {
    let mut transaction = Transaction::begin(new_order(), true, None, Timestamp::UNIX_EPOCH);
    transaction.apply_event(
        &Event::moved(State::Failed(FailureCode::CustomerRejected)),
        Timestamp::UNIX_EPOCH,
    );
    let event = transaction.weigh(&Observation::Succeeded.into(), 1).unwrap();
    assert_eq!(event, Event::Contradicted(Status::Successful, None, OperatorDetails::NONE));
    transaction.apply_event(&event, Timestamp::UNIX_EPOCH);
    assert_eq!(transaction.weigh(&Observation::Succeeded.into(), 1), None);
    assert_eq!(transaction.state.status(), Status::Failed);
    assert!(transaction.is_paid());
}

#[test]
fn only_the_first_approval_chooses_the_operator() {
    let route = |name: &str, fee, network| PayoutRoute {
        operator: Some(PinnedOperator {
            name: name.parse().unwrap(),
            fingerprint: OperatorFingerprint::of(&[name]),
        }),
        fee_pesewas: Some(fee),
        refund_method: None,
        moved_to: Some(network),
    };
    let approved =
        |route| Event::Approved { by: "Esi".parse().unwrap(), route, is_key_revoked: false };
    for (needs_approval, chosen, network) in
        [(true, Some(("one", 7)), Network::Mtn), (false, None, Network::Telecel)]
    {
        let order = TransactionOrder { needs_approval, ..order_as(Kind::Payout) };
        let mut transaction = Transaction::begin(order, false, None, Timestamp::UNIX_EPOCH);
        for event in [
            approved(route("one", 7, Network::Mtn)),
            approved(route("two", 8, Network::AirtelTigo)),
        ] {
            transaction.apply_event(&event, Timestamp::UNIX_EPOCH);
        }
        let fee = transaction.order.price.fee_pesewas;
        let found = transaction.operator.as_ref().map(|pin| pin.name.as_str()).zip(fee);
        assert_eq!(found, chosen, "one that needed no approval was routed when it began");
        assert_eq!(transaction.order.transfer.network, network);
    }
}

#[test]
fn a_payout_sent_back_stays_successful_and_a_charge_taken_back_is_a_conflict() {
    for (kind, expected) in [
        (Kind::Payout, Event::Reversed(OperatorDetails::NONE)),
        (Kind::Charge, Event::Contradicted(Status::Failed, None, OperatorDetails::NONE)),
    ] {
        let mut transaction = Transaction::begin(order_as(kind), true, None, Timestamp::UNIX_EPOCH);
        transaction.apply_event(&Event::moved(State::Successful), Timestamp::UNIX_EPOCH);
        let event = transaction.weigh(&Observation::Reversed.into(), 1).unwrap();
        assert_eq!(event, expected);
        transaction.apply_event(&event, Timestamp::UNIX_EPOCH);
        assert_eq!(transaction.weigh(&Observation::Reversed.into(), 1), None);
        assert_eq!(transaction.state, State::Successful);
    }
}
