//! Limits of the payouts of a batch of requests ([`tua_sql::queries::payout_controls`]).

use std::collections::{BTreeSet, HashMap};
use tua_domain::{Scope, payout_controls::PayoutControls};
use tua_sql::{
    columns,
    postgres::{db::Db, error::Result},
    queries::payout_controls::controls_columns,
    rows,
};

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
    let sql = concat!(
        "SELECT ",
        controls_columns!(),
        " FROM payout_controls
         WHERE (account_id, mode) IN (SELECT * FROM unnest($1::text[], $2::text[]))
         ORDER BY account_id, mode FOR NO KEY UPDATE"
    );
    let rows = db.query(sql, &[&accounts, &modes]).await?;
    rows.iter().map(|row| Ok((columns::scope(row)?, rows::payout_controls(row)?))).collect()
}
