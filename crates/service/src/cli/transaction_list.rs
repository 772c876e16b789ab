//! `tua transaction list` and `tua transaction recount`.

use super::{
    context::Common, fault::Fault, output, report_filter::Selection,
    transaction_row::TransactionRow, use_cases::UseCases,
};
use serde::Serialize;
use tua_domain::Transaction;

#[derive(Serialize)]
struct TransactionListRow<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    status: &'static str,
}

#[derive(Serialize)]
struct Recounted {
    transactions: u64,
}

/// Lists the newest transactions of a selection.
pub(super) async fn list(common: &Common, selection: Selection, limit: u32) -> Result<(), Fault> {
    let reports = UseCases::open(common).await?.reports;
    let found = reports.newest_selected(selection.read(), limit).await;
    let transactions = found?;
    let rows: Vec<TransactionListRow<'_>> =
        transactions.iter().map(TransactionListRow::new).collect();
    output::print_list(
        common,
        &rows,
        |one| format!("{}  {}", one.row.line(), one.status),
        "No transaction matches.",
    )
}

/// Computes the totals of all days again.
pub(super) async fn recount(common: &Common) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let by = use_cases.audit_context(common).await?;
    let transactions = use_cases.reports.recount(&by).await?;
    let text =
        format!("The totals of all days were computed from {transactions} final transactions.");
    output::print(common, &Recounted { transactions }, &text)
}

impl<'a> TransactionListRow<'a> {
    fn new(transaction: &'a Transaction) -> Self {
        Self { row: TransactionRow::new(transaction), status: transaction.state.status().as_str() }
    }
}
