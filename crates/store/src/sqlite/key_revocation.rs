//! Revokes keys, with what they created.

use super::sql::ready;
use super::{accounts, approvals, checkouts, links, record::Record, transactions::take};
use crate::queries::audit;
use crate::{
    audit_values::{self, keys::EndedWithKey},
    rows,
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    KeyId, SecretKey, Transaction, audit::AuditContext, key_revocation, ports::OpenSessions,
};

/// Revokes a key, closes the sessions and links that it created, refuses its payouts that wait for
/// an approval, and stops its orders that are not handed over ([`key_revocation::stop`]). One that
/// is revoked already keeps its moment and its payouts that wait: its first revocation left them to
/// a person. The audit log gets an entry only if something ended.
pub(super) fn revoke_key(
    db: &Connection,
    id: &KeyId,
    sessions: OpenSessions,
    by: &AuditContext,
) -> Result<Option<SecretKey>> {
    let Some(before) = accounts::key_by_id(db, id)? else { return Ok(None) };
    let mut ended = EndedWithKey::default();
    if sessions == OpenSessions::Close {
        ended.checkouts = checkouts::close_all_of(db, id, by.at)?;
        ended.links = links::close_all_of_key(db, id, by.at)?;
    }
    let is_first = before.revoked_at.is_none();
    if is_first {
        ended.payouts = approvals::refuse_of_key(db, id, by.at)?.len();
    }
    (ended.held, ended.charges) = stop_unsent(db, id, by.at)?;
    // Sessions that the first revocation kept may be closed by a second one.
    if !is_first && ended.is_nothing() {
        return Ok(Some(before));
    }
    let after = db
        .prepare_cached(
            "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING *",
        )?
        .query_row((id.as_str(), by.at.as_millisecond()), |row| rows::key(&Record::new(row)))?;
    ready(audit::append(db, by, &audit_values::keys::key_revoked(&before, &after, &ended)))?;
    Ok(Some(after))
}

/// Stops the orders that are not handed over: those that the key asked for, and the charges of its
/// closed sessions and of those of its links. Returns how many payouts wait for an approval now,
/// and how many charges have ended.
fn stop_unsent(db: &Connection, key: &KeyId, now: Timestamp) -> Result<(usize, usize)> {
    let unsent: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_unsent
             WHERE send_at IS NOT NULL
               AND (key_id = ?1
                    OR EXISTS (SELECT 1 FROM checkouts LEFT JOIN payment_links ON payment_links.id \
             = checkouts.link_id
                               WHERE checkouts.id = checkout_id AND checkouts.closed_at <= ?2
                                 AND ?1 IN (checkouts.created_by, payment_links.created_by)))
             ORDER BY id",
        )?
        .query_map((key.as_str(), now.as_millisecond()), |row| {
            rows::transaction(&Record::new(row))
        })?
        .collect::<Result<_>>()?;
    let mut held = 0;
    let mut charges = 0;
    for mut transaction in unsent {
        let Some(event) = key_revocation::stop(&transaction) else { continue };
        take(db, &mut transaction, &event, now)?;
        if transaction.state.is_unapproved() {
            approvals::store_wait(db, &transaction)?;
            held += 1;
        } else {
            charges += 1;
        }
    }
    Ok((held, charges))
}
