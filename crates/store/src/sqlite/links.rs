//! Payment links. Writes are one after another, so nothing changes between a check and its write.

use super::sql::ready;
use super::{SqliteStore, accounts, checkouts, idempotency, record::Record};
use crate::queries::audit;
use crate::{
    audit_values,
    columns::{maybe_time, number, text},
    link_sql::{link_columns, select_links, select_public_link},
    rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, Row, named_params};
use tua_contract::Amount;
use tua_domain::{
    CheckoutId, KeyId, LinkId, Scope, Transaction,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPage, LinkStatus,
        LinkWithFigures, PublicLink,
    },
    ports::{PaymentLinks, StoreError},
};

#[async_trait]
impl PaymentLinks for SqliteStore {
    async fn create_payment_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> std::result::Result<(), CreateLinkError> {
        let by = by.clone();
        self.writer.write(move |db| insert(db, &link, response.as_ref(), &by)).await?
    }

    async fn payment_link(
        &self,
        id: &LinkId,
    ) -> std::result::Result<Option<LinkWithFigures>, StoreError> {
        self.readers.read(|db| by_id(db, id))
    }

    async fn payment_link_by_code(
        &self,
        code: &LinkCode,
    ) -> std::result::Result<Option<PublicLink>, StoreError> {
        self.readers.read(|db| by_code(db, code))
    }

    async fn payment_links(
        &self,
        scope: &Scope,
        page: LinkPage,
    ) -> std::result::Result<Vec<LinkWithFigures>, StoreError> {
        let scope = scope.clone();
        self.readers.read_many(move |db| list(db, &scope, &page)).await
    }

    async fn change_payment_link(
        &self,
        scope: &Scope,
        id: &LinkId,
        change: LinkChange,
        by: &AuditContext,
    ) -> std::result::Result<LinkWithFigures, ChangeLinkError> {
        let scope = scope.clone();
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| change_one(db, &scope, &id, change, &by)).await?
    }
}

fn insert(
    db: &Connection,
    link: &Link,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<std::result::Result<(), CreateLinkError>> {
    let (attempt, snapshot) =
        (response.map(|response| &response.attempt), response.map(|response| response.snapshot));
    let request =
        accounts::new_request(db, attempt, link.created_by.as_ref(), &link.scope.account)?;
    if let Err(refused) = request.check() {
        return Ok(Err(refused));
    }
    let is_taken = db
        .prepare_cached("SELECT 1 FROM payment_links WHERE code = ?1")?
        .exists([link.code.as_str()])?;
    if is_taken {
        return Ok(Err(CreateLinkError::CodeTaken));
    }
    idempotency::insert(db, attempt, link.id.as_str(), snapshot, link.created_at)?;
    let (min, max) = link.terms.amount.limits();
    db.prepare_cached(
        "INSERT INTO payment_links (id, account_id, mode, code, title, description, amount, \
         min_amount, max_amount, uses,
                                    reference, metadata, created_at, expires_at, created_by)
         VALUES (:id, :account, :mode, :code, :title, :description, :amount, :min, :max, :uses,
                 :reference, :metadata, :created_at, :expires_at, :created_by)",
    )?
    .execute(named_params! {
        ":id": link.id.as_str(),
        ":account": link.scope.account.as_str(),
        ":mode": link.scope.mode.as_str(),
        ":code": link.code.as_str(),
        ":title": link.terms.title,
        ":description": link.terms.description,
        ":amount": link.terms.amount.fixed().map(Amount::pesewas),
        ":min": min.map(Amount::pesewas),
        ":max": max.map(Amount::pesewas),
        ":uses": link.terms.uses.as_str(),
        ":reference": link.reference,
        ":metadata": link.terms.metadata,
        ":created_at": link.created_at.as_millisecond(),
        ":expires_at": link.terms.expires_at.map(Timestamp::as_millisecond),
        ":created_by": link.created_by.as_ref().map(KeyId::as_str),
    })?;
    ready(audit::append(db, by, &audit_values::payments::payment_link_created(link)))?;
    Ok(Ok(()))
}

fn with_figures(row: &Row<'_>) -> Result<LinkWithFigures> {
    let row = Record::new(row);
    Ok(LinkWithFigures { link: rows::link(&row)?, figures: rows::link_figures(&row)? })
}

