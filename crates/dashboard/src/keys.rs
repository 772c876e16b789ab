//! The secret keys of an account and mode.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;
use minijinja::context;
use tua_domain::{
    Generation, KeyId, KeyScope, KeyScopes, SecretKey, line::parse_name, people::Permission,
    ports::OpenSessions,
};
use tua_use_cases::NewKey;

/// The values of the page besides the keys.
#[derive(Default)]
pub(super) struct KeyPage<'a> {
    /// The key of a text that explains why no key was created.
    fault: Option<&'static str>,
    /// The name that was typed.
    name: &'a str,
    /// The new key, which is shown once.
    secret: Option<NewSecret>,
}

/// The text of a new key.
pub(super) struct NewSecret {
    pub(super) text: String,
    /// The key that it replaces, without its secret part, and when that one expires.
    pub(super) old_key: Option<(String, Option<Timestamp>)>,
}

impl KeyPage<'_> {
    /// The page after a refusal that leaves nothing to type again.
    pub(super) fn refusing(fault: &'static str) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    pub(super) fn with_secret(secret: NewSecret) -> Self {
        Self { secret: Some(secret), ..Self::default() }
    }
}

/// `GET /keys`: each key by its prefix and last four characters, revoked ones included.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, KeyPage::default()).await
}

pub(super) async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    shown: KeyPage<'_>,
) -> Result<Response, DashboardError> {
    let now = state.clock.now();
    let keys = state.api_keys.list_in(&visitor.scope).await?;
    let rows = keys.iter().rev().map(|key| {
        context! {
            id => key.id.as_str(),
            name => &key.name,
            shown => masked(key),
            scopes => key.scopes.iter().map(KeyScope::as_str).collect::<Vec<_>>(),
            addresses => key.allowed_addresses.as_ref().map(ToString::to_string),
            created_at => key.created_at.to_string(),
            last_used_at => key.last_used_at.map(|at| at.to_string()),
            expires_at => key.expires_at.map(|at| at.to_string()),
            revoked_at => key.revoked_at.map(|at| at.to_string()),
            is_valid => key.is_valid(now),
            may_rotate => key.scopes.iter().all(|scope| may_give(visitor, scope)),
        }
    });
    let status =
        if shown.fault.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let values = context! {
        keys => rows.collect::<Vec<_>>(),
        scopes => KeyScope::ALL
            .iter()
            .filter(|scope| may_give(visitor, **scope))
            .map(|scope| scope.as_str())
            .collect::<Vec<_>>(),
        fault => shown.fault,
        name => shown.name,
        secret => shown.secret.as_ref().map(|secret| &secret.text),
        old_key => shown.secret.and_then(|secret| secret.old_key).map(|(key, expires_at)| {
            context! { shown => key, expires_at => expires_at.map(|at| at.to_string()) }
        }),
    };
    Ok(visitor.page_with(status, "keys.html", values))
}

/// Whether the person may make keys with this scope.
pub(super) fn may_give(visitor: &Visitor, scope: KeyScope) -> bool {
    visitor.may(Permission::for_keys_with(scope))
}

/// A key by its prefix and its last four characters.
pub(super) fn masked(key: &SecretKey) -> String {
    format!("{}…{}", SecretKey::prefix(key.scope.mode, key.generation), key.last_four)
}

/// What a question calls a key: its name, or its last four characters.
pub(super) fn name_or_end(key: &SecretKey) -> String {
    key.name.clone().unwrap_or_else(|| format!("…{}", key.last_four))
}

/// `POST /keys/create`: a v2 key of this account and mode.
pub(super) async fn create(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = fields.get("name");
    let refuse = |fault| KeyPage { fault: Some(fault), name: typed, secret: None };
    let Ok(name) = parse_name(typed) else {
        return page(&state, &visitor, refuse("fault-name")).await;
    };
    let scopes: Vec<KeyScope> = fields.all("scope").filter_map(KeyScope::parse).collect();
    let Some(scopes) = KeyScopes::new(&scopes) else {
        return page(&state, &visitor, refuse("keys-no-scope")).await;
    };
    if !scopes.iter().all(|scope| may_give(&visitor, scope)) {
        return Err(DashboardError::NotPermitted);
    }
    let by = visitor.audit(&state);
    if let Err(error) = state.api_keys.check_new(&visitor.scope, by.at).await {
        tracing::warn!(error = error.to_string(), "a live key was refused");
        return page(&state, &visitor, refuse("keys-live-refused")).await;
    }
    let new = NewKey {
        scope: visitor.scope.clone(),
        generation: Generation::V2,
        name: Some(name),
        scopes,
        allowed_addresses: None,
        expires_in: None,
    };
    let created = state.api_keys.create(new, &by).await?;
    let secret = NewSecret { text: created.secret, old_key: None };
    page(&state, &visitor, KeyPage::with_secret(secret)).await
}

/// `POST /keys/{key}/revoke`: also closes the open checkouts that the key created.
pub(super) async fn revoke(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, id)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let id = KeyId::new(id);
    if !is_confirmed(&fields) {
        let keys = state.api_keys.list_in(&visitor.scope).await?;
        let key = keys.iter().find(|key| key.id == id).ok_or(DashboardError::NotFound)?;
        let action = format!("/keys/{id}/revoke");
        let question = Confirmation::of("confirm-revoke", name_or_end(key), action, "/keys");
        return Ok(question.page(&visitor));
    }
    let by = visitor.audit(&state);
    let revoked =
        state.api_keys.revoke(Some(&visitor.scope), &id, OpenSessions::Close, &by).await?;
    revoked.ok_or(DashboardError::NotFound)?;
    Ok(redirect(&visitor.href("/keys")))
}
