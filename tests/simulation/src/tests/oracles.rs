//! Oracles find what they are for.

use crate::{
    books::Decision,
    shop::{Known, Purchase},
    world::{Story, World},
};
use std::time::Duration;
use tua_contract::{Amount, Network, Phone, Status};
use tua_domain::{Kind, TransactionId, Transfer};

fn world_with_order(network: Network) -> World {
    let world = World::new(0, Duration::ZERO, Story::Untold);
    let phone = Phone::parse("0241234567").unwrap();
    let amount = Amount::from_pesewas(100).unwrap();
    let transfer = Transfer { kind: Kind::Charge, amount, network, phone };
    world.arrive(1, Duration::ZERO, "reference", &transfer);
    world
}

#[test]
fn an_order_that_is_executed_twice_is_a_violation() {
    let world = world_with_order(Network::Telecel);
    world.decide("reference", Decision::Execute);
    assert_eq!(world.lock().violations, [] as [String; 0]);
    world.decide("reference", Decision::Execute);
    assert_eq!(world.lock().violations, ["order 1 was executed 2 times"]);
}

#[test]
fn an_order_that_is_sent_again_after_it_was_acknowledged_is_a_violation() {
    let world = world_with_order(Network::Mtn);
    let transfer = {
        let state = world.lock();
        let order = state.books.get("reference").unwrap();
        let phone = Phone::parse("0241234567").unwrap();
        Transfer { kind: order.kind, amount: order.amount, network: order.network, phone }
    };
    let later = Duration::from_secs(1);
    world.arrive(2, later, "reference", &transfer);
    assert_eq!(world.lock().violations, [] as [String; 0], "it was not acknowledged");
    world.lock().books.get_mut("reference").unwrap().acknowledged_at = Some(Duration::ZERO);
    world.arrive(3, later, "reference", &transfer);
    assert_eq!(world.lock().violations, ["order 1 was sent again after it was acknowledged"]);
}

#[test]
fn the_refunds_of_a_charge_are_those_that_the_shop_requests() {
    let world = World::new(0, Duration::ZERO, Story::Untold);
    let charge = TransactionId::new("txn_1");
    let purchase = |pesewas, refund_of, known| {
        let amount = Amount::from_pesewas(pesewas).unwrap();
        let new = Purchase::new("key".to_owned(), Kind::Charge, Network::Mtn, amount);
        Purchase { refund_of, known, ..new }
    };
    let known = Known { id: charge.clone(), version: 1, status: Status::Successful };
    let mut state = world.lock();
    state.shop.purchases.push(purchase(500, None, Some(known)));
    state.shop.purchases.push(purchase(200, Some(0), None));
    state.shop.purchases.push(purchase(300, None, None));
    let refunds = state.shop.refunds_of(&charge);
    assert_eq!(refunds, [Amount::from_pesewas(200).unwrap()]);
    assert_eq!(state.shop.refunds_of(&TransactionId::new("txn_2")), []);
}
