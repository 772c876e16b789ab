//! Marks payments that a customer may have made twice.

use super::{
    error::DashboardError, state::DashboardState, timeline::elapsed, views, visitor::Visitor,
};
use minijinja::{Value, context};
use std::slice::from_ref;
use tua_domain::{Transaction, repeated_charge::RepeatedCharge};

/// The rows of a list of transactions. `repeated` of a row is none, or the payment of the same
/// number and amount that was made shortly before or after.
pub(super) async fn marked_rows(
    state: &DashboardState,
    visitor: &Visitor,
    transactions: &[Transaction],
) -> Result<Vec<Value>, DashboardError> {
    let found = state.reports.repeated_charges(&visitor.scope, transactions).await?;
    let rows = transactions.iter().map(|one| {
        let repeated = found.get(&one.order.id).map(mark);
        context! { repeated, ..views::transaction(one) }
    });
    Ok(rows.collect())
}

/// As `repeated` of a row, for one transaction.
pub(super) async fn marked(
    state: &DashboardState,
    visitor: &Visitor,
    transaction: &Transaction,
) -> Result<Option<Value>, DashboardError> {
    let found = state.reports.repeated_charges(&visitor.scope, from_ref(transaction)).await?;
    Ok(found.values().next().map(mark))
}

/// The key of the text, how long before or after the other payment was made, and its id.
fn mark(repeated: &RepeatedCharge) -> Value {
    let time = elapsed(repeated.after_other.abs());
    let key = if time.is_empty() {
        "repeated-at-once"
    } else if repeated.after_other.is_negative() {
        "repeated-after"
    } else {
        "repeated-before"
    };
    context! { key, time, other => repeated.other.as_str() }
}
