//! `tua transaction list` and `tua transaction recount`.

use super::{
    arguments::require_account,
    context::{Common, audit_context, open_existing},
    output,
    report_filter::Selection,
    transaction_row::TransactionRow,
};
use serde::Serialize;
use tua_domain::{
    Transaction,
    audit::{Action, AuditChange},
    reporting::{Position, ReportPage},
};
use tua_use_cases::reports::list_page;

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

/// Lists the newest transactions of a filter.
pub(super) async fn list(common: &Common, selection: Selection, limit: u32) -> Result<(), String> {
    let (scope, filter) = selection.read();
    let store = open_existing(common).await?;
    require_account(store.as_ref(), Some(&scope.account)).await?;
    let page = ReportPage { limit, position: Position::First };
    let page = list_page(store.as_ref(), &scope, &filter, &page)
        .await
        .map_err(|error| error.to_string())?;
    let rows: Vec<TransactionListRow<'_>> =
        page.transactions.iter().map(TransactionListRow::new).collect();
    output::print_list(
        common,
        &rows,
        |one| format!("{}  {}", one.row.line(), one.status),
        "No transaction matches.",
    )
}

/// Computes the totals of all days again.
pub(super) async fn recount(common: &Common) -> Result<(), String> {
    let store = open_existing(common).await?;
    let by = audit_context(common, store.as_ref()).await?;
    let change = AuditChange {
        action: Action::TotalsRecounted,
        subject: "day totals".to_owned(),
        before: None,
        after: None,
    };
    store.append_audit(change, &by).await.map_err(|error| error.to_string())?;
    let transactions = store.rebuild_day_totals().await.map_err(|error| error.to_string())?;
    let text =
        format!("The totals of all days were computed from {transactions} final transactions.");
    output::print(common, &Recounted { transactions }, &text)
}

impl<'a> TransactionListRow<'a> {
    fn new(transaction: &'a Transaction) -> Self {
        Self { row: TransactionRow::new(transaction), status: transaction.state.status().as_str() }
    }
}
