//! Payment links. The lock on a link's row orders its closing, the sessions that it opens, and the
//! charges of a link that can be paid once.
//!
//! Lock order: payment links by id, checkout sessions.

use super::{checkouts, new_requests};
use crate::payment_sql::{NewRecord, PaymentSql};
use jiff::Timestamp;
use tua_contract::Amount;
use tua_domain::{
    KeyId, LinkId, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPageRequest,
        LinkWithTotals, PublicLink,
    },
};
use tua_sql::{
    audit_values,
    columns::{maybe_time, number, text},
    queries::{audit, mail::has_mail_server},
    rows,
    sql::{RowLock, Sql},
    write_error::WriteError,
};

/// The columns of a link.
macro_rules! link_columns {
    () => {
        "payment_links.id, account_id, mode, code, title, description, amount, min_amount, \
         max_amount, uses, reference,
         metadata, question, payment_links.created_at, expires_at, closed_at, used_at, created_by"
    };
}
pub(crate) use link_columns;

/// Selects links with the number and the sum of their payments. Both are read from the index
/// `transactions_by_link`, without the rows of the charges.
macro_rules! select_links {
    ($clauses:literal) => {
        concat!(
            "SELECT ",
            link_columns!(),
            ", (SELECT count(*) FROM transactions
                WHERE link_id = payment_links.id AND status = 'SUCCESSFUL') AS payments,
               (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM transactions
                WHERE link_id = payment_links.id AND status = 'SUCCESSFUL') AS paid_pesewas,
               (SELECT count(*) FROM transactions
                WHERE link_id = payment_links.id AND status = 'PENDING') AS pending
             FROM payment_links ",
            $clauses
        )
    };
}

/// Inserts a link, with the idempotency record of its request.
pub(crate) async fn create<S: PaymentSql>(
    db: &S,
    link: &Link,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<(), WriteError<CreateLinkError, S::Error>> {
    let record = response
        .map(|response| NewRecord::of_response(response, link.id.as_str(), link.created_at));
    let key = link.created_by.as_ref();
    let request = new_requests::claim(db, record.as_ref(), key, &link.scope.account).await?;
    request.check().map_err(WriteError::Rejected)?;
    if !insert(db, link).await? {
        return Err(WriteError::Rejected(CreateLinkError::CodeTaken));
    }
    db.insert_record(record.as_ref()).await?;
    audit::append(db, by, &audit_values::payments::payment_link_created(link)).await?;
    Ok(())
}

/// Returns `false` if another link has its code.
async fn insert<S: Sql>(db: &S, link: &Link) -> Result<bool, S::Error> {
    let sql = "INSERT INTO payment_links (id, account_id, mode, code, title, description, amount, \
         min_amount, max_amount,
             uses, reference, metadata, created_at, expires_at, created_by, question)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (code) DO NOTHING";
    let (min, max) = link.terms.amount.limits();
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
                &link.created_at,
                &link.terms.expires_at,
                &link.created_by.as_ref().map(KeyId::as_str),
                &link.terms.question,
            ],
        )
        .await?;
    Ok(inserted > 0)
}

/// Converts a row of `select_links`.
fn link_with_totals<S: Sql>(row: &S::Row) -> Result<LinkWithTotals, S::Error> {
    Ok(LinkWithTotals { link: rows::link(row)?, totals: rows::link_totals(row)? })
}

/// Finds a link by its id.
pub(crate) async fn by_id<S: Sql>(db: &S, id: &LinkId) -> Result<Option<LinkWithTotals>, S::Error> {
    let found = db.query_opt(select_links!("WHERE id = $1"), &[&id.as_str()]).await?;
    found.as_ref().map(link_with_totals::<S>).transpose()
}

