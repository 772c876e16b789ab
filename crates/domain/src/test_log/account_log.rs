//! The newest entries of one account.

use super::entry::{LogEntry, LogEntryKind, LogPage};
use jiff::Timestamp;
use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};
use tokio::sync::Notify;

/// How many entries of an account are kept.
pub(super) const MAX_ENTRIES: usize = 1000;

/// The newest entries of an account.
#[derive(Debug)]
pub(super) struct AccountLog {
    /// When it was read or written last, in time of [`crate::ports::Clock::uptime`].
    pub(super) used: Duration,
    /// Wakes the clients that wait for an entry.
    pub(super) recorded: Arc<Notify>,
    /// The number before that of the first entry.
    begin: u64,
    /// The number of the newest entry, or `begin`.
    last: u64,
    entries: VecDeque<LogEntry>,
}

impl AccountLog {
    /// Begins with a number that no earlier log of the account has had.
    pub(super) fn begin(now: Timestamp) -> Self {
        let begin = u64::try_from(now.as_microsecond()).unwrap_or_default();
        Self {
            used: Duration::ZERO,
            recorded: Arc::default(),
            begin,
            last: begin,
            entries: VecDeque::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds an entry. The oldest one is removed where there are more than [`MAX_ENTRIES`].
    pub(super) fn push(&mut self, at: Timestamp, kind: LogEntryKind) {
        self.last += 1;
        self.entries.push_back(LogEntry { number: self.last, at, kind });
        if self.entries.len() > MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.recorded.notify_waiters();
    }

    /// The entries after this number, or after 0 all, at most `limit`. `None` if the number is of
    /// another log.
    pub(super) fn page(&self, after: Option<u64>, limit: usize) -> Option<LogPage> {
        let after = match after {
            Some(0) => self.begin,
            Some(after) if !(self.begin..=self.last).contains(&after) => return None,
            Some(after) => after,
            None => self.last,
        };
        let newer = usize::try_from(self.last - after).unwrap_or(usize::MAX);
        let older = self.entries.len().saturating_sub(newer);
        let entries: Vec<_> = self.entries.range(older..).take(limit).cloned().collect();
        let last = entries.last().map_or(self.last, |entry| entry.number);
        let first = entries.first().map_or(last + 1, |entry| entry.number);
        Some(LogPage { missed: first - after - 1, entries, last })
    }

    /// The requests with this id, and the deliveries about the resources of their responses, at
    /// most `limit`.
    pub(super) fn of_request(&self, id: &str, limit: usize) -> LogPage {
        let is_request = |entry: &&LogEntry| match &entry.kind {
            LogEntryKind::Request(request) => request.id == id,
            LogEntryKind::Delivery(_) => false,
        };
        let resources: HashSet<&str> =
            self.entries.iter().filter(is_request).filter_map(LogEntry::resource).collect();
        let is_about = |entry: &&LogEntry| {
            matches!(entry.kind, LogEntryKind::Delivery(_))
                && entry.resource().is_some_and(|resource| resources.contains(resource))
        };
        let found = self.entries.iter().filter(|entry| is_request(entry) || is_about(entry));
        let entries = found.take(limit).cloned().collect();
        LogPage { entries, last: self.last, missed: 0 }
    }
}
