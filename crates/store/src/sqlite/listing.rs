//! Lists of transactions with keyset pagination: every page costs the same.

use super::record::Record;
use crate::rows;
use rusqlite::{Connection, Result, types::Value};
use tua_contract::{Network, Phone, Status};
use tua_domain::{
    BatchId, CheckoutId, Kind, Scope, Transaction,
    listing::{Filter, Page, RefundFilter},
};

pub(super) fn list(
    db: &Connection,
    scope: &Scope,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<Transaction>> {
    let text = |text: &str| Value::Text(text.to_owned());
    let mut wanted: Vec<(&str, Value)> = vec![
        ("account_id = ?", text(scope.account.as_str())),
        ("mode = ?", text(scope.mode.as_str())),
    ];
    let refunds_of = match &filter.refunds {
        RefundFilter::Of(charge) => Some(text(charge.as_str())),
        RefundFilter::None | RefundFilter::All => None,
    };
    let mut want = |clause, value: Option<Value>| wanted.extend(value.map(|value| (clause, value)));
    want("status = ?", filter.status.map(Status::as_str).map(text));
    want("kind = ?", filter.kind.map(Kind::as_str).map(text));
    want("network = ?", filter.network.map(Network::as_str).map(text));
    want("phone = ?", filter.phone.as_ref().map(Phone::as_str).map(text));
    want("reference = ?", filter.reference.as_deref().map(text));
    want("checkout_id = ?", filter.checkout.as_ref().map(CheckoutId::as_str).map(text));
    want("batch_id = ?", filter.batch.as_ref().map(BatchId::as_str).map(text));
    want("operator_transaction_id = ?", filter.operator_transaction_id.as_deref().map(text));
    want("created_at > ?", filter.created_after.map(|at| Value::Integer(at.as_millisecond())));
    want("created_at < ?", filter.created_before.map(|at| Value::Integer(at.as_millisecond())));

    want("refund_of = ?", refunds_of);
    let (mut clauses, mut values): (Vec<&str>, Vec<Value>) = wanted.into_iter().unzip();
    match filter.refunds {
        RefundFilter::None => clauses.push("refund_of IS NULL"),
        RefundFilter::All => clauses.push("refund_of IS NOT NULL"),
        RefundFilter::Of(_) => {}
    }
    if let Some(cursor) = &page.after {
        clauses.push("(created_at, id) < (?, ?)");
        values
            .extend([Value::Integer(cursor.created_at.as_millisecond()), text(cursor.id.as_str())]);
    }
    values.push(Value::Integer(page.limit.into()));
    // Only constant clauses are concatenated; every value is a parameter.
    let sql = format!(
        "SELECT * FROM transactions WHERE {} ORDER BY created_at DESC, id DESC LIMIT ?",
        clauses.join(" AND ")
    );
    db.prepare_cached(&sql)?
        .query_map(rusqlite::params_from_iter(values), |row| rows::transaction(&Record::new(row)))?
        .collect()
}
