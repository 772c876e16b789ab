//! What must hold at the end, by the books of the operators and not by the product's code.

use crate::{
    books::BookedOrder,
    ledger_oracle,
    outbox::{self, Events},
    session_oracles::{self, SessionOrder},
    world::World,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use tua_contract::{Amount, Status};
use tua_domain::{
    Kind, Transaction, TransactionId,
    ports::{Checkouts, Ledger, Outbox, Reviews, Transactions},
};
use tua_use_cases::verify_ledger;

/// How long after a charge without a session has begun its order may be sent first: 10 minutes
/// until it is handed over, 10 more where a crash came before the send
/// (docs/reference/lifecycle.md, Handing over and Sending again), and a lease.
const MAX_WAIT: Duration = Duration::from_secs(21 * 60);

/// Where it is read what the service has stored.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// What was posted about each transaction.
    pub ledger: &'a dyn Ledger,
    /// The transactions that wait for people.
    pub reviews: &'a dyn Reviews,
    /// The transactions with their events.
    pub transactions: &'a dyn Transactions,
    /// The sessions of charges.
    pub checkouts: &'a dyn Checkouts,
    /// The webhooks that are still to be sent.
    pub outbox: &'a dyn Outbox,
}

/// Compares what the service has stored with the books of the operators and of the shops.
pub async fn check(world: &World, stored: Stored<'_>) {
    match verify_ledger(stored.ledger).await {
        Ok(verified) if verified.listed.is_empty() => {}
        Ok(verified) => world.violated(format!("the ledger differs: {:?}", verified.listed)),
        Err(error) => world.violated(format!("the ledger could not be read: {error}")),
    }
    let flagged = match stored.reviews.flagged(None).await {
        Ok(flagged) => flagged.into_iter().map(|one| one.transaction.order.id.clone()).collect(),
        Err(error) => {
            world.violated(format!("the reviews could not be read: {error}"));
            BTreeSet::new()
        }
    };
    let waiting = outbox::waiting(world, stored.outbox).await.unwrap_or_else(|error| {
        world.violated(format!("the outbox could not be read: {error}"));
        BTreeMap::new()
    });
    ledger_oracle::check(world);
    check_purchases(world, stored.transactions, &flagged, &waiting).await;
    check_orders(world, stored, &flagged, &waiting).await;
}

/// Every payment that a shop was told about exists, and has ended or waits for people.
async fn check_purchases(
    world: &World,
    transactions: &dyn Transactions,
    flagged: &BTreeSet<TransactionId>,
    waiting: &Events,
) {
    let purchases = world.lock().shop.purchases.clone();
    for (number, purchase) in purchases.iter().enumerate() {
        let Some(known) = &purchase.known else { continue };
        let found = match transactions.transaction(&known.id).await {
            Ok(found) => found,
            Err(error) => return world.violated(format!("payments cannot be read: {error}")),
        };
        let Some(found) = found else {
            world.violated(format!("payment {number} was accepted, and is lost"));
            continue;
        };
        let read = world.lock().shop.read(number, &found, true);
        read.unwrap_or_else(|wrong| world.violated(wrong));
        if !found.state.is_final() && !flagged.contains(&known.id) {
            world.violated(format!(
                "payment {number} is pending and not flagged for review: {:?}",
                found.state
            ));
        }
        let reference = known.id.operator_reference();
        let order = world.lock().books.get(&reference).cloned();
        if order.is_none() {
            outbox::check(world, transactions, &known.id, waiting).await;
        }
        if found.state.status() == Status::Successful && order.is_none() {
            world.violated(format!("payment {number} is successful, and no operator has it"));
        }
    }
}

