//! What people have allowed and forbidden, and whether a send respects that. Independent of the
//! product's code.

use crate::{inspector::StoredOrder, sends::MAX_DELAY};
use std::{collections::BTreeMap, time::Duration};
use tua_domain::{KeyId, TransactionId};

/// A payout above this sum waits for an approval, and a batch of more than this too.
pub const APPROVAL_ABOVE: i64 = 70_000;

/// A refund above this sum waits for an approval.
pub const REFUND_APPROVAL_ABOVE: i64 = 40_000;

/// What people have decided.
#[derive(Debug, Default)]
pub struct Permissions {
    /// When somebody began to approve a payout last.
    approved_at: BTreeMap<TransactionId, Duration>,
    /// From when on a payout needs another approval.
    approval_needed_since: BTreeMap<TransactionId, Duration>,
    /// What is certainly over without having been sent, and why.
    stopped: BTreeMap<TransactionId, &'static str>,
    /// Since when a payment certainly waits for people.
    flagged_at: BTreeMap<TransactionId, Duration>,
    /// Since when the account is certainly suspended.
    suspended_at: Option<Duration>,
    /// When a key was certainly revoked.
    revoked_at: BTreeMap<usize, Duration>,
    /// The same, by the id of the key.
    ended_keys: BTreeMap<String, Duration>,
}

impl Permissions {
    /// Somebody begins to approve a payout.
    pub fn approve(&mut self, id: &TransactionId, uptime: Duration) {
        self.approved_at.insert(id.clone(), uptime);
    }

    /// A payout that certainly has not been sent needs another approval.
    pub fn require_approval(&mut self, id: &TransactionId, uptime: Duration) {
        self.approval_needed_since.insert(id.clone(), uptime);
    }

    /// A payment was certainly ended before it was sent.
    pub fn stop(&mut self, id: &TransactionId, why: &'static str) {
        self.stopped.insert(id.clone(), why);
    }

    /// A payment certainly waits for people.
    pub fn flag(&mut self, id: &TransactionId, uptime: Duration) {
        self.flagged_at.entry(id.clone()).or_insert(uptime);
    }

    /// The account is certainly suspended.
    pub fn suspend(&mut self, uptime: Duration) {
        self.suspended_at.get_or_insert(uptime);
    }

    /// Somebody begins to resume the account.
    pub fn resume(&mut self) {
        self.suspended_at = None;
    }

    /// Whether the account was certainly suspended at this time and still is.
    #[must_use]
    pub fn is_suspended_since(&self, uptime: Duration) -> bool {
        self.suspended_at.is_some_and(|at| at < uptime)
    }

    /// The key with this number and id is certainly revoked.
    pub fn revoke(&mut self, key: usize, id: &KeyId, uptime: Duration) {
        self.revoked_at.entry(key).or_insert(uptime);
        self.ended_keys.entry(id.as_str().to_owned()).or_insert(uptime);
    }

    /// Whether a key was certainly revoked before this time.
    #[must_use]
    pub fn is_revoked_before(&self, key: usize, uptime: Duration) -> bool {
        self.revoked_at.get(&key).is_some_and(|at| *at < uptime)
    }

    /// A key that is certainly revoked.
    #[must_use]
    pub fn any_revoked(&self) -> Option<usize> {
        self.revoked_at.keys().next_back().copied()
    }

