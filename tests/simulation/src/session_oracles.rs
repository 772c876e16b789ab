//! What must hold of the charges of one checkout session, or of one link for one payment, by the
//! books of the operators.

use crate::{
    books::BookedOrder,
    sends::{MAX_DELAY, Sends},
    world::World,
};
use jiff::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use tua_contract::Status;
use tua_domain::{Checkout, LinkId, Transaction, link::LinkUses};

/// How many charges a session may have (docs/reference/endpoints.md).
const MAX_CHARGES: usize = 5;

/// How long a session can be paid (docs/reference/lifecycle.md, Checkout sessions).
const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// An order of a session that arrived at its operator.
#[derive(Clone, Debug)]
pub struct SessionOrder {
    /// The order as its operator has it.
    pub order: BookedOrder,
    /// When it was sent.
    pub sends: Option<Sends>,
    /// What the service has stored of it.
    pub transaction: Transaction,
    /// The session that it charges.
    pub checkout: Checkout,
}

/// Checks the orders of all sessions and links.
pub fn check(world: &World, orders: &[SessionOrder]) {
    let many: BTreeSet<LinkId> = {
        let links = &world.lock().shop.links;
        let many = links.iter().filter(|link| link.uses == LinkUses::Many);
        many.filter_map(|link| Some(link.link.as_ref()?.id.clone())).collect()
    };
    let mut sessions: BTreeMap<&str, Vec<&SessionOrder>> = BTreeMap::new();
    let mut links: BTreeMap<&str, Vec<&SessionOrder>> = BTreeMap::new();
    for order in orders {
        check_time(world, order);
        sessions.entry(order.checkout.id.as_str()).or_default().push(order);
        if let Some(link) = order.checkout.link.as_ref().filter(|link| !many.contains(*link)) {
            links.entry(link.as_str()).or_default().push(order);
        }
    }
    for orders in sessions.into_values() {
        if orders.len() > MAX_CHARGES {
            world.violated(format!("a session has {} charges", orders.len()));
        }
        check_one_at_a_time(world, "session", orders);
    }
    for orders in links.into_values() {
        check_one_at_a_time(world, "link for one payment", orders);
    }
}

/// No order of a session is sent once the session has ended. After a restart that is by the wall
/// clock alone, which may have been set back.
fn check_time(world: &World, order: &SessionOrder) {
    let Some(sends) = order.sends else { return };
    let (_, began_at) = world.clock.uptimes_at(order.checkout.created_at);
    let ends_at = began_at + LIFETIME + world.clock.set_back_since(began_at);
    if sends.last_at > ends_at + MAX_DELAY {
        world.violated(format!("order {} was sent after its session", order.order.number));
    }
}

/// A later charge begins only once the earlier one was refused, and never after the service knows
/// that the earlier one was executed.
fn check_one_at_a_time(world: &World, what: &str, mut orders: Vec<&SessionOrder>) {
    orders.sort_by_key(|one| one.order.arrived_at);
    for (index, later) in orders.iter().enumerate() {
        for earlier in &orders[..index] {
            let (began_at, _) = world.clock.uptimes_at(later.transaction.created_at);
            let arrived_at = later.order.arrived_at;
            let was_over = earlier.order.refused_at.is_some_and(|at| at < arrived_at);
            let paid_since = paid_since(&earlier.transaction);
            let known_at = paid_since.map(|at| world.clock.uptimes_at(at).1);
            if !was_over || known_at.is_some_and(|at| at < began_at) {
                world.violated(format!(
                    "a {what} has order {} although order {} was not refused",
                    later.order.number, earlier.order.number
                ));
            }
        }
    }
}

/// Since when the service knows that money moved by a charge that had failed before.
fn paid_since(charge: &Transaction) -> Option<Timestamp> {
    let conflict = charge.conflict?;
    (conflict.observed == Status::Successful).then_some(conflict.at)
}