/// Every order at an operator is one of ours, and what the service reports of it is what happened.
async fn check_orders(
    world: &World,
    stored: Stored<'_>,
    flagged: &BTreeSet<TransactionId>,
    waiting: &Events,
) {
    let orders: Vec<(String, BookedOrder)> = {
        let state = world.lock();
        state.books.iter().map(|(reference, order)| (reference.clone(), order.clone())).collect()
    };
    let mut returned: BTreeMap<TransactionId, Vec<Amount>> = BTreeMap::new();
    let mut keys = BTreeSet::new();
    let mut of_sessions = Vec::new();
    for (reference, order) in orders {
        let number = order.number;
        let Some(id) = TransactionId::of_operator_reference(&reference) else {
            world.violated(format!("order {number} has a reference that is not ours"));
            continue;
        };
        match stored.transactions.transaction(&id).await {
            Ok(Some(found)) => {
                let is_request_of_shop =
                    found.order.refund.is_none() && found.order.checkout.is_none();
                if is_request_of_shop && !keys.insert(found.order.reference.clone()) {
                    world.violated(format!("{} was ordered twice", found.order.reference));
                }
                // What an operator had refused, and executes later, may come on top of a refund
                // that was asked for because of the refusal.
                let has_returned = order.executions > 0 && !order.was_refused;
                if let Some(refund) = found.order.refund.as_ref().filter(|_| has_returned) {
                    returned.entry(refund.charge.clone()).or_default().push(order.amount);
                }
                outbox::check(world, stored.transactions, &id, waiting).await;
                compare(world, &order, &found, flagged.contains(&id));
                of_sessions.extend(of_session(world, stored.checkouts, &order, found).await);
            }
            Ok(None) => world.violated(format!("order {number} is of a payment that is lost")),
            Err(error) => world.violated(format!("payments cannot be read: {error}")),
        }
    }
    check_refunds(world, &returned);
    session_oracles::check(world, &of_sessions);
}

/// The order with its session, where it charges one.
async fn of_session(
    world: &World,
    checkouts: &dyn Checkouts,
    order: &BookedOrder,
    transaction: Transaction,
) -> Option<SessionOrder> {
    let checkout = match checkouts.checkout(transaction.order.checkout.as_ref()?).await {
        Ok(Some(checkout)) => checkout,
        Ok(None) => {
            world.violated(format!("the session of order {} is lost", order.number));
            return None;
        }
        Err(error) => {
            world.violated(format!("sessions cannot be read: {error}"));
            return None;
        }
    };
    let reference = transaction.order.id.operator_reference();
    let sends = world.lock().sends.get(&reference);
    Some(SessionOrder { order: order.clone(), sends, transaction, checkout })
}

/// No more money has returned than was paid, and no refund was executed that was not requested.
fn check_refunds(world: &World, returned: &BTreeMap<TransactionId, Vec<Amount>>) {
    for (charge, amounts) in returned {
        let reference = charge.operator_reference();
        let order = world.lock().books.get(&reference).cloned();
        let paid =
            order.filter(|order| order.executions > 0).map_or(0, |order| order.amount.pesewas());
        let pesewas: i64 = amounts.iter().map(|amount| amount.pesewas()).sum();
        if pesewas > paid {
            world.violated(format!("{pesewas} pesewas were refunded of {paid} that were paid"));
        }
        let mut requested = world.lock().shop.refunds_of(charge);
        for amount in amounts {
            match requested.iter().position(|one| one == amount) {
                Some(index) => drop(requested.swap_remove(index)),
                None => world.violated(format!("GHS {amount} was refunded and not requested")),
            }
        }
    }
}

fn compare(world: &World, order: &BookedOrder, found: &Transaction, is_flagged: bool) {
    let number = order.number;
    let sends = world.lock().sends.get(&found.order.id.operator_reference());
    let is_charge_alone = order.kind == Kind::Charge && found.order.checkout.is_none();
    let (_, began_at) = world.clock.uptimes_at(found.created_at);
    if is_charge_alone && sends.is_some_and(|sends| sends.first_at > began_at + MAX_WAIT) {
        world.violated(format!("order {number} was sent long after its payment began"));
    }
    let status = found.state.status();
    if order.executions > 0 && status != Status::Successful && !is_flagged {
        world.violated(format!("order {number} was executed, and its payment is {status:?}"));
    }
    if order.executions > 0 && status == Status::Failed && !order.was_refused {
        world.violated(format!("order {number} was executed, and the operator had not refused it"));
    }
    if order.executions == 0 && status == Status::Successful {
        world.violated(format!("order {number} was not executed, and its payment succeeded"));
    }
    if order.amount != found.order.price.payer_pays {
        world.violated(format!("order {number} has another amount than its payment"));
    }
}
