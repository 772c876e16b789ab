//! Limits of payouts, and what counts towards them.

use super::sql::ready;
use super::{limit_lifts, record::Record};
use crate::queries::audit;
use crate::queries::security_notices;
use crate::{audit_values, rows};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    Scope, TransactionId,
    audit::AuditContext,
    mail::SecurityEvent,
    payout_controls::{Ceiling, ControlsChange, PayoutControls, day_of},
};

pub(super) fn read(db: &Connection, scope: &Scope) -> Result<PayoutControls> {
    db.prepare_cached("SELECT * FROM payout_controls WHERE account_id = ?1 AND mode = ?2")?
        .query_row((scope.account.as_str(), scope.mode.as_str()), |row| {
            rows::payout_controls(&Record::new(row))
        })
        .optional()
        .map(Option::unwrap_or_default)
}

/// Changes limits at once. A change that waits for a second person ends.
pub(super) fn change(
    db: &Connection,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<PayoutControls> {
    let before = read(db, scope)?;
    let controls = change.apply(before);
    write(db, scope, controls)?;
    limit_lifts::end(db, scope)?;
    ready(audit::append(
        db,
        by,
        &audit_values::payouts::payout_limits_changed(scope, before, controls),
    ))?;
    tell(db, scope, before, controls, by)?;
    Ok(controls)
}

pub(super) fn write(db: &Connection, scope: &Scope, controls: PayoutControls) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO payout_controls
             (account_id, mode, payout_limit, payout_daily_limit, payout_approval_above, \
         refund_approval_above)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (account_id, mode) DO UPDATE SET payout_limit = ?3, payout_daily_limit = ?4,
             payout_approval_above = ?5, refund_approval_above = ?6",
    )?
    .execute(params![
        scope.account.as_str(),
        scope.mode.as_str(),
        controls.limit.map(Ceiling::pesewas),
        controls.daily_limit.map(Ceiling::pesewas),
        controls.approval_above.map(Ceiling::pesewas),
        controls.refund_approval_above.map(Ceiling::pesewas),
    ])
    .map(drop)
}

/// Tells the owners what has changed.
pub(super) fn tell(
    db: &Connection,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<()> {
    let difference = before.difference(&after);
    if difference.is_empty() {
        return Ok(());
    }
    ready(security_notices::tell_owners(db, SecurityEvent::LimitsChanged, scope, &difference, by))
}

/// The controls of a payout, and the sum of the payouts that count on the day, all but one, in
/// pesewas. The sum is read only where there is a daily limit.
pub(super) fn of_payout(
    db: &Connection,
    scope: &Scope,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<(PayoutControls, i64)> {
    let controls = read(db, scope)?;
    let (start, end) = day_of(now);
    let paid = match controls.daily_limit {
        None => 0,
        Some(_) => db
            .prepare_cached(
                "SELECT coalesce(sum(amount), 0) FROM transactions INDEXED BY transactions_payouts
                 WHERE account_id = ?1 AND mode = ?2 AND kind = 'PAYOUT' AND coalesce(approved_at, \
                 created_at) >= ?3
                   AND coalesce(approved_at, created_at) < ?4 AND status <> 'FAILED' AND id <> ?5
                   AND coalesce(refund_method, 'PAYOUT') = 'PAYOUT'",
            )?
            .query_row(
                (
                    scope.account.as_str(),
                    scope.mode.as_str(),
                    start,
                    end,
                    without.map_or("", TransactionId::as_str),
                ),
                |row| row.get(0),
            )?,
    };
    Ok((controls, paid))
}