/// Finds a link by its code, with what its public page shows.
pub(crate) async fn by_code<S: Sql>(
    db: &S,
    code: &LinkCode,
) -> Result<Option<PublicLink>, S::Error> {
    let sql = concat!(
        "SELECT ",
        link_columns!(),
        ", accounts.name AS merchant, accounts.accent, accounts.logo, accounts.receipts, \
         accounts.suspended_at,
           (SELECT count(*) FROM mail_switch WHERE ",
        has_mail_server!("accounts.id"),
        ") AS mail,
           CASE WHEN uses = 'single' THEN (SELECT count(*) FROM transactions
                WHERE link_id = payment_links.id AND status = 'PENDING') ELSE 0 END AS pending
         FROM payment_links JOIN accounts ON accounts.id = account_id WHERE code = $1"
    );
    let Some(row) = db.query_opt(sql, &[&code.as_str()]).await? else { return Ok(None) };
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

/// Lists the links of an account and mode, newest first.
pub(crate) async fn list<S: Sql>(
    db: &S,
    scope: &Scope,
    page: &LinkPageRequest,
) -> Result<Vec<LinkWithTotals>, S::Error> {
    let sql = select_links!(
        "WHERE account_id = $1 AND mode = $2 AND (CAST($3 AS TEXT) IS NULL OR id < $3)
         ORDER BY id DESC LIMIT $4"
    );
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let after = page.after.as_ref().map(LinkId::as_str);
    db.query(sql, &[&account, &mode, &after, &page.limit])
        .await?
        .iter()
        .map(link_with_totals::<S>)
        .collect()
}

/// Closes or reopens a link of this account and mode.
pub(crate) async fn change<S: PaymentSql>(
    db: &S,
    scope: &Scope,
    id: &LinkId,
    change: LinkChange,
    by: &AuditContext,
) -> Result<LinkWithTotals, WriteError<ChangeLinkError, S::Error>> {
    let lock = "SELECT id FROM payment_links WHERE id = $1";
    db.query_locked(lock, RowLock::NoKeyUpdate, &[&id.as_str()]).await?;
    let Some(found) = by_id(db, id).await?.filter(|found| found.link.scope == *scope) else {
        return Err(WriteError::Rejected(ChangeLinkError::NotFound));
    };
    let changed = found.link.changed(change, by.at).map_err(WriteError::Rejected)?;
    let Some(after) = changed else { return Ok(found) };
    update_closed_at(db, &after, by.at).await?;
    let entry = audit_values::payments::payment_link_changed(change, &found.link, &after);
    audit::append(db, by, &entry).await?;
    Ok(LinkWithTotals { link: after, ..found })
}

/// Updates the time at which a link was closed. If it is closed, closes its sessions too. The
/// caller has locked the link.
async fn update_closed_at<S: PaymentSql>(
    db: &S,
    link: &Link,
    now: Timestamp,
) -> Result<(), S::Error> {
    let sql = "UPDATE payment_links SET closed_at = $2 WHERE id = $1";
    db.execute(sql, &[&link.id.as_str(), &link.closed_at]).await?;
    match link.closed_at {
        Some(_) => checkouts::close_all_of_link(db, &link.id, None, now).await,
        None => Ok(()),
    }
}

/// Closes the open links that a key created. Returns their number.
pub(crate) async fn close_all_of_key<S: PaymentSql>(
    db: &S,
    key: &KeyId,
    now: Timestamp,
) -> Result<usize, S::Error> {
    let sql = concat!(
        "SELECT ",
        link_columns!(),
        " FROM payment_links WHERE created_by = $1 AND closed_at IS NULL AND used_at IS NULL
          ORDER BY id"
    );
    let found = db.query_locked(sql, RowLock::NoKeyUpdate, &[&key.as_str()]).await?;
    let open: Vec<Link> = found.iter().map(rows::link).collect::<Result<_, S::Error>>()?;
    let mut count = 0;
    for link in open {
        if let Ok(Some(closed)) = link.changed(LinkChange::Close, now) {
            update_closed_at(db, &closed, now).await?;
            count += 1;
        }
    }
    Ok(count)
}
