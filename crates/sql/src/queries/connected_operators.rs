//! Operators that people connected.

use super::{audit, security_notices};
use crate::{
    audit_values::operators::{action_of, operator_changed, operator_connected},
    columns::text,
    rows,
    sql::{RowLock, Sql},
    write_error::WriteError,
};
use tracing::error;
use tua_domain::{
    AccountId, ConnectedOperatorId, Mode, Scope,
    audit::{Action, AuditChange, AuditContext},
    connected_operator::{
        ConnectRefusal, ConnectedOperator, MAX_CONNECTED_OPERATORS, OperatorChange,
    },
    encrypted_secret::EncryptedSecret,
    mail::SecurityEvent,
};

macro_rules! columns {
    () => {
        "id, account_id, name, connector, credentials, replacement, routes, supersedes, version,
         created_at, checked_at, retired_at"
    };
}

/// Those of an account, or of all, oldest first, without rows that cannot be read.
pub async fn list<S: Sql>(
    db: &S,
    account: Option<&AccountId>,
) -> Result<Vec<ConnectedOperator>, S::Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM connected_operators
          WHERE CAST($1 AS TEXT) IS NULL OR account_id = $1 ORDER BY created_at, id"
    );
    let rows = db.query(sql, &[&account.map(AccountId::as_str)]).await?;
    let readable = rows.iter().filter_map(|row| {
        let read = rows::connected_operator(row).ok();
        if read.is_none() {
            let operator = text(row, "id").unwrap_or_default();
            error!(operator, "the row of a connected operator cannot be read");
        }
        read
    });
    Ok(readable.collect())
}

/// The entries of an account, and no other transaction changes them until this one ends.
async fn lock_all<S: Sql>(db: &S, account: &AccountId) -> Result<Vec<ConnectedOperator>, S::Error> {
    let sql = "SELECT id FROM accounts WHERE id = $1";
    db.query_locked(sql, RowLock::NoKeyUpdate, &[&account.as_str()]).await?;
    list(db, Some(account)).await
}

