//! Mail servers of accounts.

use super::{
    audit, mail, mail_of_removed,
    security_notices::{self, NoticeWay},
};
use crate::{
    audit_values::mail_servers::changed,
    rows::mail_server,
    sql::{RowLock, Sql},
    write_error::WriteError,
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, Mode, Scope,
    account_mail_server::{
        AcceptedServer, AccountMailServer, MailServerChange, MailServerRefusal, SealedMailServer,
    },
    audit::AuditContext,
    mail::SecurityEvent,
};

macro_rules! columns {
    () => {
        "account_id, in_force, in_force_shown, waiting, waiting_shown, version, changed_at"
    };
}

/// The mail server that the owners of an account have set up, if any.
pub async fn find<S: Sql>(db: &S, account: &AccountId) -> Result<AccountMailServer, S::Error> {
    let sql = concat!("SELECT ", columns!(), " FROM account_mail_servers WHERE account_id = $1");
    let row = db.query_opt(sql, &[&account.as_str()]).await?;
    row.as_ref().map_or_else(|| Ok(AccountMailServer::none(account.clone())), mail_server)
}

/// The mail servers of all accounts.
pub async fn list<S: Sql>(db: &S) -> Result<Vec<AccountMailServer>, S::Error> {
    let sql = concat!("SELECT ", columns!(), " FROM account_mail_servers ORDER BY account_id");
    db.query(sql, &[]).await?.iter().map(mail_server).collect()
}

/// Whether any account has a mail server.
pub async fn has_any<S: Sql>(db: &S) -> Result<bool, S::Error> {
    let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM account_mail_servers WHERE in_force IS NOT NULL)
                  OR EXISTS (SELECT 1 FROM mail_messages
                             WHERE due_at IS NOT NULL AND kind = 'SECURITY' AND secret IS NOT NULL)";
    Ok(db.query_opt(sql, &[]).await?.is_some())
}

/// Changes that of an account, if it has this version, and tells the owners about a change of what
/// is in force.
pub async fn change<S: Sql>(
    db: &S,
    account: &AccountId,
    version: u32,
    change: &MailServerChange,
    by: &AuditContext,
) -> Result<AccountMailServer, WriteError<MailServerRefusal, S::Error>> {
    // Of two people who change it at the same time, the second one sees the change of the first.
    let lock = "SELECT id FROM accounts WHERE id = $1";
    db.query_locked(lock, RowLock::NoKeyUpdate, &[&account.as_str()]).await?;
    let before = find(db, account).await?;
    if before.version != version {
        return Err(WriteError::Rejected(MailServerRefusal::Changed));
    }
    let after = before.after(change.clone(), by.at).map_err(WriteError::Rejected)?;
    let left = before.in_force.as_ref().filter(|_| is_left(change));
    // Before the change, while the server in force is one through which messages are sent.
    if let Some(left) = left {
        // With its settings, so it is sent through this server whatever is in force by then.
        let way = NoticeWay::Through(&left.settings);
        notify_owners(db, SecurityEvent::MailServerLeft, account, left, way, by).await?;
    }
    store(db, &after).await?;
    if after.in_force.is_some() {
        mail::switch_on_for_accounts(db).await?;
    } else if let Some(removed) = &before.in_force {
        mail_of_removed::end(db, account, &removed.settings).await?;
        mail::switch_off_without_servers(db).await?;
    }
    if let MailServerChange::Accept(accepted, server) = change {
        let event = match server {
            AcceptedServer::Same => SecurityEvent::MailServerChanged,
            AcceptedServer::Other => SecurityEvent::MailServerSet,
        };
        notify_owners(db, event, account, accepted, NoticeWay::AccountServer, by).await?;
    }
    audit::append(db, by, &changed(change, &before, &after)).await?;
    Ok(after)
}

/// Whether the mail server that was in force is no longer used.
const fn is_left(change: &MailServerChange) -> bool {
    match change {
        MailServerChange::Accept(_, server) => matches!(server, AcceptedServer::Other),
        MailServerChange::Remove => true,
        MailServerChange::Store(_) => false,
    }
}

async fn notify_owners<S: Sql>(
    db: &S,
    event: SecurityEvent,
    account: &AccountId,
    server: &SealedMailServer,
    way: NoticeWay<'_>,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let scope = Scope { account: account.clone(), mode: Mode::Live };
    security_notices::notify_owners_through(db, way, event, &scope, &server.shown, by).await
}

async fn store<S: Sql>(db: &S, after: &AccountMailServer) -> Result<(), S::Error> {
    let sql = concat!(
        "INSERT INTO account_mail_servers (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (account_id) DO UPDATE SET in_force = $2, in_force_shown = $3, waiting = $4,
             waiting_shown = $5, version = $6, changed_at = $7"
    );
    db.execute(
        sql,
        &[
            &after.account.as_str(),
            &after.in_force.as_ref().map(|one| one.settings.as_bytes()),
            &after.in_force.as_ref().map(|one| one.shown.as_str()),
            &after.waiting.as_ref().map(|one| one.settings.as_bytes()),
            &after.waiting.as_ref().map(|one| one.shown.as_str()),
            &after.version,
            &after.changed_at,
        ],
    )
    .await
    .map(drop)
}

/// Stores that a test begins, unless the last one began later than `tested_until`.
pub async fn begin_test<S: Sql>(
    db: &S,
    account: &AccountId,
    tested_until: Timestamp,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "UPDATE account_mail_servers SET tested_at = $2
               WHERE account_id = $1 AND (tested_at IS NULL OR tested_at <= $3)";
    Ok(db.execute(sql, &[&account.as_str(), &now, &tested_until]).await? > 0)
}

/// Replaces the encrypted settings of one that still has this version.
pub async fn reseal<S: Sql>(db: &S, resealed: &AccountMailServer) -> Result<(), S::Error> {
    let sql = "UPDATE account_mail_servers SET in_force = $3, waiting = $4
               WHERE account_id = $1 AND version = $2";
    db.execute(
        sql,
        &[
            &resealed.account.as_str(),
            &resealed.version,
            &resealed.in_force.as_ref().map(|one| one.settings.as_bytes()),
            &resealed.waiting.as_ref().map(|one| one.settings.as_bytes()),
        ],
    )
    .await
    .map(drop)
}
