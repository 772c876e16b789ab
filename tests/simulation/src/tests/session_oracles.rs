//! What must hold of the charges of one session or link.

use crate::{
    books::{BookedOrder, Standing},
    clock::START,
    sends::{SendLog, SendRecord},
    session_oracles::{SessionOrder, check},
    world::{Story, World},
};
use jiff::SignedDuration;
use std::time::Duration;
use tua_contract::{Amount, Network, Phone, Status};
use tua_domain::{
    Account, Checkout, CheckoutId, Details, Event, Kind, LinkId, Mode, Scope, Transaction,
    TransactionId, TransactionOrder, Transfer,
    checkout::{CheckoutTerms, LIFETIME},
    tariff::Price,
    transfer::OperatorDetails,
};

fn checkout(link: &LinkId) -> Checkout {
    let account = Account::new("Adom Stores".to_owned(), START);
    Checkout {
        id: CheckoutId::mint(),
        scope: Scope { account: account.id, mode: Mode::Live },
        merchant: account.name,
        branding: account.branding,
        seed: [0; 16],
        reference: "reference".to_owned(),
        terms: CheckoutTerms {
            amount: Amount::from_pesewas(100).unwrap(),
            email: None,
            metadata: None,
            answer: None,
            return_url: None,
        },
        created_at: START,
        expires_at: START + LIFETIME,
        closed_at: None,
        created_by: None,
        link: Some(link.clone()),
        sandbox_ahead: SignedDuration::ZERO,
    }
}

/// An order that arrives after so many seconds, and is refused after so many.
fn order(
    number: usize,
    checkout: &Checkout,
    arrived_s: u64,
    refused_s: Option<u64>,
) -> SessionOrder {
    let transfer = Transfer {
        kind: Kind::Charge,
        amount: checkout.terms.amount,
        network: Network::Mtn,
        phone: Phone::parse("0241234567").unwrap(),
    };
    let arrived_at = Duration::from_secs(arrived_s);
    let new = TransactionOrder {
        id: TransactionId::mint(),
        scope: checkout.scope.clone(),
        reference: checkout.reference.clone(),
        checkout: Some(checkout.id.clone()),
        price: Price::without_tariff(transfer.amount),
        transfer,
        details: Details::default(),
        link: checkout.link.clone(),
        refund: None,
        key: None,
        batch: None,
        needs_approval: false,
    };
    let began_at = START + SignedDuration::try_from(arrived_at).unwrap();
    SessionOrder {
        order: BookedOrder {
            number,
            network: Network::Mtn,
            kind: Kind::Charge,
            amount: checkout.terms.amount,
            standing: Standing::Waiting,
            was_refused: refused_s.is_some(),
            executions: 0,
            arrived_at,
            refused_at: refused_s.map(Duration::from_secs),
            acknowledged_at: None,
            hidden_until: Duration::ZERO,
            forgotten: Duration::ZERO..Duration::ZERO,
        },
        sends: None,
        transaction: Transaction::begin(new, true, None, began_at),
        checkout: checkout.clone(),
    }
}

fn violations(orders: &[SessionOrder]) -> Vec<String> {
    let world = World::new(0, Duration::ZERO, Story::Untold);
    check(&world, orders);
    let state = world.lock();
    state.violations.clone()
}

#[test]
fn a_second_charge_is_a_violation_until_the_first_was_refused() {
    let link = LinkId::mint();
    let one = checkout(&link);
    let refused = [order(1, &one, 0, Some(9)), order(2, &one, 10, None)];
    assert_eq!(violations(&refused), [] as [String; 0]);
    let pending = [order(1, &one, 0, Some(11)), order(2, &one, 10, None)];
    assert_eq!(violations(&pending).len(), 2, "of the session, and of its link");
    let other = checkout(&link);
    let of_two_sessions = [order(1, &one, 0, None), order(2, &other, 10, None)];
    assert_eq!(
        violations(&of_two_sessions),
        ["a link for one payment has order 2 although order 1 was not refused"]
    );
}

#[test]
fn a_charge_after_one_that_was_paid_after_all_is_a_violation() {
    let one = checkout(&LinkId::mint());
    let mut paid = order(1, &one, 0, Some(5));
    let contradicted = Event::Contradicted(Status::Successful, None, OperatorDetails::NONE);
    let seen_at = START + SignedDuration::from_secs(20);
    paid.transaction.apply_event(&contradicted, seen_at);
    assert_eq!(violations(&[paid.clone(), order(2, &one, 10, None)]), [] as [String; 0]);
    assert_eq!(violations(&[paid, order(2, &one, 30, None)]).len(), 2);
}

#[test]
fn an_order_that_is_sent_after_its_session_is_a_violation() {
    let one = checkout(&LinkId::mint());
    let sent = |seconds_after: u64| {
        let mut log = SendLog::default();
        let written_at = Duration::from_secs(30 * 60 + seconds_after);
        let send = SendRecord { written_at, deadline: written_at, set_back: Duration::ZERO };
        log.record("one", send).unwrap();
        violations(&[SessionOrder { sends: log.get("one"), ..order(1, &one, 0, None) }])
    };
    assert_eq!(sent(60), [] as [String; 0]);
    assert_eq!(sent(61), ["order 1 was sent after its session"]);
}

#[test]
fn a_sixth_charge_of_a_session_is_a_violation() {
    let one = checkout(&LinkId::mint());
    let orders: Vec<SessionOrder> = (0..6)
        .map(|number| order(number, &one, number as u64 * 10, Some(number as u64 * 10 + 5)))
        .collect();
    assert_eq!(violations(&orders[..5]), [] as [String; 0]);
    assert_eq!(violations(&orders), ["a session has 6 charges"]);
}
