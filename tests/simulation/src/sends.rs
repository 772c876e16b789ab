//! When the service sent its orders, and whether it was allowed to. Independent of the product's
//! code: the limits are those of docs/reference/lifecycle.md.

use std::{collections::BTreeMap, time::Duration};

/// How long an order that never arrived may be sent again (docs/reference/lifecycle.md, Sending
/// again).
const MAX_REPEAT_AGE: Duration = Duration::from_secs(10 * 60);

/// How long after a decision to send an order its bytes may be written: a lease.
pub const MAX_DELAY: Duration = Duration::from_secs(60);

/// The sends of one order of which bytes were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sends {
    /// The uptime when the first one was written.
    pub first_at: Duration,
    /// The uptime when the last one was written.
    pub last_at: Duration,
    arrives_until: Duration,
}

/// One send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendRecord {
    /// The uptime when its first byte is written.
    pub written_at: Duration,
    /// Until when the service had permitted it. It arrives until then, or never.
    pub deadline: Duration,
    /// How far the wall clock was set back since the first send: after a restart it alone limits
    /// repeats (docs/reference/lifecycle.md, Clocks).
    pub set_back: Duration,
}

/// The sends of all orders by their reference.
#[derive(Debug, Default)]
pub struct SendLog {
    written: BTreeMap<String, Sends>,
    /// How many sends of an order the service has begun, without those of which it was told that no
    /// byte was written. It gives up a send that stalls, and does not know what was written.
    begun: BTreeMap<String, u32>,
}

impl SendLog {
    /// The sends of the order with this reference.
    #[must_use]
    pub fn get(&self, reference: &str) -> Option<Sends> {
        self.written.get(reference).copied()
    }

    /// The service begins to send an order.
    pub fn begin(&mut self, reference: &str) {
        *self.begun.entry(reference.to_owned()).or_default() += 1;
    }

    /// The service is told that a send has written nothing.
    pub fn end_unwritten(&mut self, reference: &str) {
        if let Some(begun) = self.begun.get_mut(reference) {
            *begun = begun.saturating_sub(1);
        }
    }

    /// Whether the service must assume that an order was sent more than once.
    #[must_use]
    pub fn may_be_repeated(&self, reference: &str) -> bool {
        self.begun.get(reference).is_some_and(|begun| *begun > 1)
    }

    /// Records a send.
    ///
    /// # Errors
    /// Why the service must not have sent the order now.
    pub fn record(&mut self, reference: &str, send: SendRecord) -> Result<(), &'static str> {
        let SendRecord { written_at, deadline, set_back } = send;
        let Some(sends) = self.written.get_mut(reference) else {
            let sends =
                Sends { first_at: written_at, last_at: written_at, arrives_until: deadline };
            self.written.insert(reference.to_owned(), sends);
            return if written_at > deadline { Err("was sent without a permit") } else { Ok(()) };
        };
        let is_earlier_under_way = written_at < sends.arrives_until;
        let is_too_old = written_at > sends.first_at + MAX_REPEAT_AGE + MAX_DELAY + set_back;
        sends.last_at = written_at;
        sends.arrives_until = deadline;
        if written_at > deadline {
            Err("was sent without a permit")
        } else if is_earlier_under_way {
            Err("was sent again while a send could still arrive")
        } else if is_too_old {
            Err("was sent again long after its first send")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(written_at: u64, deadline: u64) -> SendRecord {
        let seconds = Duration::from_secs;
        SendRecord {
            written_at: seconds(written_at),
            deadline: seconds(deadline),
            set_back: Duration::ZERO,
        }
    }

    #[test]
    fn an_order_is_sent_again_only_after_the_deadline_and_for_a_limited_time() {
        let mut log = SendLog::default();
        assert_eq!(log.record("a", send(0, 30)), Ok(()));
        let early = log.record("a", send(29, 59));
        assert_eq!(early, Err("was sent again while a send could still arrive"));
        assert_eq!(log.record("a", send(60, 90)), Ok(()));
        assert_eq!(log.record("a", send(600, 630)), Ok(()));
        let late = log.record("a", send(700, 730));
        assert_eq!(late, Err("was sent again long after its first send"));
    }

    #[test]
    fn a_send_that_was_given_up_may_have_been_one_and_one_that_wrote_nothing_was_none() {
        let mut log = SendLog::default();
        log.begin("a");
        log.end_unwritten("a");
        log.begin("a");
        assert!(!log.may_be_repeated("a"));
        log.begin("a");
        assert!(log.may_be_repeated("a"));
    }

    #[test]
    fn an_order_that_is_sent_after_its_permit_is_a_violation() {
        let sent = SendLog::default().record("a", send(31, 30));
        assert_eq!(sent, Err("was sent without a permit"));
    }
}