    /// Checks a send whose first byte is written now.
    ///
    /// # Errors
    /// Why nothing may be sent.
    pub fn check_send(
        &self,
        id: &TransactionId,
        order: &StoredOrder,
        uptime: Duration,
    ) -> Result<(), String> {
        let is_late = |since: Option<&Duration>| since.is_some_and(|at| uptime > *at + MAX_DELAY);
        if let Some(why) = self.stopped.get(id) {
            return Err(format!("was sent although it {why}"));
        }
        if is_late(self.flagged_at.get(id)) {
            return Err("was sent although it is flagged for review".to_owned());
        }
        if is_late(self.suspended_at.as_ref()) {
            return Err("was sent while its account is suspended".to_owned());
        }
        let above = if order.is_refund { REFUND_APPROVAL_ABOVE } else { APPROVAL_ABOVE };
        let is_above = order.is_payout && order.pesewas > above;
        let approved_at = self.approved_at.get(id);
        if is_above && approved_at.is_none() {
            return Err("was sent without an approval".to_owned());
        }
        let needed_since = self.approval_needed_since.get(id);
        if needed_since.is_some_and(|since| approved_at.is_none_or(|at| at < since)) {
            return Err("was sent without another approval".to_owned());
        }
        // Also what was handed over before is not sent again.
        let ended_at = order.key.as_ref().and_then(|key| self.ended_keys.get(key));
        if is_late(ended_at) && approved_at < ended_at {
            return Err("was sent after its key was revoked".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const CHARGE: StoredOrder =
        StoredOrder { is_payout: false, is_refund: false, pesewas: 90_000, key: None };

    fn check(permissions: &Permissions, order: &StoredOrder, seconds: u64) -> Result<(), String> {
        permissions.check_send(&TransactionId::new("txn_1"), order, at(seconds))
    }

    #[test]
    fn a_payout_above_the_limit_is_sent_only_once_somebody_approves_it() {
        let mut permissions = Permissions::default();
        let limit = StoredOrder { is_payout: true, pesewas: APPROVAL_ABOVE, ..CHARGE };
        let above = StoredOrder { pesewas: APPROVAL_ABOVE + 1, ..limit.clone() };
        let refund = StoredOrder { is_refund: true, ..limit.clone() };
        assert_eq!(check(&permissions, &limit, 1), Ok(()));
        assert_eq!(check(&permissions, &CHARGE, 1), Ok(()));
        for order in [&above, &refund] {
            assert!(check(&permissions, order, 1).is_err());
        }
        permissions.approve(&TransactionId::new("txn_1"), at(1));
        assert_eq!(check(&permissions, &above, 2), Ok(()));
        permissions.require_approval(&TransactionId::new("txn_1"), at(3));
        assert!(check(&permissions, &above, 4).is_err());
        permissions.approve(&TransactionId::new("txn_1"), at(5));
        assert_eq!(check(&permissions, &above, 6), Ok(()));
    }

    #[test]
    fn nothing_is_sent_that_was_stopped_or_is_flagged_or_suspended() {
        let mut stopped = Permissions::default();
        stopped.stop(&TransactionId::new("txn_1"), "was cancelled");
        let sent = check(&stopped, &CHARGE, 1);
        assert_eq!(sent, Err("was sent although it was cancelled".to_owned()));
        let mut flagged = Permissions::default();
        flagged.flag(&TransactionId::new("txn_1"), at(10));
        let mut suspended = Permissions::default();
        suspended.suspend(at(10));
        for permissions in [&flagged, &suspended] {
            assert_eq!(check(permissions, &CHARGE, 70), Ok(()), "a lease may go on");
            assert!(check(permissions, &CHARGE, 71).is_err());
        }
        suspended.resume();
        assert_eq!(check(&suspended, &CHARGE, 71), Ok(()));
    }

    #[test]
    fn nothing_of_a_revoked_key_is_sent_unless_somebody_approves_it_afterwards() {
        let mut permissions = Permissions::default();
        let key = KeyId::new("key_1");
        permissions.approve(&TransactionId::new("txn_1"), at(5));
        permissions.revoke(0, &key, at(10));
        let order = StoredOrder { key: Some("key_1".to_owned()), ..CHARGE };
        assert_eq!(check(&permissions, &order, 70), Ok(()), "a lease may go on");
        assert_eq!(check(&permissions, &CHARGE, 71), Ok(()));
        assert!(check(&permissions, &order, 71).is_err());
        permissions.approve(&TransactionId::new("txn_1"), at(80));
        assert_eq!(check(&permissions, &order, 81), Ok(()));
    }
}
