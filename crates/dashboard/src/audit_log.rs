//! The audit log: the entries of an account, and the verification of the whole log.

use super::{error::DashboardError, state::DashboardState, visitor::Visitor};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_domain::{
    audit::{Action, AuditEntry, AuditLogFault},
    people::{Permission, SignInWay},
};
use tua_use_cases::{AuditFilter, AuditLogState, AuditPage, AuditReader};

/// Entries on a page.
const PAGE_ENTRIES: usize = 50;

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
    let entries = read(&state, &visitor, &filter).await?;
    Ok(visitor.page("audit.html", values(&entries, &filter.action, None)))
}

/// `POST /audit/verify`: verifies the log of all accounts, and shows how many entries agree, or the
/// first one that does not.
pub(super) async fn verify(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let verified = state.audit_log.verify(&state.keys.audit_keys()).await?;
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
    let entries = read(&state, &visitor, &filter).await?;
    Ok(visitor.page("audit.html", values(&entries, "", Some(result))))
}

/// The entries that concern the account of the page.
async fn read(
    state: &DashboardState,
    visitor: &Visitor,
    filter: &AuditQuery,
) -> Result<AuditPage, DashboardError> {
    let accounts = visitor.person.accounts.iter();
    let reader = AuditReader {
        account: visitor.account.id.clone(),
        readable_accounts: accounts.filter(|(_, role)| role.may(Permission::ReadAuditLog)).count(),
    };
    let filter = AuditFilter {
        before: filter.before.parse().ok(),
        action: &filter.action,
        limit: PAGE_ENTRIES,
    };
    Ok(state.audit_log.page(reader, &filter).await?)
}

fn values(page: &AuditPage, action: &str, result: Option<Value>) -> Value {
    let entries = page.entries.iter().map(row).collect::<Vec<_>>();
    let shown = |one: &Action| context! { name => one.as_str(), text => text_key(*one) };
    let actions = Action::ALL.iter().map(shown).collect::<Vec<_>>();
    context! { entries, older => page.older, action, actions, result }
}

fn row(entry: &AuditEntry) -> Value {
    context! {
        seq => entry.seq,
        at => entry.at.to_string(),
        actor => &entry.actor,
        source => &entry.source,
        action => &entry.action,
        text => Action::parse(&entry.action).map(text_key),
        subject => &entry.subject,
        sign_in => sign_in(entry),
        before => &entry.before,
        after => &entry.after,
    }
}

/// How a person signed in, or tried to, and with which device; `None` for other entries.
fn sign_in(entry: &AuditEntry) -> Option<Value> {
    let (Action::SessionBegun | Action::SessionBegunOnNewDevice | Action::CodeRefused) =
        Action::parse(&entry.action)?
    else {
        return None;
    };
    let values: serde_json::Value = serde_json::from_str(entry.after.as_deref()?).ok()?;
    let way = values["way"].as_str().and_then(SignInWay::parse);
    Some(context! {
        way => way.map_or("", SignInWay::as_str),
        device => values["device"].as_str().unwrap_or_default(),
    })
}

/// The key of the text that says what an action is.
fn text_key(action: Action) -> String {
    format!("audit-action-{}", action.as_str().replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{language::LANGUAGES, texts};
    use fluent_bundle::FluentArgs;
    use tua_domain::audit::Source;

    #[test]
    fn every_way_to_sign_in_has_its_text_in_every_language() {
        for key in SignInWay::ALL.iter().map(|way| format!("audit-way-{}", way.as_str())) {
            for language in LANGUAGES {
                assert!(texts::text(language, &key, &FluentArgs::new()).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn every_action_and_source_has_its_text_in_every_language() {
        let sources = Source::ALL.iter().map(|one| format!("audit-source-{}", one.as_str()));
        for key in Action::ALL.iter().map(|one| text_key(*one)).chain(sources) {
            for language in LANGUAGES {
                assert!(texts::text(language, &key, &FluentArgs::new()).is_some(), "{key}");
            }
        }
    }
}
