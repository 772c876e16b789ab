//! What payment links have to do with sessions and charges, many at a time. Links are locked in the
//! order of their ids, as in [`crate::queries::links`].

use super::record::at;
use crate::queries::{checkouts, links::link_columns};
use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{
    LinkId, Transaction,
    link::{Link, LinkStatus},
};
use tua_sql::{
    postgres::{db::Db, error::Result},
    rows,
};

/// The links among these that may not open a session at that time. Sessions are opened beside each
/// other; a change of the link waits for them, and they for the change.
pub(super) async fn closed(db: &Db, openings: &[(&LinkId, Timestamp)]) -> Result<HashSet<LinkId>> {
    if openings.is_empty() {
        return Ok(HashSet::new());
    }
    let ids: Vec<&str> = openings.iter().map(|(id, _)| id.as_str()).collect();
    let sql = concat!(
        "SELECT ",
        link_columns!(),
        " FROM payment_links WHERE id = ANY($1) ORDER BY id FOR SHARE"
    );
    let links: Vec<Link> =
        db.query(sql, &[&ids]).await?.iter().map(rows::link).collect::<Result<_>>()?;
    let in_use = charged(db, &ids).await?;
    let is_open = |(id, now): &&(&LinkId, Timestamp)| {
        let link = links.iter().find(|link| link.id == **id);
        link.is_some_and(|link| link.status(*now) == LinkStatus::Open) && !in_use.contains(*id)
    };
    Ok(openings.iter().filter(|opening| !is_open(opening)).map(|(id, _)| (*id).clone()).collect())
}

/// Locks those of these links that can be paid once, and returns which of them are paid or have a
/// charge that is not FAILED.
pub(super) async fn in_use(db: &Db, links: &[&LinkId]) -> Result<HashSet<LinkId>> {
    if links.is_empty() {
        return Ok(HashSet::new());
    }
    let ids: Vec<&str> = links.iter().map(|id| id.as_str()).collect();
    let lock = "SELECT 1 FROM payment_links WHERE id = ANY($1) AND uses = 'single' ORDER BY id FOR \
        NO KEY UPDATE";
    // Pipelined. The second statement sees what was committed while the first waited for a lock.
    let lock = async { db.query(lock, &[&ids]).await };
    let (_, in_use) = tokio::try_join!(biased; lock, charged(db, &ids))?;
    Ok(in_use)
}

/// The links among these that can be paid once, and are paid or have a charge that is not FAILED.
async fn charged(db: &Db, ids: &[&str]) -> Result<HashSet<LinkId>> {
    let sql = "SELECT id FROM payment_links
               WHERE id = ANY($1) AND uses = 'single' AND (used_at IS NOT NULL OR EXISTS
                   (SELECT 1 FROM transactions WHERE link_id = payment_links.id AND status <> \
        'FAILED'))";
    let found = db.query(sql, &[&ids]).await?;
    found.iter().map(|row| Ok(LinkId::new(row.try_get::<_, String>(0)?))).collect()
}

/// Marks links that can be paid once as used by these charges, and closes their other sessions.
pub(super) async fn mark_used(db: &Db, paid: &[&Transaction]) -> Result<()> {
    let mut paid: Vec<(&LinkId, &Transaction)> =
        paid.iter().filter_map(|charge| Some((charge.order.link.as_ref()?, *charge))).collect();
    paid.sort_unstable_by_key(|(link, _)| link.as_str());
    let links: Vec<&str> = paid.iter().map(|(link, _)| link.as_str()).collect();
    let times: Vec<i64> = paid.iter().map(|(_, charge)| at(charge.updated_at)).collect();
    if links.is_empty() {
        return Ok(());
    }
    // Locked in the order of their ids, as everywhere.
    db.query(
        "SELECT 1 FROM payment_links WHERE id = ANY($1) AND uses = 'single' ORDER BY id FOR UPDATE",
        &[&links],
    )
    .await?;
    let sql = "UPDATE payment_links SET used_at = paid.at
               FROM (SELECT id, min(at) AS at FROM unnest($1::text[], $2::bigint[]) AS one (id, \
        at) GROUP BY id) AS paid
               WHERE payment_links.id = paid.id AND uses = 'single' AND used_at IS NULL RETURNING \
        payment_links.id";
    let used = db.query(sql, &[&links, &times]).await?;
    let used: Vec<String> =
        used.iter().map(|row| row.try_get(0)).collect::<std::result::Result<_, _>>()?;
    for (link, charge) in
        paid.into_iter().filter(|(link, _)| used.iter().any(|one| one == link.as_str()))
    {
        checkouts::close_all_of_link(db, link, charge.order.checkout.as_ref(), charge.updated_at)
            .await?;
    }
    Ok(())
}
