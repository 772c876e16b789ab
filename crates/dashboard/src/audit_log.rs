//! The audit log: the entries of an account, and the verification of the whole log.

use super::{error::DashboardError, state::DashboardState, visitor::Visitor};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use std::collections::BTreeSet;
use tua_domain::{
    audit::{Action, AuditEntry, AuditLogFault},
    people::Permission,
};
use tua_use_cases::{AuditLogState, verify_audit_log};

/// Entries on a page.
const PAGE_ENTRIES: usize = 50;

/// Entries that are read at a time.
const READ_ENTRIES: u32 = 500;

/// Entries that are read for one page at most. A page may be short, but never slow.
const MAX_READ_ENTRIES: u64 = 5_000;

/// The query of `GET /audit`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct AuditQuery {
    /// Only entries before this number; text, so that any address has a page.
    #[serde(default)]
    before: String,
    /// Only entries of this action.
    #[serde(default)]
    action: String,
}

/// `GET /audit`: the newest entries first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(filter): Query<AuditQuery>,
) -> Result<Response, DashboardError> {
    let rows = EntryReader::new(&state, &visitor).await?.page(&filter).await?;
    Ok(visitor.page("audit.html", values(rows, &filter.action, None)))
}

/// `POST /audit/verify`: verifies the log of all accounts, and shows how many entries agree, or the
/// first one that does not.
pub(super) async fn verify(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let verified = verify_audit_log(state.store.as_ref(), &state.keys.audit_keys()).await?;
    let result = match verified {
        AuditLogState::Intact { entries, .. } => {
            context! { key => "audit-unbroken", number => entries, is_right => true }
        }
        AuditLogState::Broken(AuditLogFault::At(seq)) => {
            context! { key => "audit-broken", number => seq, is_right => false }
        }
        // The first entry is missing.
        AuditLogState::Broken(AuditLogFault::Emptied) => {
            context! { key => "audit-broken", number => 1, is_right => false }
        }
        AuditLogState::Broken(AuditLogFault::KeyMissing { seq, .. }) => {
            context! { key => "audit-key-missing", number => seq, is_right => false }
        }
    };
    let filter = AuditQuery::default();
    let rows = EntryReader::new(&state, &visitor).await?.page(&filter).await?;
    Ok(visitor.page("audit.html", values(rows, "", Some(result))))
}

fn values(rows: EntryPage, action: &str, result: Option<Value>) -> Value {
    let actions = Action::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>();
    context! { entries => rows.entries, older => rows.older, action, actions, result }
}

/// A page of entries.
struct EntryPage {
    entries: Vec<Value>,
    /// The number for the next page; `None` on the last.
    older: Option<u64>,
}

/// Reads the entries that concern an account.
struct EntryReader<'a> {
    state: &'a DashboardState,
    visitor: &'a Visitor,
    /// Whether the person may read the log of every account, and so the service's own entries.
    may_read_all: bool,
    members: BTreeSet<String>,
}

impl<'a> EntryReader<'a> {
    async fn new(state: &'a DashboardState, visitor: &'a Visitor) -> Result<Self, DashboardError> {
        let readable = visitor
            .person
            .accounts
            .iter()
            .filter(|(_, role)| role.may(Permission::ReadAuditLog))
            .count();
        let may_read_all = readable == state.store.accounts().await?.len();
        let members = state.store.members(&visitor.account.id).await?;
        let members = members.into_iter().map(|one| one.user.id.as_str().to_owned()).collect();
        Ok(Self { state, visitor, may_read_all, members })
    }

    async fn page(&self, filter: &AuditQuery) -> Result<EntryPage, DashboardError> {
        let head = self.state.store.audit_head().await?.unwrap_or_default().seq;
        let mut before = filter.before.parse().unwrap_or(u64::MAX).min(head.saturating_add(1));
        let lowest = before.saturating_sub(MAX_READ_ENTRIES).max(1);
        let mut entries = Vec::new();
        while before > lowest {
            let from = before.saturating_sub(READ_ENTRIES.into()).max(lowest);
            let read = self.state.store.audit_entries(from - 1, READ_ENTRIES).await?;
            for entry in read.iter().rev().filter(|entry| entry.seq < before) {
                if entries.len() == PAGE_ENTRIES {
                    return Ok(EntryPage { entries, older: Some(entry.seq + 1) });
                }
                if self.is_shown(entry, filter) {
                    entries.push(row(entry));
                }
            }
            before = from;
        }
        Ok(EntryPage { entries, older: (lowest > 1).then_some(lowest) })
    }

    /// Whether the entry passes the filter and concerns the account: it names the account, or has
    /// none and is about the account itself or one of its people.
    fn is_shown(&self, entry: &AuditEntry, filter: &AuditQuery) -> bool {
        if !filter.action.is_empty() && entry.action != filter.action {
            return false;
        }
        let account = self.visitor.account.id.as_str();
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
    let values: serde_json::Value = serde_json::from_str(values.as_ref()?).ok()?;
    Some(values.get("accountId")?.as_str()?.to_owned())
}

fn row(entry: &AuditEntry) -> Value {
    context! {
        seq => entry.seq,
        at => entry.at.to_string(),
        actor => &entry.actor,
        source => &entry.source,
        action => &entry.action,
        subject => &entry.subject,
        before => &entry.before,
        after => &entry.after,
    }
}
