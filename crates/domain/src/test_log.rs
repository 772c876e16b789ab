//! What happened in test mode of an account: requests to the API, and attempts to deliver webhooks
//! (docs/reference/endpoints.md#follow-requests-and-deliveries).
//!
//! A developer follows it, or looks for a request by its id. Nothing is stored: a process keeps the
//! newest entries of its own requests and deliveries in memory.

use crate::{AccountId, Mode, Scope, ports::Clock};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::futures::OwnedNotified;
use tokio_util::sync::CancellationToken;

mod account_log;
mod entry;

use account_log::AccountLog;
pub use entry::{LogEntry, LogEntryKind, LogPage, LoggedDelivery, LoggedRequest};

/// How many entries of all accounts are kept: about 5 MB. Where there are more, the log of the
/// account is removed that was not used for the longest time.
const MAX_ENTRIES_OF_ALL: usize = 10_000;

/// The logs of test mode of all accounts.
#[derive(Debug)]
pub struct TestLog {
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    logs: Mutex<Logs>,
}

#[derive(Debug, Default)]
struct Logs {
    accounts: HashMap<AccountId, AccountLog>,
    /// The number of entries of all accounts.
    entries: usize,
}

impl TestLog {
    /// An empty log. No request waits for an entry once `stopping` is cancelled.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, stopping: CancellationToken) -> Self {
        Self { clock, stopping, logs: Mutex::default() }
    }

    /// Whether entries of this scope are kept. Others need not be made.
    #[must_use]
    pub fn records(scope: &Scope) -> bool {
        scope.mode == Mode::Test
    }

    /// Adds an entry, in test mode.
    pub fn record(&self, scope: &Scope, kind: LogEntryKind) {
        if !Self::records(scope) {
            return;
        }
        let at = self.clock.now();
        let mut logs = self.lock();
        let Logs { accounts, entries } = &mut *logs;
        let log = accounts.entry(scope.account.clone()).or_insert_with(|| AccountLog::begin(at));
        log.used = self.clock.uptime();
        *entries -= log.len();
        log.push(at, kind);
        *entries += log.len();
        logs.remove_unused();
    }

    /// The entries after this number, or after 0 all that there are, at most `limit`. Where there
    /// is none, waits for `wait`. Without a number, begins: the page has no entries, and the number
    /// after which to continue. `None` if the number is of another log: of an earlier process, of
    /// another one, or of a log that was removed.
    pub async fn follow(
        &self,
        account: &AccountId,
        after: Option<u64>,
        limit: usize,
        wait: Duration,
    ) -> Option<LogPage> {
        let deadline = self.clock.uptime() + wait;
        loop {
            let (page, recorded) = self.read(account, after, limit)?;
            // `recorded` exists since before the log was unlocked, so that no entry falls between
            // the read and the wait.
            if after.is_none() || !page.entries.is_empty() || self.clock.uptime() >= deadline {
                return Some(page);
            }
            tokio::select! {
                () = recorded => {}
                () = self.clock.sleep_until_uptime(deadline) => {}
                () = self.stopping.cancelled() => return Some(page),
            }
        }
    }

    /// The requests of an account with this id, and the deliveries of webhooks about what they
    /// created, oldest first, at most `limit`.
    #[must_use]
    pub fn of_request(&self, account: &AccountId, id: &str, limit: usize) -> LogPage {
        let mut logs = self.lock();
        let Some(log) = logs.accounts.get_mut(account) else { return LogPage::default() };
        log.used = self.clock.uptime();
        log.of_request(id, limit)
    }

    fn read(
        &self,
        account: &AccountId,
        after: Option<u64>,
        limit: usize,
    ) -> Option<(LogPage, OwnedNotified)> {
        let now = self.clock.now();
        let mut logs = self.lock();
        let log = logs.accounts.entry(account.clone()).or_insert_with(|| AccountLog::begin(now));
        log.used = self.clock.uptime();
        let recorded = log.recorded.clone().notified_owned();
        Some((log.page(after, limit)?, recorded))
    }

    fn lock(&self) -> MutexGuard<'_, Logs> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Logs {
    /// Removes the logs that were not used for the longest time until few enough entries are left.
    fn remove_unused(&mut self) {
        while self.entries > MAX_ENTRIES_OF_ALL {
            let oldest = self.accounts.iter().min_by_key(|(_, log)| log.used);
            let Some(account) = oldest.map(|(account, _)| account.clone()) else { return };
            if let Some(log) = self.accounts.remove(&account) {
                self.entries -= log.len();
                // Their next read tells them that the log is gone.
                log.recorded.notify_waiters();
            }
        }
    }
}

#[cfg(test)]
mod tests;
