//! Revokes keys, with what they created.
//!
//! Lock order: key, links, sessions, transactions.

use super::{approvals, checkouts, links};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{KeyId, SecretKey, audit::AuditContext, key_revocation, ports::OpenSessions};
use tua_sql::{
    audit_values::{self, keys::EndedWithKey},
    queries::{
        accounts::{self, key_columns},
        audit,
    },
    rows,
    sql::MissingRow,
};

/// Revokes a key, closes the sessions and links that it created, refuses its payouts that wait for
/// an approval, and stops its orders that are not handed over ([`key_revocation::stop`]). One that
/// is revoked already keeps its moment and its payouts that wait: its first revocation left them to
/// a person. The audit log gets an entry only if something ended.
pub(crate) async fn revoke_key<S: PaymentSql>(
    db: &S,
    id: &KeyId,
    sessions: OpenSessions,
    by: &AuditContext,
) -> Result<Option<SecretKey>, S::Error> {
    let Some(before) = accounts::lock_key(db, id).await? else { return Ok(None) };
    let mut ended = EndedWithKey::default();
    if sessions == OpenSessions::Close {
        ended.links = links::close_all_of_key(db, id, by.at).await?;
        ended.checkouts = checkouts::close_all_of(db, id, by.at).await?;
    }
    let is_first = before.revoked_at.is_none();
    if is_first {
        ended.payouts = approvals::refuse_of_key(db, id, by.at).await?.len();
    }
    (ended.held, ended.charges) = stop_unsent(db, id, by.at).await?;
    // Sessions that the first revocation kept may be closed by a second one.
    if !is_first && ended.is_nothing() {
        return Ok(Some(before));
    }
    let sql = concat!(
        "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING ",
        key_columns!()
    );
    let row = db.query_opt(sql, &[&id.as_str(), &by.at]).await?.ok_or(MissingRow)?;
    let after = rows::key(&row)?;
    audit::append(db, by, &audit_values::keys::key_revoked(&before, &after, &ended)).await?;
    Ok(Some(after))
}

/// Stops the orders that are not handed over: those that the key asked for, and the charges of its
/// closed sessions and of those of its links. Returns how many payouts wait for an approval now,
/// and how many charges have ended.
async fn stop_unsent<S: PaymentSql>(
    db: &S,
    key: &KeyId,
    now: Timestamp,
) -> Result<(usize, usize), S::Error> {
    let is_of_key = "(key_id = $1
         OR EXISTS (SELECT 1 FROM checkouts LEFT JOIN payment_links ON payment_links.id = \
        checkouts.link_id
                    WHERE checkouts.id = checkout_id AND checkouts.closed_at <= $2
                      AND $1 IN (checkouts.created_by, payment_links.created_by)))";
    let mut held = 0;
    let mut charges = 0;
    for mut transaction in approvals::lock_unsent(db, is_of_key, &[&key.as_str(), &now]).await? {
        let Some(event) = key_revocation::stop(&transaction) else { continue };
        db.apply_event(&mut transaction, &event, now).await?;
        if transaction.state.is_unapproved() {
            approvals::store_wait(db, &transaction).await?;
            held += 1;
        } else {
            charges += 1;
        }
    }
    Ok((held, charges))
}
