//! What payment links have to do with sessions and charges. Writes are one after another, so
//! nothing changes between a check and its write.

use crate::queries::{checkouts, links::link_columns};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{CheckoutId, LinkId, Transaction, link::LinkStatus};
use tua_sql::{
    rows,
    sqlite::{record::Record, sql::ready},
};

/// Whether a session of this link may be opened.
pub(super) fn may_open_session(db: &Connection, id: &LinkId, now: Timestamp) -> Result<bool> {
    let link = db
        .prepare_cached(concat!("SELECT ", link_columns!(), " FROM payment_links WHERE id = ?1"))?
        .query_row([id.as_str()], |row| rows::link(&Record::new(row)))
        .optional()?;
    Ok(link.is_some_and(|link| link.status(now) == LinkStatus::Open) && !is_in_use(db, id)?)
}

/// Whether a link that can be paid once is paid, or has a charge that is not FAILED.
pub(super) fn is_in_use(db: &Connection, id: &LinkId) -> Result<bool> {
    db.prepare_cached(
        "SELECT 1 FROM payment_links
         WHERE id = ?1 AND uses = 'single'
           AND (used_at IS NOT NULL OR EXISTS (SELECT 1 FROM transactions WHERE link_id = ?1 AND \
         status <> 'FAILED'))",
    )?
    .exists([id.as_str()])
}

/// Marks a link that can be paid once as used by this charge, and closes its other sessions.
pub(super) fn mark_used(db: &Connection, paid: &Transaction) -> Result<()> {
    let (Some(id), now) = (&paid.order.link, paid.updated_at) else { return Ok(()) };
    let marked = db
        .prepare_cached(
            "UPDATE payment_links SET used_at = ?2 WHERE id = ?1 AND uses = 'single' \
             AND used_at IS NULL",
        )?
        .execute((id.as_str(), now.as_millisecond()))?;
    let own: Option<&CheckoutId> = paid.order.checkout.as_ref();
    if marked > 0 { ready(checkouts::close_all_of_link(db, id, own, now)) } else { Ok(()) }
}