/// Adds an entry.
pub async fn add<S: Sql>(
    db: &S,
    new: &ConnectedOperator,
    by: &AuditContext,
) -> Result<(), WriteError<ConnectRefusal, S::Error>> {
    let others = lock_all(db, &new.account).await?;
    if others.len() >= MAX_CONNECTED_OPERATORS {
        return Err(WriteError::Rejected(ConnectRefusal::TooMany));
    }
    if others.iter().any(|other| other.name == new.name) {
        return Err(WriteError::Rejected(ConnectRefusal::NameTaken));
    }
    // Two people may have opened the form of a connector, which showed both the same id.
    if account_of(db, &new.id).await?.is_some() {
        return Err(WriteError::Rejected(ConnectRefusal::Changed));
    }
    let sql = "INSERT INTO connected_operators
             (id, account_id, name, connector, credentials, routes, supersedes, version, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    db.execute(
        sql,
        &[
            &new.id.as_str(),
            &new.account.as_str(),
            &new.name.as_str(),
            &new.connector,
            &new.credentials.as_bytes(),
            &new.routes.to_text(),
            &new.supersedes.as_ref().map(ConnectedOperatorId::as_str),
            &new.version,
            &new.created_at,
        ],
    )
    .await?;
    audit::append(db, by, &operator_connected(new)).await?;
    notify_owners(db, SecurityEvent::OperatorConnected, new, by).await?;
    Ok(())
}

/// Changes an entry of this version, and what others serve.
pub async fn change<S: Sql>(
    db: &S,
    id: &ConnectedOperatorId,
    version: u32,
    change: &OperatorChange,
    by: &AuditContext,
) -> Result<ConnectedOperator, WriteError<ConnectRefusal, S::Error>> {
    let Some(account) = account_of(db, id).await? else {
        return Err(WriteError::Rejected(ConnectRefusal::Changed));
    };
    let all = lock_all(db, &account).await?;
    let found = all.iter().find(|one| one.id == *id && one.version == version);
    let Some(before) = found else { return Err(WriteError::Rejected(ConnectRefusal::Changed)) };
    let after = before.after(change.clone(), by.at).map_err(WriteError::Rejected)?;
    let mut changes = Vec::new();
    let after = take_place(db, before, after, &all, by, &mut changes).await?;
    for other in all.iter().filter(|other| other.id != *id && other.retired_at.is_none()) {
        let left = other.routes.without(&after.routes);
        if left != other.routes && !is_superseded(other, before, &after) {
            let routed =
                ConnectedOperator { routes: left, version: other.version + 1, ..other.clone() };
            update(db, &routed).await?;
            notify_owners(db, SecurityEvent::OperatorRouted, &routed, by).await?;
            changes.push(operator_changed(Action::OperatorRouted, other, &routed));
        }
    }
    update(db, &after).await?;
    if let Some(event) = event_of(change, before, &after) {
        notify_owners(db, event, &after, by).await?;
    }
    changes.insert(0, operator_changed(action_of(change), before, &after));
    audit::append_all(db, by, &changes).await?;
    Ok(after)
}

/// Whether this change is the first successful check of the entry that takes the place of `other`.
fn is_superseded(
    other: &ConnectedOperator,
    before: &ConnectedOperator,
    after: &ConnectedOperator,
) -> bool {
    let is_first_check = before.checked_at.is_none() && after.checked_at.is_some();
    is_first_check && after.supersedes.as_ref() == Some(&other.id)
}

/// With its first successful check an entry takes over what the one before it served, and that one
/// is retired.
async fn take_place<S: Sql>(
    db: &S,
    before: &ConnectedOperator,
    after: ConnectedOperator,
    all: &[ConnectedOperator],
    by: &AuditContext,
    changes: &mut Vec<AuditChange>,
) -> Result<ConnectedOperator, S::Error> {
    let Some(earlier) = all.iter().find(|other| is_superseded(other, before, &after)) else {
        return Ok(after);
    };
    // Somebody may have retired it meanwhile: then it served nothing.
    let Ok(retired) = earlier.after(OperatorChange::Retire, by.at) else { return Ok(after) };
    update(db, &retired).await?;
    notify_owners(db, SecurityEvent::OperatorRetired, &retired, by).await?;
    changes.push(operator_changed(Action::OperatorRetired, earlier, &retired));
    Ok(ConnectedOperator { routes: earlier.routes.clone(), ..after })
}

/// What owners are told about a change. `None` for accepted credentials, since the owners were told
/// when somebody entered them, and for a choice of networks that changes nothing.
fn event_of(
    change: &OperatorChange,
    before: &ConnectedOperator,
    after: &ConnectedOperator,
) -> Option<SecurityEvent> {
    match change {
        OperatorChange::Replace(_) => Some(SecurityEvent::OperatorReplaced),
        OperatorChange::Retire => Some(SecurityEvent::OperatorRetired),
        OperatorChange::Accept(_) | OperatorChange::Serve(_) => {
            (before.routes != after.routes).then_some(SecurityEvent::OperatorRouted)
        }
    }
}

/// Tells the owners of the account, by name and connector, never with credentials.
async fn notify_owners<S: Sql>(
    db: &S,
    event: SecurityEvent,
    operator: &ConnectedOperator,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let scope = Scope { account: operator.account.clone(), mode: Mode::Live };
    let subject = format!("{} ({})", operator.name, operator.connector);
    security_notices::notify_owners(db, event, &scope, &subject, by).await
}

async fn account_of<S: Sql>(
    db: &S,
    id: &ConnectedOperatorId,
) -> Result<Option<AccountId>, S::Error> {
    let sql = "SELECT account_id FROM connected_operators WHERE id = $1";
    let row = db.query_opt(sql, &[&id.as_str()]).await?;
    row.as_ref().map(|row| text(row, "account_id").map(AccountId::new)).transpose()
}

async fn update<S: Sql>(db: &S, after: &ConnectedOperator) -> Result<(), S::Error> {
    let sql = "UPDATE connected_operators SET credentials = $2, replacement = $3, routes = $4,
             version = $5, checked_at = $6, retired_at = $7
         WHERE id = $1";
    db.execute(
        sql,
        &[
            &after.id.as_str(),
            &after.credentials.as_bytes(),
            &after.replacement.as_ref().map(EncryptedSecret::as_bytes),
            &after.routes.to_text(),
            &after.version,
            &after.checked_at,
            &after.retired_at,
        ],
    )
    .await?;
    Ok(())
}

/// Replaces the encrypted credentials of an entry that still has this version.
pub async fn reseal<S: Sql>(db: &S, resealed: &ConnectedOperator) -> Result<(), S::Error> {
    let sql = "UPDATE connected_operators SET credentials = $3, replacement = $4
               WHERE id = $1 AND version = $2";
    db.execute(
        sql,
        &[
            &resealed.id.as_str(),
            &resealed.version,
            &resealed.credentials.as_bytes(),
            &resealed.replacement.as_ref().map(EncryptedSecret::as_bytes),
        ],
    )
    .await?;
    Ok(())
}
