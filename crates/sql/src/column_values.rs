//! Domain values as the columns of both engines hold them.

use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_contract::{Amount, State, Status, Step};
use tua_domain::{
    Event, Transaction, TransactionOrder,
    calendar::start_of_day,
    routing::PinnedOperator,
    transfer::OperatorDetails,
    webhook::{Delivery, delivery::Subject},
};

/// The column `fault` of a delivery whose endpoint was removed.
pub(super) const REMOVED: &str = "the endpoint was removed";

pub(super) const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// The columns `subject` and `version` of a delivery.
pub fn subject_columns(delivery: &Delivery) -> (&str, Option<u32>) {
    match &delivery.subject {
        Subject::Transaction(id, version) => (id.as_str(), Some(*version)),
        Subject::Checkout(id) => (id.as_str(), None),
        Subject::Endpoint(id) => (id.as_str(), None),
    }
}

/// What the column `acknowledged_at` of a transaction becomes, if it is NULL: every state but the
/// first one comes from a response that shows that the operator has the order, and so do a mismatch
/// and a dispute, which leave the first state as it is.
pub fn acknowledged_column(transaction: &Transaction) -> Option<Timestamp> {
    let is_reported = transaction.state != State::Pending(Step::Wait)
        || transaction.mismatch.is_some()
        || transaction.dispute.is_some();
    let is_acknowledged = transaction.handed_over_at.is_some() && is_reported;
    is_acknowledged.then_some(transaction.updated_at)
}

/// The column `failure` of a transaction.
pub fn failure_column(transaction: &Transaction) -> Option<&'static str> {
    match transaction.state {
        State::Failed(code) => Some(code.as_str()),
        State::Pending(_) | State::Successful => None,
    }
}

/// The columns `operator` and `operator_fingerprint` of a transaction.
pub fn operator_columns(operator: Option<&PinnedOperator>) -> (Option<&str>, &str) {
    (operator.map(|pin| pin.name.as_str()), operator.map_or("", |pin| pin.fingerprint.as_str()))
}

/// Whether an event makes its transaction final. Final states never change, so there is one such
/// event at most.
pub const fn makes_final(event: &Event) -> bool {
    matches!(event, Event::Moved(state, _) if state.is_final())
}

/// The column `day` of the totals: days since 1970, in UTC.
pub fn day_of_creation(transaction: &Transaction) -> i64 {
    transaction.created_at.as_millisecond().div_euclid(MILLISECONDS_PER_DAY)
}

/// As [`day_of_creation`], of a date.
pub(super) fn day_number(day: Date) -> i64 {
    start_of_day(day).map_or(0, |at| at.as_millisecond().div_euclid(MILLISECONDS_PER_DAY))
}

/// The first moment of these days, and the first one after them.
pub(super) fn moments_of(days: &RangeInclusive<Date>) -> (i64, i64) {
    let first = day_number(*days.start());
    let last = day_number(*days.end());
    (
        first.saturating_mul(MILLISECONDS_PER_DAY),
        last.saturating_add(1).saturating_mul(MILLISECONDS_PER_DAY),
    )
}

/// The first moment of a period, and the first one after it, where it has such ends.
pub fn moments_between(from: Option<Date>, to: Option<Date>) -> (Option<i64>, Option<i64>) {
    (from.map(|day| moments_of(&(day..=day)).0), to.map(|day| moments_of(&(day..=day)).1))
}

/// The sum that a transaction moves, in pesewas: the amount, or what a review found, without the
/// payer's part of the fee.
pub fn moved_pesewas(transaction: &Transaction) -> i64 {
    let order = &transaction.order;
    let sum = transaction.settled_amount.unwrap_or(order.price.payer_pays).pesewas();
    sum - order.payers_fee_in(sum)
}

/// What the payer pays, in pesewas; `None` where it is the amount.
pub fn payer_pays_column(order: &TransactionOrder) -> Option<i64> {
    let payer_pays = order.price.payer_pays;
    (payer_pays != order.transfer.amount).then(|| payer_pays.pesewas())
}

/// The smallest id that a delivery about a transaction or session can have: ids sort by the time of
/// their creation. So the deliveries of a subject are found without an index of subjects, which
/// every delivery would have to write.
pub fn first_delivery_id(subject: &str) -> String {
    let uuid = subject.split_once('_').map(|(_, uuid)| uuid);
    let time = uuid.and_then(|uuid| uuid.get(..12)).unwrap_or_default();
    format!("whd_{time}")
}

/// Orders transactions as every list shows them.
pub(super) fn newest_first(transactions: &mut [Transaction]) {
    transactions.sort_by(|one, other| {
        let key = |of: &Transaction| (of.created_at, of.order.id.clone());
        key(other).cmp(&key(one))
    });
}

/// The columns `refund_of` and `refund_method` of a transaction.
pub fn refund_columns(order: &TransactionOrder) -> (Option<&str>, Option<&str>) {
    order.refund.as_ref().map(|of| (of.charge.as_str(), of.method.as_str())).unzip()
}

/// Whether an event brings what the operator reported besides the status, or what people decided
/// about it. It is written separately, because most events bring nothing of the kind.
pub fn brings_report(event: &Event) -> bool {
    match event {
        Event::Moved(_, details) => *details != OperatorDetails::NONE,
        _ => changes_case(event),
    }
}

/// Whether an operator contradicts with an event what was asked of it or what it reported before,
/// or people decide about that.
pub const fn changes_case(event: &Event) -> bool {
    matches!(
        event,
        Event::Reversed(_)
            | Event::Contradicted(..)
            | Event::Mismatched(..)
            | Event::SumSettled(_)
            | Event::Disputed
            | Event::CaseDecided(_)
    )
}

/// The columns `conflict_decision`, `disputed_at` and `dispute_decision` of a transaction.
pub fn case_columns(
    transaction: &Transaction,
) -> (Option<&'static str>, Option<i64>, Option<&'static str>) {
    let conflict_decision = transaction.conflict.and_then(|conflict| conflict.decision);
    let dispute_decision = transaction.dispute.and_then(|dispute| dispute.decision);
    let disputed_at = transaction.dispute.map(|dispute| dispute.at.as_millisecond());
    (conflict_decision.map(Status::as_str), disputed_at, dispute_decision.map(Status::as_str))
}

/// The columns `mismatched` and `mismatch_received` of a transaction.
pub fn mismatch_columns(transaction: &Transaction) -> (i64, Option<i64>) {
    let received = transaction.mismatch.and_then(|mismatch| mismatch.received);
    (i64::from(transaction.mismatch.is_some()), received.map(Amount::pesewas))
}
