//! Reads the charges that charges of a page may repeat.

use super::report_conditions::{Conditions, Value};
use crate::{
    rows::{self, transaction_columns},
    sql::{Parameter, Sql},
};
use tua_domain::{Scope, Transaction, repeated_charge::REPEATED_WITHIN};

const COLUMNS: &str = transaction_columns!();

/// For each of these charges the latest of the same number and amount before it, and the first
/// after it, within [`REPEATED_WITHIN`]. Each is found through the index of phone numbers.
pub async fn around<S: Sql>(
    db: &S,
    scope: &Scope,
    charges: &[Transaction],
) -> Result<Vec<Transaction>, S::Error> {
    if charges.is_empty() {
        return Ok(Vec::new());
    }
    let mut conditions = Conditions::new(S::index_hint, scope);
    let index = S::index_hint("transactions_by_phone");
    let mut selects = Vec::new();
    for charge in charges {
        let transfer = &charge.order.transfer;
        let phone = conditions.bind(Value::Text(transfer.phone.as_str().to_owned()));
        let amount = conditions.bind(Value::Integer(transfer.amount.pesewas()));
        let id = conditions.bind(Value::Text(charge.order.id.as_str().to_owned()));
        let mut bind_time = |at: i64| conditions.bind(Value::Integer(at));
        let at_ms = charge.created_at.as_millisecond();
        let within_ms = REPEATED_WITHIN.as_secs() * 1_000;
        let at = bind_time(at_ms);
        let first = bind_time(at_ms - within_ms);
        let last = bind_time(at_ms + within_ms);
        for (period, order) in [
            (
                format!("created_at BETWEEN {first} AND {at} AND (created_at < {at} OR id < {id})"),
                "DESC",
            ),
            (
                format!("created_at BETWEEN {at} AND {last} AND (created_at > {at} OR id > {id})"),
                "ASC",
            ),
        ] {
            let number = selects.len();
            selects.push(format!(
                "SELECT id FROM (SELECT id FROM transactions{index}
                     WHERE {} AND phone = {phone} AND amount = {amount} AND kind = 'CHARGE'
                       AND status <> 'FAILED' AND {period}
                     ORDER BY created_at {order}, id {order} LIMIT 1) AS charge_{number}",
                conditions.scope
            ));
        }
    }
    let values: Vec<&(dyn Parameter + Sync)> =
        conditions.values.iter().map(|value| value as &(dyn Parameter + Sync)).collect();
    let ids = selects.join(" UNION ");
    let sql = format!("SELECT {COLUMNS} FROM transactions WHERE id IN ({ids})");
    let found = db.query(&sql, &values).await?;
    found.iter().map(rows::transaction).collect()
}
