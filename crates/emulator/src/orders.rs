//! All orders that the emulated operators have accepted, in memory.

use crate::{
    order::{CallbackLog, NewOrder, Order, OrderId},
    phase::{Kind, Phase, State},
};
use jiff::Timestamp;
use std::collections::HashMap;

/// Why an order cannot be stored: the platform has one with this reference already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DuplicateReference(pub(crate) OrderId);

/// All orders, oldest first.
#[derive(Debug)]
pub(crate) struct Orders {
    list: Vec<Order>,
    by_reference: HashMap<(&'static str, Kind, String), OrderId>,
    /// The serial of the first order.
    first_serial: i64,
    /// The merchant's balance on each platform at the start, in pesewas.
    initial_float: i64,
    /// The balance on each platform, in pesewas. Payouts and refunds are taken from it when they
    /// are accepted.
    floats: HashMap<&'static str, i64>,
}

impl Orders {
    /// `start` distinguishes the serials of this run from those of earlier ones.
    pub(crate) fn new(start: Timestamp, initial_float: i64) -> Self {
        Self {
            list: Vec::new(),
            by_reference: HashMap::new(),
            first_serial: start.as_millisecond(),
            initial_float,
            floats: HashMap::new(),
        }
    }

    pub(crate) fn insert(
        &mut self,
        mut new: NewOrder,
        now: Timestamp,
    ) -> Result<&Order, DuplicateReference> {
        let id = self.list.len();
        let serial = self.first_serial + i64::try_from(id).unwrap_or(i64::MAX);
        if new.reference.is_empty() {
            new.reference = serial.to_string();
        }
        let key = (new.api_platform, new.kind, new.reference.clone());
        if let Some(existing) = self.by_reference.get(&key) {
            return Err(DuplicateReference(*existing));
        }
        self.by_reference.insert(key, id);
        let drops_callbacks = new.script.drops_callbacks;
        *self.float_mut(new.api_platform) += float_share(&new, new.first_phase);
        self.list.push(Order {
            id,
            serial,
            phase: new.first_phase,
            new,
            created: now,
            updated: now,
            due: None,
            drops_callbacks,
            callbacks: CallbackLog::default(),
        });
        Ok(&self.list[id])
    }

    pub(crate) fn get(&self, id: OrderId) -> Option<&Order> {
        self.list.get(id)
    }

    /// Moves an order to another phase, and its money to or from the merchant's balance.
    pub(crate) fn set_phase(&mut self, id: OrderId, phase: Phase, now: Timestamp) {
        let Some(order) = self.list.get_mut(id) else { return };
        let before = float_share(&order.new, order.phase);
        let change = float_share(&order.new, phase) - before;
        order.phase = phase;
        order.updated = now;
        let platform = order.new.api_platform;
        *self.float_mut(platform) += change;
    }

    fn float_mut(&mut self, platform: &'static str) -> &mut i64 {
        self.floats.entry(platform).or_insert(self.initial_float)
    }

    /// The merchant's balance on a platform, in pesewas.
    pub(crate) fn float_pesewas(&self, platform: &'static str) -> i64 {
        self.floats.get(platform).copied().unwrap_or(self.initial_float)
    }

    pub(crate) fn get_mut(&mut self, id: OrderId) -> Option<&mut Order> {
        self.list.get_mut(id)
    }

    pub(crate) fn find(
        &self,
        platform: &'static str,
        kind: Kind,
        reference: &str,
    ) -> Option<&Order> {
        self.by_reference
            .get(&(platform, kind, reference.to_owned()))
            .and_then(|id| self.list.get(*id))
    }

    /// Finds an order by the operator's own number.
    pub(crate) fn find_serial(
        &self,
        platform: &'static str,
        kind: Kind,
        serial: i64,
    ) -> Option<&Order> {
        let id = usize::try_from(serial.checked_sub(self.first_serial)?).ok()?;
        self.list
            .get(id)
            .filter(|order| order.new.api_platform == platform && order.new.kind == kind)
    }

    /// All orders, oldest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Order> + ExactSizeIterator {
        self.list.iter()
    }

    /// The refunds of a charge.
    pub(crate) fn refunds_of(&self, charge: OrderId) -> impl Iterator<Item = &Order> {
        self.list.iter().skip(charge).filter(move |order| order.new.refund_of == Some(charge))
    }

    /// What is left of a charge after all its refunds that have not failed, in pesewas.
    pub(crate) fn refundable_pesewas(&self, charge: &Order) -> i64 {
        let refunded =
            self.refunds_of(charge.id).filter(|refund| refund.phase.state() != State::Failed);
        charge.new.amount.pesewas()
            - refunded.map(|refund| refund.new.amount.pesewas()).sum::<i64>()
    }
}

/// What an order in this phase adds to the merchant's balance, in pesewas. Payouts and refunds are
/// taken from it as soon as they are accepted.
const fn float_share(new: &NewOrder, phase: Phase) -> i64 {
    let pesewas = new.amount.pesewas();
    match (new.kind, phase) {
        (Kind::Charge, Phase::Successful) => pesewas,
        (Kind::Charge, _) | (Kind::Payout | Kind::Refund, Phase::Failed(_) | Phase::Reversed) => 0,
        (Kind::Payout | Kind::Refund, _) => -pesewas,
    }
}
