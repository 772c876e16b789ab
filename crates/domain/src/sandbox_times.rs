//! The present time on the sandbox clocks of accounts
//! (docs/reference/test-mode.md#the-present-time).

use crate::{AccountId, Checkout, Mode, Scope, ports::Clock, sandbox_clock::ClocksAhead};
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
};

/// The sandbox clocks of all accounts, as the database had them last. Clones share them.
#[derive(Clone, Debug)]
pub struct SandboxTimes {
    clock: Arc<dyn Clock>,
    /// How far the clock is ahead, in milliseconds.
    ahead: Arc<RwLock<HashMap<AccountId, Arc<AtomicI64>>>>,
}

/// The sandbox clock of an account. It follows later advances.
#[derive(Clone, Debug)]
pub struct SandboxTime {
    clock: Arc<dyn Clock>,
    /// How far the clock is ahead, in milliseconds.
    ahead: Arc<AtomicI64>,
}

impl SandboxTimes {
    /// Clocks that are with the clock of the service, until others are loaded.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, ahead: Arc::default() }
    }

    /// Uses what was read from the database from now on. A clock never goes back: what was read
    /// before an advance may arrive after it.
    pub fn update(&self, ahead: ClocksAhead) {
        let mut clocks = self.ahead.write().unwrap_or_else(PoisonError::into_inner);
        for (account, ahead) in ahead {
            let clock = clocks.entry(account).or_default();
            clock.fetch_max(milliseconds(ahead), Ordering::Relaxed);
        }
    }

    /// The sandbox clock of the account, which was at least this far ahead when the request read
    /// its rows; `None` in live mode.
    #[must_use]
    pub fn of(&self, scope: &Scope, at_least: SignedDuration) -> Option<SandboxTime> {
        if scope.mode == Mode::Live {
            return None;
        }
        self.update_if_later(&scope.account, at_least);
        let clocks = self.ahead.read().unwrap_or_else(PoisonError::into_inner);
        let ahead = clocks.get(&scope.account).cloned();
        drop(clocks);
        let ahead = ahead.unwrap_or_else(|| {
            let mut clocks = self.ahead.write().unwrap_or_else(PoisonError::into_inner);
            clocks.entry(scope.account.clone()).or_default().clone()
        });
        Some(SandboxTime { clock: self.clock.clone(), ahead })
    }

    /// Another process may have advanced the clock since it was loaded.
    fn update_if_later(&self, account: &AccountId, ahead: SignedDuration) {
        if ahead <= SignedDuration::ZERO {
            return;
        }
        let clocks = self.ahead.read().unwrap_or_else(PoisonError::into_inner);
        let known = clocks.get(account).cloned();
        drop(clocks);
        match known {
            Some(clock) => {
                clock.fetch_max(milliseconds(ahead), Ordering::Relaxed);
            }
            None => self.update([(account.clone(), ahead)].into()),
        }
    }

    /// A session with the time of its end on the sandbox clock of its account, as callers of the
    /// API see it. The end and the clock are from one read: an advance leaves their sum as it was,
    /// also one that another process makes at the same time.
    #[must_use]
    pub fn with_sandbox_expiry(&self, checkout: Checkout) -> Checkout {
        if checkout.scope.mode == Mode::Live {
            return checkout;
        }
        self.update_if_later(&checkout.scope.account, checkout.sandbox_ahead);
        let expires_at = later(checkout.expires_at, checkout.sandbox_ahead);
        Checkout { expires_at, ..checkout }
    }
}

fn milliseconds(ahead: SignedDuration) -> i64 {
    i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX)
}

impl SandboxTime {
    /// The present time on the sandbox clock; `None` if it was never advanced.
    #[must_use]
    pub fn now(&self) -> Option<Timestamp> {
        let ahead = self.ahead();
        (ahead > SignedDuration::ZERO).then(|| later(self.clock.now(), ahead))
    }

    /// What the sandbox clock shows at a time of the service's clock.
    #[must_use]
    pub fn at(&self, time: Timestamp) -> Timestamp {
        later(time, self.ahead())
    }

    fn ahead(&self) -> SignedDuration {
        SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed))
    }
}

fn later(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.saturating_add(by).unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use std::{future::pending, time::Duration};

    #[derive(Debug)]
    struct StoppedClock;

    #[async_trait]
    impl Clock for StoppedClock {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }

        fn uptime(&self) -> Duration {
            Duration::ZERO
        }

        async fn sleep_until_uptime(&self, _: Duration) {
            pending().await
        }
    }

    #[test]
    fn only_test_mode_of_an_account_whose_clock_was_advanced_has_a_time_of_its_own() {
        let times = SandboxTimes::new(Arc::new(StoppedClock));
        let scope = |account: &str, mode| Scope { account: AccountId::new(account), mode };
        let advanced = scope("acc_1", Mode::Test);
        let of = |scope: &Scope| times.of(scope, SignedDuration::ZERO);
        let held = of(&advanced).unwrap();
        assert_eq!(held.now(), None);
        let ahead = SignedDuration::from_mins(31);
        times.update([(advanced.account.clone(), ahead)].into());
        assert_eq!(of(&advanced).unwrap().now(), Some(Timestamp::UNIX_EPOCH + ahead));
        assert!(of(&scope("acc_1", Mode::Live)).is_none());
        assert_eq!(of(&scope("acc_2", Mode::Test)).unwrap().now(), None);
        let twice = Timestamp::UNIX_EPOCH + ahead * 2;
        let read_with_a_row = times.of(&advanced, ahead * 2).unwrap();
        assert_eq!(read_with_a_row.now(), Some(twice));
        assert_eq!(held.now(), Some(twice), "a response that waited");
        times.update([(advanced.account.clone(), ahead)].into());
        assert_eq!(held.now(), Some(twice), "it never goes back");
        times.update([(advanced.account.clone(), SignedDuration::MAX)].into());
        assert_eq!(of(&advanced).unwrap().now(), Some(Timestamp::MAX));
    }
}
