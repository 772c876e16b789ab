//! Limits of payouts, and what counts towards them.

use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{Scope, TransactionId, payout_controls::PayoutControls};
use tua_sql::{
    queries::payout_controls::{paid_pesewas, read},
    sqlite::sql::ready,
};

/// The controls of a payout, and the sum of the payouts that count on the day, all but one, in
/// pesewas. The sum is read only where there is a daily limit.
pub(super) fn of_payout(
    db: &Connection,
    scope: &Scope,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<(PayoutControls, i64)> {
    let controls = ready(read(db, scope))?;
    let paid = match controls.daily_limit {
        None => 0,
        Some(_) => ready(paid_pesewas(db, scope, now, without))?,
    };
    Ok((controls, paid))
}
