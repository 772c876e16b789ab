//! Payment links. The lock on a link's row orders its closing, the sessions that it opens, and the
//! charges of a link that can be paid once.
//!
//! Lock order: payment links by id, checkout sessions.

use super::{
    PostgresStore, accounts, closing,
    db::Db,
    error::Result,
    idempotency::{self, NewRecord},
    record::{at, maybe_at},
};
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::{
    audit_values,
    columns::{maybe_time, number, text},
    link_sql::{link_columns, select_links, select_public_link},
    rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tokio_postgres::Row;
use tua_contract::Amount;
use tua_domain::{
    KeyId, LinkId, Scope, Transaction,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPage, LinkStatus,
        LinkWithFigures, PublicLink,
    },
    ports::{PaymentLinks, StoreError},
    refusal_order::NewRequest,
};

#[async_trait]
impl PaymentLinks for PostgresStore {
    async fn create_payment_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> std::result::Result<(), CreateLinkError> {
        let link = &link;
        let response = response.as_ref();
        let verify = InDoubt::Verify("SELECT 1 FROM payment_links WHERE id = $1", link.id.as_str());
        self.tx.try_write(verify, |db| async move { insert(&db, link, response, by).await }).await?
    }

    async fn payment_link(
        &self,
        id: &LinkId,
    ) -> std::result::Result<Option<LinkWithFigures>, StoreError> {
        self.tx.read(|db| async move { by_id(&db, id).await }).await
    }

    async fn payment_link_by_code(
        &self,
        code: &LinkCode,
    ) -> std::result::Result<Option<PublicLink>, StoreError> {
        self.tx.read(|db| async move { by_code(&db, code).await }).await
    }

    async fn payment_links(
        &self,
        scope: &Scope,
        page: LinkPage,
    ) -> std::result::Result<Vec<LinkWithFigures>, StoreError> {
        let page = &page;
        self.tx.read(|db| async move { list(&db, scope, page).await }).await
    }

    async fn change_payment_link(
        &self,
        scope: &Scope,
        id: &LinkId,
        change: LinkChange,
        by: &AuditContext,
    ) -> std::result::Result<LinkWithFigures, ChangeLinkError> {
        self.tx
            .try_write(
                InDoubt::Retry,
                |db| async move { change_one(&db, scope, id, change, by).await },
            )
            .await?
    }
}

async fn insert(
    db: &Db,
    link: &Link,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<std::result::Result<(), CreateLinkError>> {
    let is_repeated = match response {
        Some(StoredResponse { attempt, snapshot }) => {
            let now = link.created_at;
            let record =
                NewRecord { attempt, subject: link.id.as_str(), response: Some(*snapshot), now };
            idempotency::insert_records(db, &[record]).await?.is_empty()
        }
        None => false,
    };
    let (min, max) = link.terms.amount.limits();
    let sql = "INSERT INTO payment_links (id, account_id, mode, code, title, description, amount, \
        min_amount, max_amount,
                                          uses, reference, metadata, created_at, expires_at, \
        created_by)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
               ON CONFLICT (code) DO NOTHING";
    let inserted = db
        .execute(
            sql,
            &[
                &link.id.as_str(),
                &link.scope.account.as_str(),
                &link.scope.mode.as_str(),
                &link.code.as_str(),
                &link.terms.title,
                &link.terms.description,
                &link.terms.amount.fixed().map(Amount::pesewas),
                &min.map(Amount::pesewas),
                &max.map(Amount::pesewas),
                &link.terms.uses.as_str(),
                &link.reference,
                &link.terms.metadata,
                &at(link.created_at),
                &maybe_at(link.terms.expires_at),
                &link.created_by.as_ref().map(KeyId::as_str),
            ],
        )
        .await?;
    let keys: Vec<&KeyId> = link.created_by.iter().collect();
    // Read after the insert, whose foreign keys lock the rows of account and key.
    let request = NewRequest {
        is_repeated,
        is_key_revoked: !accounts::revoked(db, &keys).await?.is_empty(),
        is_account_suspended: !accounts::suspended(db, &[&link.scope.account]).await?.is_empty(),
    };
    if let Err(refused) = request.check() {
        return Ok(Err(refused));
    }
    if inserted == 0 {
        return Ok(Err(CreateLinkError::CodeTaken));
    }
    audit::append(db, by, &audit_values::payments::payment_link_created(link)).await?;
    Ok(Ok(()))
}

