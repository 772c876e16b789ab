//! Revokes keys, with what they created.

use super::{accounts, approvals, audit, checkouts, links, record::Record};
use crate::{
    domain::{KeyId, SecretKey, audit::AuditContext, ports::OpenSessions},
    store::{
        audit_values::{self, EndedWithKey},
        rows,
    },
};
use rusqlite::{Connection, Result};

/// Revokes a key, closes the sessions and links that it created, and refuses its payouts that wait for an approval. One that
/// is revoked already keeps its moment, and the audit log gets an entry only if something ended.
pub(super) fn revoke_key(
    db: &Connection,
    id: &KeyId,
    sessions: OpenSessions,
    by: &AuditContext,
) -> Result<Option<SecretKey>> {
    let mut ended = EndedWithKey::default();
    if sessions == OpenSessions::Close {
        ended.checkouts = checkouts::close_all_of(db, id, by.at)?;
        ended.links = links::close_all_of_key(db, id, by.at)?;
    }
    ended.payouts = approvals::refuse_of_key(db, id, by.at)?.len();
    let before = match accounts::key_by_id(db, id)? {
        // Sessions that the first revocation kept may be closed by a second one.
        Some(key) if key.revoked_at.is_none() || !ended.is_nothing() => key,
        unchanged => return Ok(unchanged),
    };
    let after = db
        .prepare_cached("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING *")?
        .query_row((id.as_str(), by.at.as_millisecond()), |row| rows::key(&Record::new(row)))?;
    audit::append(db, by, &audit_values::key_revoked(&before, &after, &ended))?;
    Ok(Some(after))
}
