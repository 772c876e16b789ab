//! Limits of payouts, and what counts towards them ([`tua_sql::queries::payout_controls`]).

use jiff::Timestamp;
use tua_domain::{Scope, TransactionId, payout_controls::PayoutControls};
use tua_sql::{queries::payout_controls, sql::Sql};

/// The controls of a payout, locked until the commit, and the sum of the payouts that count on the
/// day, all but one, in pesewas.
pub(crate) async fn lock<S: Sql>(
    db: &S,
    scope: &Scope,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<(PayoutControls, i64), S::Error> {
    let controls = payout_controls::lock(db, scope).await?;
    Ok((controls, paid_pesewas(db, controls, scope, without, now).await?))
}

/// As [`lock`], without a lock.
pub(crate) async fn read<S: Sql>(
    db: &S,
    scope: &Scope,
    now: Timestamp,
) -> Result<(PayoutControls, i64), S::Error> {
    let controls = payout_controls::read(db, scope).await?;
    Ok((controls, paid_pesewas(db, controls, scope, None, now).await?))
}

/// The sum is read only where there is a daily limit.
async fn paid_pesewas<S: Sql>(
    db: &S,
    controls: PayoutControls,
    scope: &Scope,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<i64, S::Error> {
    match controls.daily_limit {
        None => Ok(0),
        Some(_) => payout_controls::paid_pesewas(db, scope, now, without).await,
    }
}
