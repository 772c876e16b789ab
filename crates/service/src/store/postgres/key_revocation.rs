//! Revokes keys, with what they created.
//!
//! Lock order: key, links, sessions, transactions.

use super::{
    accounts::{self, columns},
    approvals, audit, closing,
    db::Db,
    error::{Error, Result},
    links,
    record::at,
};
use crate::{
    domain::{KeyId, SecretKey, audit::AuditContext, ports::OpenSessions},
    store::{
        audit_values::{self, EndedWithKey},
        rows,
    },
};

/// Revokes a key, closes the sessions and links that it created, and refuses its payouts that wait for an approval. One that
/// is revoked already keeps its moment, and the audit log gets an entry only if something ended.
pub(super) async fn revoke_key(
    db: &Db,
    id: &KeyId,
    sessions: OpenSessions,
    by: &AuditContext,
) -> Result<Option<SecretKey>> {
    let before = accounts::lock_key(db, id).await?;
    let mut ended = EndedWithKey::default();
    if sessions == OpenSessions::Close {
        ended.links = links::close_all_of_key(db, id, by.at).await?;
        ended.checkouts = closing::close_all_of(db, id, by.at).await?;
    }
    ended.payouts = approvals::refuse_of_key(db, id, by.at).await?.len();
    let before = match before {
        // Sessions that the first revocation kept may be closed by a second one.
        Some(key) if key.revoked_at.is_none() || !ended.is_nothing() => key,
        unchanged => return Ok(unchanged),
    };
    let sql = concat!("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING ", columns!());
    let row = db.query_opt(sql, &[&id.as_str(), &at(by.at)]).await?.ok_or(Error::MissingRow)?;
    let after = rows::key(&row)?;
    audit::append(db, by, &audit_values::key_revoked(&before, &after, &ended)).await?;
    Ok(Some(after))
}
