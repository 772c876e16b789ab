//! Lists of transactions, by keyset: a page costs the same wherever it is.

use super::{db::Db, error::Result, record::at, transactions::columns};
use crate::{
    domain::{
        CheckoutId, Kind, Scope, Transaction,
        listing::{Filter, Page},
    },
    store::rows,
};
use tokio_postgres::{Row, types::ToSql};
use tua_contract::{Network, Status};

pub(super) async fn list(db: &Db, scope: &Scope, filter: &Filter, page: &Page) -> Result<Vec<Transaction>> {
    let mut wanted = Wanted::default();
    wanted.add("account_id =", Some(scope.account.as_str()));
    wanted.add("mode =", Some(scope.mode.as_str()));
    wanted.add("status =", filter.status.map(Status::as_str));
    wanted.add("kind =", filter.kind.map(Kind::as_str));
    wanted.add("network =", filter.network.map(Network::as_str));
    wanted.add("reference =", filter.reference.as_deref());
    wanted.add("checkout_id =", filter.checkout.as_ref().map(CheckoutId::as_str));
    wanted.add("created_at >", filter.created_after.map(at));
    wanted.add("created_at <", filter.created_before.map(at));
    if let Some(cursor) = &page.after {
        let (created_at, id) = (wanted.bind(at(cursor.created_at)), wanted.bind(cursor.id.as_str()));
        wanted.clauses.push(format!("(created_at, id) < (${created_at}, ${id})"));
    }
    let all = concat!("SELECT ", columns!(), " FROM transactions");
    wanted.rows(db, all, "created_at DESC, id DESC", page.limit).await?.iter().map(rows::transaction).collect()
}

/// Clauses, and the values that they name by number.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    clauses: Vec<String>,
    values: Vec<Box<dyn ToSql + Sync + Send + 'a>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn add(&mut self, clause: &str, value: Option<impl ToSql + Sync + Send + 'a>) {
        if let Some(value) = value {
            let number = self.bind(value);
            self.clauses.push(format!("{clause} ${number}"));
        }
    }

    fn bind(&mut self, value: impl ToSql + Sync + Send + 'a) -> usize {
        self.values.push(Box::new(value));
        self.values.len()
    }

    /// The first of all rows that are wanted.
    pub(super) async fn rows(mut self, db: &Db, all: &str, order: &str, limit: u32) -> Result<Vec<Row>> {
        let limit = self.bind(i64::from(limit));
        // Only clauses of ours are put together; every value is bound.
        let wanted = if self.clauses.is_empty() { "true".to_owned() } else { self.clauses.join(" AND ") };
        let sql = format!("{all} WHERE {wanted} ORDER BY {order} LIMIT ${limit}");
        let values: Vec<&(dyn ToSql + Sync)> =
            self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
        db.all(&sql, &values).await
    }
}
