//! Entries of the ledger.

use super::{
    batch_ops::column,
    day_totals::{self, EventFee},
    record::at,
};
use tua_domain::{
    Transaction,
    ledger::{LedgerAccount, PostedBefore, Postings},
};
use tua_sql::{
    column_values::operator_columns,
    postgres::{db::Db, error::Result},
};

/// What an event of a transaction posts.
struct Entry<'a> {
    transaction: &'a Transaction,
    postings: Postings,
    is_fee_made_known: bool,
    is_fee_late: bool,
}

/// Posts what the last events of transactions moved, each with what was posted before. Most events
/// move nothing.
///
/// An entry exists already only where another write has applied an event meanwhile; then this write
/// is rejected as a whole.
pub(super) async fn post(db: &Db, changed: &[(PostedBefore, &Transaction)]) -> Result<()> {
    let entry = |&(before, transaction): &(PostedBefore, _)| {
        let postings = before.entry_after(transaction)?;
        let is_fee_made_known = before.makes_fee_known(transaction);
        let is_fee_late = before.makes_fee_known_late(transaction);
        Some(Entry { transaction, postings, is_fee_made_known, is_fee_late })
    };
    let entries: Vec<Entry<'_>> = changed.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return Ok(());
    }
    let amounts = |account| column(&entries, move |one| one.postings.amount(account));
    db.execute(
        "INSERT INTO ledger_entries (transaction_id, version, at, account_id, mode, operator, \
         operator_float, in_transit,
             fees, merchant, refunds, suspense, is_fee_late)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], \
         $6::text[], $7::bigint[],
             $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], \
         $13::bigint[])
         ON CONFLICT (transaction_id, version) DO NOTHING",
        &[
            &column(&entries, |one| one.transaction.order.id.as_str()),
            &column(&entries, |one| i64::from(one.transaction.version)),
            &column(&entries, |one| at(one.transaction.updated_at)),
            &column(&entries, |one| one.transaction.order.scope.account.as_str()),
            &column(&entries, |one| one.transaction.order.scope.mode.as_str()),
            &column(&entries, |one| operator_columns(one.transaction.operator.as_ref()).0),
            &amounts(LedgerAccount::OperatorFloat),
            &amounts(LedgerAccount::InTransit),
            &amounts(LedgerAccount::Fees),
            &amounts(LedgerAccount::Merchant),
            &amounts(LedgerAccount::Refunds),
            &amounts(LedgerAccount::Suspense),
            &column(&entries, |one| one.is_fee_late.then_some(1_i64)),
        ],
    )
    .await?;
    let fees = entries.iter().map(|one| EventFee {
        transaction: one.transaction,
        pesewas: one.postings.amount(LedgerAccount::Fees),
        is_made_known: one.is_fee_made_known,
    });
    let counted = fees.filter(|fee| fee.pesewas != 0 || fee.is_made_known).collect();
    day_totals::count_fees(db, counted).await
}
