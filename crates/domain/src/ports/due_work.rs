//! Due work: what the store returns about transactions that must be sent or asked about.

use crate::Transaction;
use jiff::{SignedDuration, Timestamp};
use tua_contract::State;

/// Whether the operator of an order takes it now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// The operator takes orders of this network and direction.
    Open,
    /// As [`Self::Open`], for a refund whose operator takes one of a charge at a time: it waits
    /// while another refund of the charge is handed over to the operator and not final.
    OneAtATime,
    /// The money of the charge has returned already, is disputed, or was never taken. The refund is
    /// not sent, and is flagged for review.
    Blocked,
    /// Not now. The order waits for it.
    Unavailable,
}

/// What came of handing an order over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandOver {
    /// It is marked. Exactly one caller receives this, and may send the order once.
    Marked(Transaction),
    /// It has waited for too long, or the key of a charge was revoked. The transaction ended as
    /// `not_sent`.
    Ended(Transaction),
    /// The key that asked for the payout was revoked. It waits for the approval of a person.
    Held(Transaction),
    /// Nothing changed: it is handed over already, or the transaction is final or missing.
    Nothing,
}

/// A transaction whose order is due to be sent, or, if it is handed over already, whose status is
/// due to be queried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueTransaction {
    /// The transaction as it was when the lease was taken.
    pub transaction: Transaction,
    /// The number of status queries so far.
    pub query_count: u32,
    /// Until when no other process sends it or queries its status.
    pub leased_until: Timestamp,
    /// Whether the operator has ever responded that it has the order.
    pub is_acknowledged: bool,
    /// Whether it is flagged for review.
    pub is_flagged: bool,
    /// The deadline of the last repeated send, by the wall clock of the node that sent it. Later
    /// than that of the send before, so it identifies the send. How long ago that was,
    /// [`crate::known_orders`] measures.
    pub send_deadline: Option<Timestamp>,
    /// By how much the sandbox clock was advanced since its hand-over: for the review it is older
    /// by this. Zero, except in test mode.
    pub clock_advance: SignedDuration,
}

/// The result of an observation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The transaction after it.
    pub transaction: Transaction,
    /// The previous state, if the finding changed the transaction.
    pub before: Option<State>,
    /// Whether the response was stored in the same database transaction.
    pub is_response_stored: bool,
}

/// A transaction after the verdict on one of its codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledCode {
    /// The transaction as the verdict left it.
    pub transaction: Transaction,
    /// How many of its codes are counted and have no verdict yet, on all nodes.
    pub in_flight: u8,
}
