//! Limits of payouts, and what counts towards them.
//!
//! Beginning or approving a payout locks the row of its limits until the commit, so that no two
//! payouts are counted against the same rest. Without limits there is no row, and nothing is
//! locked.

use super::security_notices;
use crate::{
    columns::number,
    rows,
    sql::{MissingRow, Parameters, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    Scope, TransactionId,
    audit::AuditContext,
    mail::SecurityEvent,
    payout_controls::{Ceiling, PayoutControls, day_of},
};

/// The columns of the limits of payouts, as [`crate::rows::payout_controls`] reads them.
#[macro_export]
macro_rules! controls_columns {
    () => {
        "account_id, mode, payout_limit, payout_daily_limit, payout_approval_above, \
         refund_approval_above"
    };
}
pub use controls_columns;

/// The limits of the account and mode of the first two parameters.
const SELECT: &str = concat!(
    "SELECT ",
    controls_columns!(),
    " FROM payout_controls WHERE account_id = $1 AND mode = $2"
);

/// The limits of the payouts of an account and mode.
pub async fn read<S: Sql>(db: &S, scope: &Scope) -> Result<PayoutControls, S::Error> {
    let row = db.query_opt(SELECT, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    Ok(row.as_ref().map(rows::payout_controls).transpose()?.unwrap_or_default())
}

/// As [`read`], and locks the row, if there is one.
pub async fn lock<S: Sql>(db: &S, scope: &Scope) -> Result<PayoutControls, S::Error> {
    let key: Parameters<'_> = &[&scope.account.as_str(), &scope.mode.as_str()];
    let locked = db.query_locked(SELECT, RowLock::NoKeyUpdate, key).await?;
    Ok(locked.first().map(rows::payout_controls).transpose()?.unwrap_or_default())
}

/// The limits of an account and mode, whose row is locked, and inserted if there is none.
pub(crate) async fn lock_one<S: Sql>(db: &S, scope: &Scope) -> Result<PayoutControls, S::Error> {
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let insert = "INSERT INTO payout_controls (account_id, mode) VALUES ($1, $2) ON CONFLICT \
        (account_id, mode) DO NOTHING";
    db.execute(insert, &[&account, &mode]).await?;
    lock(db, scope).await
}

/// Stores limits whose row exists ([`lock_one`]).
pub(crate) async fn write<S: Sql>(
    db: &S,
    scope: &Scope,
    controls: PayoutControls,
) -> Result<(), S::Error> {
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

/// Inserts notices to the owners about what has changed, if anything has.
pub(crate) async fn notify_owners<S: Sql>(
    db: &S,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let difference = before.difference(&after);
    if difference.is_empty() {
        return Ok(());
    }
    security_notices::notify_owners(db, SecurityEvent::LimitsChanged, scope, &difference, by).await
}

/// The sum of the payouts of a day, in pesewas; all but one payout.
pub async fn paid_pesewas<S: Sql>(
    db: &S,
    scope: &Scope,
    now: Timestamp,
    without: Option<&TransactionId>,
) -> Result<i64, S::Error> {
    let (start, end) = day_of(now);
    let index = S::index_hint("transactions_payouts");
    let sql = format!(
        "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) AS paid FROM transactions{index}
         WHERE account_id = $1 AND mode = $2 AND kind = 'PAYOUT' AND coalesce(approved_at, \
         created_at) >= $3
           AND coalesce(approved_at, created_at) < $4 AND status <> 'FAILED' AND id <> $5
           AND coalesce(refund_method, 'PAYOUT') = 'PAYOUT'"
    );
    let without = without.map_or("", TransactionId::as_str);
    let parameters: Parameters<'_> =
        &[&scope.account.as_str(), &scope.mode.as_str(), &start, &end, &without];
    number(&db.query_opt(&sql, parameters).await?.ok_or(MissingRow)?, "paid")
}
