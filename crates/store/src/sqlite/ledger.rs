//! Entries of the ledger.

use super::day_totals;
use rusqlite::{Connection, Result, params};
use tua_domain::{
    Transaction,
    ledger::{LedgerAccount, PostedBefore},
};
use tua_sql::column_values::operator_columns;

/// Posts what the last event of a transaction moved, after what was posted `before`. Most events
/// move nothing.
pub(super) fn post(db: &Connection, before: PostedBefore, transaction: &Transaction) -> Result<()> {
    let Some(postings) = before.entry_after(transaction) else { return Ok(()) };
    let order = &transaction.order;
    db.prepare_cached(
        "INSERT INTO ledger_entries (transaction_id, version, at, account_id, mode, operator, \
         operator_float, in_transit,
             fees, merchant, refunds, suspense, is_fee_late)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        order.id.as_str(),
        transaction.version,
        transaction.updated_at.as_millisecond(),
        order.scope.account.as_str(),
        order.scope.mode.as_str(),
        operator_columns(transaction.operator.as_ref()).0,
        postings.amount(LedgerAccount::OperatorFloat),
        postings.amount(LedgerAccount::InTransit),
        postings.amount(LedgerAccount::Fees),
        postings.amount(LedgerAccount::Merchant),
        postings.amount(LedgerAccount::Refunds),
        postings.amount(LedgerAccount::Suspense),
        before.makes_fee_known_late(transaction).then_some(1),
    ])?;
    let is_made_known = before.makes_fee_known(transaction);
    day_totals::count_fees(db, transaction, postings.amount(LedgerAccount::Fees), is_made_known)
}
