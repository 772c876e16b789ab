//! Limits of payouts, and what counts towards them.
//!
//! Beginning or approving a payout locks the row of its limits until the commit, so that no two
//! payouts are counted against the same rest. Without limits there is no row, and nothing is
//! locked.

use super::{db::Db, error::Result, limit_lifts};
use crate::queries::audit;
use crate::queries::security_notices;
use crate::{audit_values, columns, rows};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use tua_domain::{
    Scope, TransactionId,
    audit::AuditContext,
    mail::SecurityEvent,
    payout_controls::{Ceiling, ControlsChange, PayoutControls, day_of},
};

const COLUMNS: &str = "account_id, mode, payout_limit, payout_daily_limit, payout_approval_above, \
    refund_approval_above";

/// The controls of accounts and modes; without those that have none.
pub(super) async fn lock(
    db: &Db,
    scopes: impl Iterator<Item = &Scope>,
) -> Result<HashMap<Scope, PayoutControls>> {
    let scopes: BTreeSet<(&str, &str)> =
        scopes.map(|scope| (scope.account.as_str(), scope.mode.as_str())).collect();
    if scopes.is_empty() {
        return Ok(HashMap::new());
    }
    let (accounts, modes): (Vec<&str>, Vec<&str>) = scopes.into_iter().unzip();
    let sql = format!(
        "SELECT {COLUMNS} FROM payout_controls
         WHERE (account_id, mode) IN (SELECT * FROM unnest($1::text[], $2::text[]))
         ORDER BY account_id, mode FOR NO KEY UPDATE"
    );
    let rows = db.query(&sql, &[&accounts, &modes]).await?;
    rows.iter().map(|row| Ok((columns::scope(row)?, rows::payout_controls(row)?))).collect()
}

pub(super) async fn read(db: &Db, scope: &Scope) -> Result<PayoutControls> {
    let sql = format!("SELECT {COLUMNS} FROM payout_controls WHERE account_id = $1 AND mode = $2");
    let row = db.query_opt(&sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    Ok(row.as_ref().map(rows::payout_controls).transpose()?.unwrap_or_default())
}

/// Changes limits at once. A change that waits for a second person ends.
pub(super) async fn change(
    db: &Db,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<PayoutControls> {
    let before = lock_one(db, scope).await?;
    let controls = change.apply(before);
    write(db, scope, controls).await?;
    limit_lifts::end(db, scope).await?;
    tell(db, scope, before, controls, by).await?;
    audit::append(db, by, &audit_values::payouts::payout_limits_changed(scope, before, controls))
        .await?;
    Ok(controls)
}

/// The limits of an account and mode, whose row is locked, and inserted if there is none.
pub(super) async fn lock_one(db: &Db, scope: &Scope) -> Result<PayoutControls> {
    let insert = "INSERT INTO payout_controls (account_id, mode) VALUES ($1, $2) ON CONFLICT \
        (account_id, mode) DO NOTHING";
    db.execute(insert, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    Ok(lock(db, std::iter::once(scope)).await?.remove(scope).unwrap_or_default())
}

pub(super) async fn write(db: &Db, scope: &Scope, controls: PayoutControls) -> Result<()> {
    db.execute(
        "UPDATE payout_controls SET payout_limit = $3, payout_daily_limit = $4, \
         payout_approval_above = $5,
             refund_approval_above = $6
         WHERE account_id = $1 AND mode = $2",
        &[
            &scope.account.as_str(),
            &scope.mode.as_str(),
            &controls.limit.map(Ceiling::pesewas),
            &controls.daily_limit.map(Ceiling::pesewas),
            &controls.approval_above.map(Ceiling::pesewas),
            &controls.refund_approval_above.map(Ceiling::pesewas),
        ],
    )
    .await
    .map(drop)
}

/// Tells the owners what has changed.
pub(super) async fn tell(
    db: &Db,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<()> {
    let difference = before.difference(&after);
    if difference.is_empty() {
        return Ok(());
    }
    security_notices::tell_owners(db, SecurityEvent::LimitsChanged, scope, &difference, by).await
}

/// The sum of the payouts of a day, in pesewas; all but one payout.
pub(super) async fn paid_pesewas(
    db: &Db,
    scope: &Scope,
    now: Timestamp,
    without: Option<&TransactionId>,
) -> Result<i64> {
    let (start, end) = day_of(now);
    let sql = "SELECT coalesce(sum(amount), 0)::bigint FROM transactions
               WHERE account_id = $1 AND mode = $2 AND kind = 'PAYOUT' AND coalesce(approved_at, \
        created_at) >= $3
                 AND coalesce(approved_at, created_at) < $4 AND status <> 'FAILED' AND id <> $5
                 AND coalesce(refund_method, 'PAYOUT') = 'PAYOUT'";
    let without = without.map_or("", TransactionId::as_str);
    let row = db
        .query_opt(sql, &[&scope.account.as_str(), &scope.mode.as_str(), &start, &end, &without])
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?.unwrap_or_default())
}