fn with_figures(row: &Row) -> Result<LinkWithFigures> {
    Ok(LinkWithFigures { link: rows::link(row)?, figures: rows::link_figures(row)? })
}

pub(super) async fn by_id(db: &Db, id: &LinkId) -> Result<Option<LinkWithFigures>> {
    let found = db.query_opt(concat!(select_links!(), "WHERE id = $1"), &[&id.as_str()]).await?;
    found.as_ref().map(with_figures).transpose()
}

async fn by_code(db: &Db, code: &LinkCode) -> Result<Option<PublicLink>> {
    let found =
        db.query_opt(concat!(select_public_link!(), "WHERE code = $1"), &[&code.as_str()]).await?;
    let Some(row) = found else { return Ok(None) };
    let link = rows::link(&row)?;
    Ok(Some(PublicLink {
        is_in_use: link.used_at.is_none() && number::<_, u64>(&row, "pending")? > 0,
        link,
        merchant: text(&row, "merchant")?,
        branding: rows::branding(&row)?,
        sends_receipts: number::<_, u8>(&row, "receipts")? == 1
            && number::<_, u8>(&row, "mail")? == 1,
        is_suspended: maybe_time(&row, "suspended_at")?.is_some(),
    }))
}

async fn list(db: &Db, scope: &Scope, page: &LinkPage) -> Result<Vec<LinkWithFigures>> {
    let sql = concat!(
        select_links!(),
        "WHERE account_id = $1 AND mode = $2 AND ($3::text IS NULL OR id < $3) ORDER BY id DESC \
         LIMIT $4"
    );
    let after = page.after.as_ref().map(LinkId::as_str);
    let (account, mode, limit) =
        (scope.account.as_str(), scope.mode.as_str(), i64::from(page.limit));
    db.query(sql, &[&account, &mode, &after, &limit]).await?.iter().map(with_figures).collect()
}

async fn change_one(
    db: &Db,
    scope: &Scope,
    id: &LinkId,
    change: LinkChange,
    by: &AuditContext,
) -> Result<std::result::Result<LinkWithFigures, ChangeLinkError>> {
    db.query("SELECT 1 FROM payment_links WHERE id = $1 FOR NO KEY UPDATE", &[&id.as_str()])
        .await?;
    let Some(found) = by_id(db, id).await?.filter(|found| found.link.scope == *scope) else {
        return Ok(Err(ChangeLinkError::NotFound));
    };
    match found.link.changed(change, by.at) {
        Err(refused) => Ok(Err(refused)),
        Ok(None) => Ok(Ok(found)),
        Ok(Some(after)) => {
            store_closed(db, &after, by.at).await?;
            audit::append(
                db,
                by,
                &audit_values::payments::payment_link_changed(change, &found.link, &after),
            )
            .await?;
            Ok(Ok(LinkWithFigures { link: after, ..found }))
        }
    }
}

/// Stores when a link was closed; closes its sessions if it is. The caller has locked the link.
async fn store_closed(db: &Db, link: &Link, now: Timestamp) -> Result<()> {
    let sql = "UPDATE payment_links SET closed_at = $2 WHERE id = $1";
    db.execute(sql, &[&link.id.as_str(), &maybe_at(link.closed_at)]).await?;
    match link.closed_at {
        Some(_) => closing::close_all_of_link(db, &link.id, None, now).await,
        None => Ok(()),
    }
}

/// Closes the open links that a key created.
pub(super) async fn close_all_of_key(db: &Db, key: &KeyId, now: Timestamp) -> Result<usize> {
    let sql = concat!(
        "SELECT ",
        link_columns!(),
        " FROM payment_links WHERE created_by = $1 AND closed_at IS NULL AND used_at IS NULL
          ORDER BY id FOR NO KEY UPDATE"
    );
    let open: Vec<Link> =
        db.query(sql, &[&key.as_str()]).await?.iter().map(rows::link).collect::<Result<_>>()?;
    let mut count = 0;
    for link in open {
        if let Ok(Some(closed)) = link.changed(LinkChange::Close, now) {
            store_closed(db, &closed, now).await?;
            count += 1;
        }
    }
    Ok(count)
}

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
        paid.iter().filter_map(|charge| Some((charge.begun.link.as_ref()?, *charge))).collect();
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
        closing::close_all_of_link(db, link, charge.begun.checkout.as_ref(), charge.updated_at)
            .await?;
    }
    Ok(())
}