pub(super) fn by_id(db: &Connection, id: &LinkId) -> Result<Option<LinkWithFigures>> {
    db.prepare_cached(concat!(select_links!(), "WHERE id = ?1"))?
        .query_row([id.as_str()], with_figures)
        .optional()
}

fn by_code(db: &Connection, code: &LinkCode) -> Result<Option<PublicLink>> {
    db.prepare_cached(concat!(select_public_link!(), "WHERE code = ?1"))?
        .query_row([code.as_str()], |row| {
            let row = Record::new(row);
            let link = rows::link(&row)?;
            Ok(PublicLink {
                is_in_use: link.used_at.is_none() && number::<_, u64>(&row, "pending")? > 0,
                link,
                merchant: text(&row, "merchant")?,
                branding: rows::branding(&row)?,
                sends_receipts: number::<_, u8>(&row, "receipts")? == 1
                    && number::<_, u8>(&row, "mail")? == 1,
                is_suspended: maybe_time(&row, "suspended_at")?.is_some(),
            })
        })
        .optional()
}

fn list(db: &Connection, scope: &Scope, page: &LinkPage) -> Result<Vec<LinkWithFigures>> {
    db.prepare_cached(concat!(
        select_links!(),
        "WHERE account_id = ?1 AND mode = ?2 AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4"
    ))?
    .query_map(
        (
            scope.account.as_str(),
            scope.mode.as_str(),
            page.after.as_ref().map(LinkId::as_str),
            page.limit,
        ),
        with_figures,
    )?
    .collect()
}

fn change_one(
    db: &Connection,
    scope: &Scope,
    id: &LinkId,
    change: LinkChange,
    by: &AuditContext,
) -> Result<std::result::Result<LinkWithFigures, ChangeLinkError>> {
    let Some(found) = by_id(db, id)?.filter(|found| found.link.scope == *scope) else {
        return Ok(Err(ChangeLinkError::NotFound));
    };
    match found.link.changed(change, by.at) {
        Err(refused) => Ok(Err(refused)),
        Ok(None) => Ok(Ok(found)),
        Ok(Some(after)) => {
            store_closed(db, &after, by.at)?;
            ready(audit::append(
                db,
                by,
                &audit_values::payments::payment_link_changed(change, &found.link, &after),
            ))?;
            Ok(Ok(LinkWithFigures { link: after, ..found }))
        }
    }
}

/// Stores when a link was closed; closes its sessions if it is.
fn store_closed(db: &Connection, link: &Link, now: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE payment_links SET closed_at = ?2 WHERE id = ?1")?
        .execute((link.id.as_str(), link.closed_at.map(Timestamp::as_millisecond)))?;
    match link.closed_at {
        Some(_) => checkouts::close_all_of_link(db, &link.id, None, now),
        None => Ok(()),
    }
}

/// Closes the open links that a key created.
pub(super) fn close_all_of_key(db: &Connection, key: &KeyId, now: Timestamp) -> Result<usize> {
    let open: Vec<Link> = db
        .prepare_cached(concat!(
            "SELECT ",
            link_columns!(),
            " FROM payment_links WHERE created_by = ?1 AND closed_at IS NULL AND used_at IS NULL"
        ))?
        .query_map([key.as_str()], |row| rows::link(&Record::new(row)))?
        .collect::<Result<_>>()?;
    let mut count = 0;
    for link in open {
        if let Ok(Some(closed)) = link.changed(LinkChange::Close, now) {
            store_closed(db, &closed, now)?;
            count += 1;
        }
    }
    Ok(count)
}

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
    let (Some(id), now) = (&paid.begun.link, paid.updated_at) else { return Ok(()) };
    let marked = db
        .prepare_cached(
            "UPDATE payment_links SET used_at = ?2 WHERE id = ?1 AND uses = 'single' \
             AND used_at IS NULL",
        )?
        .execute((id.as_str(), now.as_millisecond()))?;
    let own: Option<&CheckoutId> = paid.begun.checkout.as_ref();
    if marked > 0 { checkouts::close_all_of_link(db, id, own, now) } else { Ok(()) }
}
