//! What happens in test mode of an account right now: requests to the API, and attempts to deliver
//! webhooks (docs/reference/endpoints.md#follow-requests-and-deliveries).
//!
//! A developer follows it. Accounts without followers are not recorded, and nothing is stored: a
//! process keeps the newest entries of its own requests and deliveries in memory.

use crate::{
    AccountId, DeliveryId, EndpointId, KeyId, Mode, Scope, ports::Clock, webhook::EventType,
};
use jiff::Timestamp;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::{Notify, futures::OwnedNotified};
use tokio_util::sync::CancellationToken;
use tua_contract::ErrorCode;

/// How long an account is recorded after it was read last. Longer than the longest wait of a
/// request, so that nothing is missed between two requests.
const FOLLOW_TIMEOUT: Duration = Duration::from_secs(120);

/// How many entries of an account are kept.
const MAX_ENTRIES: usize = 1000;

/// One entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// One more than that of the entry before. The first number of a log is the time at which it
    /// began, in microseconds since 1970, so that two logs of an account share none.
    pub number: u64,
    /// The time of the response, or of the attempt.
    pub at: Timestamp,
    /// Its subject.
    pub kind: LogEntryKind,
}

/// What an entry is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntryKind {
    /// The API responded to a request.
    Request(LoggedRequest),
    /// A webhook was sent.
    Delivery(LoggedDelivery),
}

/// A response of the API.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedRequest {
    /// The `x-request-id` of the response.
    pub id: String,
    /// The HTTP method, such as `POST`.
    pub method: String,
    /// The route as it is declared, such as `/v1/status/{transaction_id}`. What a path contains may
    /// be secret.
    pub route: String,
    /// The HTTP status of the response.
    pub status: u16,
    /// The code of the problem, where the request was refused.
    pub code: Option<ErrorCode>,
    /// The secret key; `None` for a checkout token.
    pub key: Option<KeyId>,
    /// How long the response took.
    pub duration: Duration,
}

/// An attempt to deliver a webhook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedDelivery {
    /// The delivery that was attempted.
    pub id: DeliveryId,
    /// The endpoint that it was sent to.
    pub endpoint: EndpointId,
    /// The `webhook-id` of the event.
    pub webhook_id: String,
    /// The type of the event.
    pub event_type: EventType,
    /// 1 for the first attempt, then 2, 3, …
    pub attempt: u32,
    /// The HTTP status of the response, if there was one.
    pub http_status: Option<u16>,
    /// Why the attempt failed; `None` after a success.
    pub fault: Option<String>,
}

/// A page of the log.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LogPage {
    /// The entries, oldest first.
    pub entries: Vec<LogEntry>,
    /// The number after which the client continues.
    pub last: u64,
    /// How many entries before these are gone, because more happened than is kept.
    pub missed: u64,
}

/// The logs of the accounts that are followed.
#[derive(Debug)]
pub struct TestLog {
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    followed: Mutex<HashMap<AccountId, Followed>>,
}

#[derive(Debug)]
struct Followed {
    /// In time of [`Clock::uptime`].
    until: Duration,
    /// The number before that of the first entry.
    begin: u64,
    /// The number of the newest entry, or `begin`.
    last: u64,
    entries: VecDeque<LogEntry>,
    recorded: Arc<Notify>,
}

impl TestLog {
    /// A log that records nothing yet. No request waits for an entry once `stopping` is cancelled.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, stopping: CancellationToken) -> Self {
        Self { clock, stopping, followed: Mutex::default() }
    }

    /// Whether test mode of this account is followed. Other requests need not be recorded.
    #[must_use]
    pub fn is_followed(&self, scope: &Scope) -> bool {
        scope.mode == Mode::Test && self.lock().contains_key(&scope.account)
    }

    /// Adds an entry, if the account is followed.
    pub fn record(&self, scope: &Scope, kind: LogEntryKind) {
        let now = self.clock.uptime();
        let mut all = self.lock();
        if scope.mode == Mode::Live || all.is_empty() {
            return;
        }
        all.retain(|_, one| one.until > now);
        let Some(followed) = all.get_mut(&scope.account) else { return };
        followed.last += 1;
        let entry = LogEntry { number: followed.last, at: self.clock.now(), kind };
        followed.entries.push_back(entry);
        if followed.entries.len() > MAX_ENTRIES {
            followed.entries.pop_front();
        }
        followed.recorded.notify_waiters();
    }

    /// The entries after this number, or after 0 all that there are, at most `limit`. Where there is
    /// none, waits for `wait`. Without a number, begins: the page has no entries, and the number
    /// after which to continue. `None` if the number is of another log: of an earlier process, of
    /// another one, or from before the account was not read for [`FOLLOW_TIMEOUT`].
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

    fn read(
        &self,
        account: &AccountId,
        after: Option<u64>,
        limit: usize,
    ) -> Option<(LogPage, OwnedNotified)> {
        let now = self.clock.uptime();
        let mut all = self.lock();
        all.retain(|_, one| one.until > now);
        let followed =
            all.entry(account.clone()).or_insert_with(|| Followed::begin(self.clock.now()));
        followed.until = now + FOLLOW_TIMEOUT;
        let recorded = followed.recorded.clone().notified_owned();
        let after = match after {
            Some(0) => followed.begin,
            Some(after) if !(followed.begin..=followed.last).contains(&after) => return None,
            Some(after) => after,
            None => followed.last,
        };
        let newer = followed.entries.iter().filter(|entry| entry.number > after);
        let entries: Vec<_> = newer.take(limit).cloned().collect();
        let last = entries.last().map_or(followed.last, |entry| entry.number);
        let first = entries.first().map_or(last + 1, |entry| entry.number);
        Some((LogPage { missed: first - after - 1, entries, last }, recorded))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Followed {
    fn begin(now: Timestamp) -> Self {
        let begin = u64::try_from(now.as_microsecond()).unwrap_or_default();
        Self {
            until: Duration::ZERO,
            begin,
            last: begin,
            entries: VecDeque::new(),
            recorded: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests;
