//! Lists the entries of the audit log: all of them, or those that concern an account.

use super::audit_verification::{AuditLogState, verify_audit_log};
use serde_json::Value;
use std::{collections::BTreeSet, sync::Arc};
use tua_domain::{
    AccountId,
    audit::{AuditEntry, AuditKey},
    ports::{self, People, StoreError},
};

/// How many entries are read at a time.
const READ_ENTRIES: u32 = 500;

/// How many entries are read for one page at most. A page may be short, but never slow.
const MAX_READ_ENTRIES: u64 = 5_000;

/// Lists and verifies the audit log.
#[derive(Clone, Debug)]
pub struct AuditLog {
    /// Where entries are stored.
    pub log: Arc<dyn ports::AuditLog>,
    /// Has the accounts whose log a person may read.
    pub accounts: Arc<dyn ports::Accounts>,
    /// Has the people of an account, whose entries concern it.
    pub people: Arc<dyn People>,
}

/// Who reads the log of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditReader {
    /// The account whose log is read.
    pub account: AccountId,
    /// The number of accounts whose log the reader may read. Who may read that of all accounts also
    /// gets the service's own entries.
    pub readable_accounts: usize,
}

/// Selects the entries of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditFilter<'a> {
    /// Only entries before this number; `None` for the newest.
    pub before: Option<u64>,
    /// Only entries of this action; empty for all.
    pub action: &'a str,
    /// The maximum number of entries.
    pub limit: usize,
}

/// A page of entries, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditPage {
    /// The entries. There may be fewer than the limit although there are older ones.
    pub entries: Vec<AuditEntry>,
    /// [`AuditFilter::before`] of the next page; `None` on the last.
    pub older: Option<u64>,
}

/// What decides whether an entry concerns an account.
struct Audience {
    account: AccountId,
    may_read_all: bool,
    members: BTreeSet<String>,
}

impl AuditLog {
    /// All entries after this number, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, mut after: u64) -> Result<Vec<AuditEntry>, StoreError> {
        let mut entries = Vec::new();
        loop {
            let read = self.log.audit_entries(after, READ_ENTRIES).await?;
            let Some(last) = read.last() else { return Ok(entries) };
            after = last.seq;
            entries.extend(read);
        }
    }

    /// A page of the entries that concern an account.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn page(
        &self,
        reader: AuditReader,
        filter: &AuditFilter<'_>,
    ) -> Result<AuditPage, StoreError> {
        let audience = self.audience(reader).await?;
        let head = self.log.audit_head().await?.unwrap_or_default().seq;
        let mut before = filter.before.unwrap_or(u64::MAX).min(head.saturating_add(1));
        let lowest = before.saturating_sub(MAX_READ_ENTRIES).max(1);
        let mut entries = Vec::new();
        while before > lowest {
            let from = before.saturating_sub(READ_ENTRIES.into()).max(lowest);
            let read = self.log.audit_entries(from - 1, READ_ENTRIES).await?;
            for entry in read.into_iter().rev().filter(|entry| entry.seq < before) {
                if entries.len() == filter.limit {
                    return Ok(AuditPage { entries, older: Some(entry.seq + 1) });
                }
                let is_of_action = filter.action.is_empty() || entry.action == filter.action;
                if is_of_action && audience.is_concerned(&entry) {
                    entries.push(entry);
                }
            }
            before = from;
        }
        Ok(AuditPage { entries, older: (lowest > 1).then_some(lowest) })
    }

    /// Verifies every entry and the end of the log.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn verify(&self, keys: &[AuditKey]) -> Result<AuditLogState, StoreError> {
        verify_audit_log(self.log.as_ref(), keys).await
    }

    async fn audience(&self, reader: AuditReader) -> Result<Audience, StoreError> {
        let AuditReader { account, readable_accounts } = reader;
        let may_read_all = readable_accounts == self.accounts.accounts().await?.len();
        let members = self.people.members(&account).await?;
        let members = members.into_iter().map(|one| one.user.id.as_str().to_owned()).collect();
        Ok(Audience { account, may_read_all, members })
    }
}

impl Audience {
    /// Whether an entry concerns the account: it names the account, or has none and is about the
    /// account itself or one of its people.
    fn is_concerned(&self, entry: &AuditEntry) -> bool {
        let account = self.account.as_str();
        // The limits of payouts have the account and the mode as their subject.
        let is_own = entry.subject.split(' ').next() == Some(account);
        let named = account_of(&entry.after).or_else(|| account_of(&entry.before));
        self.may_read_all
            || is_own
            || named.map_or_else(|| self.members.contains(&entry.subject), |one| one == account)
    }
}

/// The account that an entry's values name.
fn account_of(values: &Option<String>) -> Option<String> {
    let values: Value = serde_json::from_str(values.as_ref()?).ok()?;
    Some(values.get("accountId")?.as_str()?.to_owned())
}
