//! For how long this process has known that an order waits, or was sent, by a clock that does not
//! step.
//!
//! The times in rows come from the wall clocks of several nodes, and a wall clock may be wrong or
//! be set. Times that end a payment or repeat an order are therefore measured here. After a
//! restart, and on another node, they begin anew, which is later and thus safe.

use super::{Transaction, TransactionId};
use jiff::Timestamp;
use quick_cache::sync::Cache;
use std::{fmt, time::Duration};

/// The maximum number of orders in memory. The time of one that was dropped begins anew.
const CAPACITY: usize = 10_000;

/// The orders that this process has seen wait or seen handed over.
pub struct KnownOrders(Cache<TransactionId, KnownOrder>);

/// An order. Both parts are kept, because a hand-over of which no byte was written is withdrawn.
#[derive(Clone, Copy, Default)]
struct KnownOrder {
    waiting: Option<WaitingOrder>,
    sent: Option<HandedOverOrder>,
}

/// An order that waits to be handed over. `known_since` is an uptime.
#[derive(Clone, Copy, PartialEq, Eq)]
struct WaitingOrder {
    /// The start of its wait, as stored. Only compared, to recognise it.
    from: Timestamp,
    known_since: Duration,
}

/// An order that is handed over. `known_since` and `last_send_known_since` are uptimes.
#[derive(Clone, Copy)]
struct HandedOverOrder {
    /// The time of the hand-over, as stored. Only compared, to recognise the hand-over.
    handed_over_at: Timestamp,
    known_since: Duration,
    /// The deadline of the last repeated send, as stored. Only compared, to recognise the send.
    repeated_until: Option<Timestamp>,
    last_send_known_since: Duration,
}

/// For how long this process has known of the sends of an order. All of them began before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendAge {
    /// Since this process first knew of the hand-over to the operator.
    pub first: Duration,
    /// Of the last send.
    pub last: Duration,
}

impl KnownOrders {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// For how long this process has known that an order waits to be handed over. `uptime` is now.
    pub fn waiting_for(&self, transaction: &Transaction, uptime: Duration) -> Duration {
        let id = &transaction.order.id;
        let order = self.0.get(id).unwrap_or_default();
        let seen = order.seen_waiting(transaction, uptime);
        if order.waiting != Some(seen) {
            self.0.insert(id.clone(), KnownOrder { waiting: Some(seen), ..order });
        }
        uptime.saturating_sub(seen.known_since)
    }

    /// For how long this process has known of the sends of an order that is handed over.
    /// `repeated_until` is the deadline of the last repeated send in its row. `uptime` was taken
    /// after the row was read.
    pub fn sent_for(
        &self,
        transaction: &Transaction,
        repeated_until: Option<Timestamp>,
        uptime: Duration,
    ) -> SendAge {
        let id = &transaction.order.id;
        let order = self.0.get(id).unwrap_or_default();
        let sent = order.seen_sent(transaction, repeated_until, uptime);
        self.0.insert(id.clone(), KnownOrder { sent: Some(sent), ..order });
        SendAge {
            first: uptime.saturating_sub(sent.known_since),
            last: uptime.saturating_sub(sent.last_send_known_since),
        }
    }

    /// Notes that an order is sent for the first time, and since when it waits, should it come to
    /// wait again.
    pub fn note_first_send(&self, transaction: &Transaction, uptime: Duration) {
        let id = &transaction.order.id;
        let order = self.0.get(id).unwrap_or_default();
        let waiting = Some(order.seen_waiting(transaction, uptime));
        let sent = Some(order.seen_sent(transaction, None, uptime));
        self.0.insert(id.clone(), KnownOrder { waiting, sent });
    }
}

impl KnownOrder {
    /// The wait of an order, known since now unless it was known before.
    fn seen_waiting(&self, transaction: &Transaction, uptime: Duration) -> WaitingOrder {
        let from = transaction.approved_at.unwrap_or(transaction.created_at);
        let known = self.waiting.filter(|waiting| waiting.from == from);
        known.unwrap_or(WaitingOrder { from, known_since: uptime })
    }

    /// The sends of an order, of which those that were not known before are known since now.
    fn seen_sent(
        &self,
        transaction: &Transaction,
        repeated_until: Option<Timestamp>,
        uptime: Duration,
    ) -> HandedOverOrder {
        let handed_over_at = transaction.pending_since();
        let known = self.sent.filter(|sent| sent.handed_over_at == handed_over_at);
        match known {
            Some(sent) if sent.repeated_until == repeated_until => sent,
            Some(sent) => HandedOverOrder { repeated_until, last_send_known_since: uptime, ..sent },
            None => HandedOverOrder {
                handed_over_at,
                known_since: uptime,
                repeated_until,
                last_send_known_since: uptime,
            },
        }
    }
}

impl Default for KnownOrders {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints how many orders are kept, without their ids.
impl fmt::Debug for KnownOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownOrders").field("count", &self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::tests::new_order;

    fn transaction() -> Transaction {
        Transaction::begin(new_order(), false, None, Timestamp::UNIX_EPOCH)
    }

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_time_of_a_send_begins_with_the_first_look_and_anew_with_each_send() {
        let orders = KnownOrders::new();
        let mut order = transaction();
        let at = |second| Some(Timestamp::from_second(second).unwrap());
        order.handed_over_at = at(1_000);
        let age = |order: &Transaction, repeated_until, uptime| {
            orders.sent_for(order, repeated_until, seconds(uptime))
        };
        let expected = |first, last| SendAge { first: seconds(first), last: seconds(last) };
        assert_eq!(age(&order, None, 50), expected(0, 0), "whatever the wall clock says");
        assert_eq!(age(&order, None, 90), expected(40, 40));
        assert_eq!(age(&order, at(1_100), 100), expected(50, 0), "it was sent again");
        assert_eq!(age(&order, at(1_100), 110), expected(60, 10));
        order.handed_over_at = at(900);
        assert_eq!(age(&order, None, 120), expected(0, 0), "another hand-over");
    }

    #[test]
    fn a_first_send_is_noted_with_the_wait_before_it() {
        let orders = KnownOrders::new();
        let mut order = transaction();
        order.handed_over_at = Some(Timestamp::UNIX_EPOCH);
        orders.note_first_send(&order, seconds(10));
        orders.note_first_send(&order, seconds(20));
        let since_first_note = SendAge { first: seconds(15), last: seconds(15) };
        assert_eq!(orders.sent_for(&order, None, seconds(25)), since_first_note);
        order.handed_over_at = None;
        assert_eq!(orders.waiting_for(&order, seconds(30)), seconds(20));
    }

    #[test]
    fn a_wait_continues_when_a_hand_over_was_withdrawn_and_begins_anew_with_an_approval() {
        let orders = KnownOrders::new();
        let mut order = transaction();
        assert_eq!(orders.waiting_for(&order, seconds(10)), Duration::ZERO);
        order.handed_over_at = Some(Timestamp::UNIX_EPOCH);
        let _ = orders.sent_for(&order, None, seconds(15));
        order.handed_over_at = None;
        assert_eq!(orders.waiting_for(&order, seconds(20)), seconds(10));
        order.approved_at = Some(order.created_at + jiff::SignedDuration::from_secs(5));
        assert_eq!(orders.waiting_for(&order, seconds(30)), Duration::ZERO);
    }
}
