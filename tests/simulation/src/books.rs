//! The books of the operators: which orders arrived, and which money moved. They are independent of
//! the product's code.

use std::{collections::BTreeMap, ops::Range, time::Duration};
use tua_contract::{Amount, Network};
use tua_domain::Kind;

/// How an order stands at its operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The payer has not decided.
    Waiting,
    /// The money has moved.
    Executed,
    /// The money has not moved.
    Refused,
}

/// What the payer, or the operator, will do about an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The order is executed: the money moves.
    Execute,
    /// The order is refused.
    Refuse,
    /// The order is refused, and executed later all the same.
    RefuseThenExecute,
}

/// An order at an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookedOrder {
    /// Numbers the orders of all operators, in the order of arrival.
    pub number: usize,
    /// The network whose operator has it.
    pub network: Network,
    /// Whether it collects or pays.
    pub kind: Kind,
    /// What moves, without fees.
    pub amount: Amount,
    /// What has come of it.
    pub standing: Standing,
    /// Whether the operator has ever refused it.
    pub was_refused: bool,
    /// How often it was executed.
    pub executions: u32,
    /// When it arrived first.
    pub arrived_at: Duration,
    /// When the operator refused it.
    pub refused_at: Option<Duration>,
    /// Since when the service certainly knows that the operator has it.
    pub acknowledged_at: Option<Duration>,
    /// Until when status queries may not find it.
    pub hidden_until: Duration,
    /// When the operator no longer finds it, although it reported it before.
    pub forgotten: Range<Duration>,
}

/// What comes of an order that arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// It is the first with this reference.
    New,
    /// It is refused, because one with this reference has arrived before.
    Duplicate,
    /// The operator takes one with this reference a second time.
    Again,
}

impl BookedOrder {
    /// Whether the operator may respond that it never received the order. Once it has reported the
    /// order, a response that it has none contradicts that, so the service must not believe it.
    #[must_use]
    pub fn may_be_denied(&self, uptime: Duration) -> bool {
        let is_forgotten =
            self.forgotten.contains(&uptime) && self.acknowledged_at.is_some_and(|at| at < uptime);
        uptime < self.hidden_until || is_forgotten
    }
}

/// The orders of all operators by their reference.
#[derive(Debug, Default)]
pub struct Books {
    orders: BTreeMap<String, BookedOrder>,
}

impl Books {
    /// Books an order that arrives.
    pub fn arrive(
        &mut self,
        reference: &str,
        refuses_repeats: bool,
        order: impl FnOnce(usize) -> BookedOrder,
    ) -> Arrival {
        let number = self.orders.len() + 1;
        if self.orders.contains_key(reference) {
            return if refuses_repeats { Arrival::Duplicate } else { Arrival::Again };
        }
        self.orders.insert(reference.to_owned(), order(number));
        Arrival::New
    }

    /// The order with this reference.
    #[must_use]
    pub fn get(&self, reference: &str) -> Option<&BookedOrder> {
        self.orders.get(reference)
    }

    /// The order with this reference, to change it.
    pub fn get_mut(&mut self, reference: &str) -> Option<&mut BookedOrder> {
        self.orders.get_mut(reference)
    }

    /// All orders, in the order of their references.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &BookedOrder)> {
        self.orders.iter()
    }

    /// Leaves it open whether the service knows what it was told since this time: it may have
    /// crashed before that was stored.
    pub fn doubt_acknowledgements_since(&mut self, at: Duration) {
        for order in self.orders.values_mut() {
            order.acknowledged_at = order.acknowledged_at.filter(|then| *then < at);
        }
    }
}
