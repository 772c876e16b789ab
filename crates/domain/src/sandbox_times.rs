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
    /// In milliseconds.
    ahead: Arc<RwLock<HashMap<AccountId, Arc<AtomicI64>>>>,
}

/// A sandbox clock that was advanced. It follows later advances.
#[derive(Clone, Debug)]
pub struct SandboxTime {
    clock: Arc<dyn Clock>,
    /// In milliseconds.
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
            let milliseconds = i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX);
            let clock = clocks.entry(account).or_default();
            clock.fetch_max(milliseconds, Ordering::Relaxed);
        }
    }

    /// The sandbox clock of an account; `None` if it was never advanced, and in live mode.
    #[must_use]
    pub fn of(&self, scope: &Scope) -> Option<SandboxTime> {
        if scope.mode == Mode::Live {
            return None;
        }
        let ahead = self.ahead.read().unwrap_or_else(PoisonError::into_inner);
        let ahead = ahead.get(&scope.account)?.clone();
        Some(SandboxTime { clock: self.clock.clone(), ahead })
    }

    /// A session with the time of its end on the sandbox clock of its account, as callers of the
    /// API see it.
    #[must_use]
    pub fn with_sandbox_expiry(&self, checkout: Checkout) -> Checkout {
        let Some(time) = self.of(&checkout.scope) else {
            return checkout;
        };
        Checkout { expires_at: time.of(checkout.expires_at), ..checkout }
    }
}

impl SandboxTime {
    /// The present time on the sandbox clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.of(self.clock.now())
    }

    /// What the sandbox clock shows at a time of the service's clock.
    fn of(&self, at: Timestamp) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
        at.saturating_add(ahead).unwrap_or(at)
    }
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
        assert!(times.of(&advanced).is_none());
        let ahead = SignedDuration::from_mins(31);
        times.update([(advanced.account.clone(), ahead)].into());
        assert_eq!(times.of(&advanced).unwrap().now(), Timestamp::UNIX_EPOCH + ahead);
        assert!(times.of(&scope("acc_1", Mode::Live)).is_none());
        assert!(times.of(&scope("acc_2", Mode::Test)).is_none());
        let held = times.of(&advanced).unwrap();
        times.update([(advanced.account.clone(), ahead * 2)].into());
        assert_eq!(held.now(), Timestamp::UNIX_EPOCH + ahead * 2, "a response that waited");
        times.update([(advanced.account.clone(), ahead)].into());
        assert_eq!(held.now(), Timestamp::UNIX_EPOCH + ahead * 2, "it never goes back");
        times.update([(advanced.account.clone(), SignedDuration::MAX)].into());
        assert_eq!(times.of(&advanced).unwrap().now(), Timestamp::MAX);
    }
}
