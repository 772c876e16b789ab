//! An order that an emulated operator receives.

use crate::{
    operator::Operator,
    phase::{Kind, Phase, State},
    script::Script,
};
use jiff::Timestamp;
use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;
use tua_contract::{Amount, Network};

/// Identifies an order within one emulator: its position, from 0.
pub type OrderId = usize;

/// An order that an operator receives, before it is stored.
#[derive(Clone, Debug)]
pub(crate) struct NewOrder {
    pub(crate) operator: Operator,
    /// The first segment of the path that received it: one of MTN's two API platforms, or the name
    /// of another operator.
    pub(crate) api_platform: &'static str,
    pub(crate) kind: Kind,
    /// The reference that the service sent. An empty one is replaced by the order's serial.
    pub(crate) reference: String,
    pub(crate) amount: Amount,
    pub(crate) currency: String,
    /// The wallet's number in the international format, without `+`.
    pub(crate) phone: String,
    pub(crate) network: Option<Network>,
    pub(crate) script: Script,
    /// The phase that the order begins in. Only [`Phase::Accepted`] starts the script's timer.
    pub(crate) first_phase: Phase,
    /// The address that the request gives for callbacks.
    pub(crate) callback_url: Option<String>,
    /// The charge that a refund returns.
    pub(crate) refund_of: Option<OrderId>,
    /// The request's body, from which the status repeats what the service sent.
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
    /// When the scripted outcome is due. A button on the page delays it.
    pub(crate) due: Option<Timestamp>,
    /// Whether callbacks are dropped: by the script, or after a person pressed "Lose callback".
    pub(crate) drops_callbacks: bool,
    pub(crate) callbacks: CallbackLog,
}

/// The callbacks of an order, delivered or not.
#[derive(Clone, Default, Debug)]
pub(crate) struct CallbackLog {
    /// How many callbacks were attempted, also those that failed or were not sent.
    pub(crate) attempts: u32,
    /// How many callbacks were dropped instead of being attempted.
    pub(crate) dropped: u32,
    /// The HTTP status, or the error, of the last attempt.
    pub(crate) last_result: Option<String>,
}

/// An order in `/orders`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OrderRow {
    /// The operator's name: `mtn-momo`, `paystack`, `pawapay` or `hubtel`.
    #[serde(serialize_with = "serialize_operator")]
    pub operator: Operator,
    /// The reference that the service sent, or the operator's own id of a refund that has none.
    pub reference: String,
    /// What the order does.
    pub kind: Kind,
    /// The amount, in cedis in JSON.
    #[serde(serialize_with = "serialize_amount")]
    pub amount: Amount,
    /// The state at the time of the request.
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

/// Writes the amount as a JSON number in its shortest decimal form, not through `f64`.
fn serialize_amount<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
}
