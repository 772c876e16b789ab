//! All orders that the emulated operators have accepted, in memory.

use crate::{
    operator::Operator,
    script::{Failure, Script},
};
use jiff::Timestamp;
use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;
use std::collections::HashMap;
use tua_contract::{Amount, Network};

/// What an order does with the money.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    /// Money moves from a customer's wallet to the merchant.
    Charge,
    /// Money moves from the merchant to a recipient's wallet.
    Payout,
    /// The money of a charge moves back to the payer.
    Refund,
}

/// The state of an order as `/orders` reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// No outcome yet.
    Pending,
    /// The money moved. A reversed payout stays successful.
    Successful,
    /// The money did not move.
    Failed,
}

/// The exact progress of an order. Each protocol has its own words for these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The payer has to submit a code.
    AwaitingCode,
    /// The payer has to approve, or the operator has not begun.
    Accepted,
    /// The operator waits for the merchant's approval of a payout (Paystack).
    Held,
    /// The operator holds a payout back while its network is delayed (pawaPay).
    Enqueued,
    /// The operator is moving the money.
    Processing,
    /// A refund needs the payer's account details (Paystack).
    NeedsAttention,
    /// The money moved.
    Successful,
    /// A payout that had succeeded was undone.
    Reversed,
    /// The money did not move.
    Failed(Failure),
}

impl Phase {
    /// The state in `/orders`.
    #[must_use]
    pub const fn state(self) -> State {
        match self {
            Self::AwaitingCode
            | Self::Held
            | Self::Accepted
            | Self::Enqueued
            | Self::Processing
            | Self::NeedsAttention => State::Pending,
            Self::Successful | Self::Reversed => State::Successful,
            Self::Failed(_) => State::Failed,
        }
    }

    /// Whether the order has its outcome.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self.state(), State::Pending)
    }
}

/// Identifies an order within one emulator: its position, from 0.
pub type OrderId = usize;

/// An order that an operator receives, before it is stored.
#[derive(Clone, Debug)]
pub(crate) struct NewOrder {
    pub(crate) operator: Operator,
    /// The platform that accepts it: the first segment of the path. Only MTN has two.
    pub(crate) platform: &'static str,
    pub(crate) kind: Kind,
    /// The merchant's reference. An empty one is replaced by the order's serial.
    pub(crate) reference: String,
    pub(crate) amount: Amount,
    pub(crate) currency: String,
    /// The wallet's number in the international format, without `+`.
    pub(crate) phone: String,
    pub(crate) network: Option<Network>,
    pub(crate) script: Script,
    /// Where the order begins. Only [`Phase::Accepted`] begins the script at once.
    pub(crate) first_phase: Phase,
    /// The address that the request gives for callbacks.
    pub(crate) callback_url: Option<String>,
    /// The charge that a refund returns.
    pub(crate) refund_of: Option<OrderId>,
    /// The request's body, from which the status repeats what the merchant sent.
    pub(crate) request: serde_json::Value,
}

/// An order that an operator has accepted.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) id: OrderId,
    /// The operator's own number of this order, unique over restarts of the emulator.
    pub(crate) serial: i64,
    pub(crate) new: NewOrder,
    pub(crate) phase: Phase,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
    /// When the scripted outcome is due. A person moves it on the page.
    pub(crate) due: Option<Timestamp>,
    /// The page's button "lose callback".
    pub(crate) loses_callback: bool,
    /// How many callbacks were delivered, and the answer to the last one.
    pub(crate) callbacks: CallbackLog,
}

/// What became of an order's callbacks.
#[derive(Clone, Default, Debug)]
pub(crate) struct CallbackLog {
    pub(crate) sent: u32,
    pub(crate) lost: u32,
    /// The HTTP status, or the error, of the last one.
    pub(crate) last: Option<String>,
}

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
        let key = (new.platform, new.kind, new.reference.clone());
        if let Some(existing) = self.by_reference.get(&key) {
            return Err(DuplicateReference(*existing));
        }
        self.by_reference.insert(key, id);
        let loses_callback = new.script.loses_callback;
        *self.float_mut(new.platform) += float_share(&new, new.first_phase);
        self.list.push(Order {
            id,
            serial,
            phase: new.first_phase,
            new,
            created: now,
            updated: now,
            due: None,
            loses_callback,
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
        let platform = order.new.platform;
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
        self.list.get(id).filter(|order| order.new.platform == platform && order.new.kind == kind)
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

/// An order in `/orders`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OrderRow {
    /// The operator's name: `mtn-momo`, `paystack`, `pawapay` or `hubtel`.
    #[serde(serialize_with = "serialize_operator")]
    pub operator: Operator,
    /// The merchant's reference as it was sent, or the operator's own id of a refund that has none.
    pub reference: String,
    /// What the order does.
    pub kind: Kind,
    /// The amount, in cedis in JSON.
    #[serde(serialize_with = "serialize_amount")]
    pub amount: Amount,
    /// Its present state.
    pub state: State,
}

impl From<&Order> for OrderRow {
    fn from(order: &Order) -> Self {
        Self {
            operator: order.new.operator,
            reference: order.new.reference.clone(),
            kind: order.new.kind,
            amount: order.new.amount,
            state: order.phase.state(),
        }
    }
}

fn serialize_operator<S: Serializer>(
    operator: &Operator,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(operator.as_str())
}

/// Writes the amount as a number, by its own decimal text.
fn serialize_amount<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
}
