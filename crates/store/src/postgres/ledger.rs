//! The ledger: its entries, and what is read of them.

use super::{
    PostgresStore,
    batch_ops::column,
    db::Db,
    error::{Error, Result},
    record::at,
};
use crate::{
    column_values::{moments_of, operator_columns},
    ledger_sql::{self, bad_entries, ledger_balances, ledger_days, posted_sums},
    rows::{self, transaction_columns},
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Mode, Transaction, TransactionId,
    ledger::{LedgerAccount, LedgerBalance, LedgerDay, Postings, verification::PostedTransaction},
    ports::{Ledger, StoreError},
};

#[async_trait]
impl Ledger for PostgresStore {
    async fn ledger_balances(
        &self,
        until: Timestamp,
    ) -> std::result::Result<Vec<LedgerBalance>, StoreError> {
        let until = at(until);
        self.tx
            .read_long(|db| async move {
                db.query(ledger_balances!("$1"), &[&until])
                    .await?
                    .iter()
                    .map(rows::ledger_balance)
                    .collect()
            })
            .await
    }

    async fn ledger_days(
        &self,
        days: RangeInclusive<Date>,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> std::result::Result<Vec<LedgerDay>, StoreError> {
        let (from, before) = moments_of(&days);
        let account = account.map(AccountId::as_str);
        let mode = mode.map(Mode::as_str);
        self.tx
            .read_long(|db| async move {
                let parameters: super::db::Parameters<'_> = &[&from, &before, &account, &mode];
                db.query(ledger_days!("$1", "$2", "$3", "$4"), parameters)
                    .await?
                    .iter()
                    .map(rows::ledger_day)
                    .collect()
            })
            .await
    }

    async fn posted_transactions(
        &self,
        after: Option<&TransactionId>,
        most: u32,
    ) -> std::result::Result<Vec<PostedTransaction>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            transaction_columns!(),
            ", posted.* FROM transactions LEFT JOIN LATERAL (SELECT ",
            posted_sums!(),
            ", ",
            bad_entries!("transactions"),
            " FROM ledger_entries WHERE ledger_entries.transaction_id = transactions.id) AS posted \
             ON true
              WHERE transactions.id > $1 ORDER BY transactions.id LIMIT $2"
        );
        let after = after.map_or("", TransactionId::as_str);
        let most = i64::from(most);
        self.tx
            .read(|db| async move {
                db.query(SQL, &[&after, &most])
                    .await?
                    .iter()
                    .map(rows::posted_transaction)
                    .collect()
            })
            .await
    }

    async fn orphaned_entries(&self) -> std::result::Result<u64, StoreError> {
        self.tx
            .read_long(|db| async move {
                let row = db
                    .query_opt(ledger_sql::ORPHANED_ENTRIES, &[])
                    .await?
                    .ok_or(Error::MissingRow)?;
                Ok(row.try_get::<_, i64>(0)?.unsigned_abs())
            })
            .await
    }
}

/// What an event of a transaction posts.
struct Entry<'a> {
    transaction: &'a Transaction,
    postings: Postings,
}

/// Posts what the last events of transactions moved, each with its postings before. Most events
/// move nothing.
///
/// An entry exists already only where another write has applied an event meanwhile; then this write
/// is rejected as a whole.
pub(super) async fn post(db: &Db, changed: &[(Postings, &Transaction)]) -> Result<()> {
    let entry = |&(before, transaction): &(Postings, _)| {
        let postings = Postings::to_post(before, Postings::of(transaction))?;
        Some(Entry { transaction, postings })
    };
    let entries: Vec<Entry<'_>> = changed.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return Ok(());
    }
    let amounts = |account| column(&entries, move |one| one.postings.amount(account));
    db.execute(
        "INSERT INTO ledger_entries (transaction_id, version, at, account_id, mode, operator, \
         operator_float, in_transit,
             fees, merchant, refunds, suspense)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], \
         $6::text[], $7::bigint[],
             $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
         ON CONFLICT (transaction_id, version) DO NOTHING",
        &[
            &column(&entries, |one| one.transaction.begun.id.as_str()),
            &column(&entries, |one| i64::from(one.transaction.version)),
            &column(&entries, |one| at(one.transaction.updated_at)),
            &column(&entries, |one| one.transaction.begun.scope.account.as_str()),
            &column(&entries, |one| one.transaction.begun.scope.mode.as_str()),
            &column(&entries, |one| operator_columns(one.transaction.operator.as_ref()).0),
            &amounts(LedgerAccount::OperatorFloat),
            &amounts(LedgerAccount::InTransit),
            &amounts(LedgerAccount::Fees),
            &amounts(LedgerAccount::Merchant),
            &amounts(LedgerAccount::Refunds),
            &amounts(LedgerAccount::Suspense),
        ],
    )
    .await
    .map(drop)
}
