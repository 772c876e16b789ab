//! Lists of transactions with keyset pagination: every page costs the same.

use crate::{
    rows::{self, transaction_columns},
    sql::{Parameter, Sql},
};
use jiff::Timestamp;
use std::fmt;
use tua_contract::{Network, Phone, Status};
use tua_domain::{
    BatchId, CheckoutId, Scope, Transaction,
    listing::{Filter, PageRequest, RefundFilter},
};

/// A page of the transactions of a filter, the newest first.
pub async fn list<S: Sql>(
    db: &S,
    scope: &Scope,
    filter: &Filter,
    page: &PageRequest,
) -> Result<Vec<Transaction>, S::Error> {
    let mut query = Query::default();
    query.add("account_id =", Some(scope.account.as_str()));
    query.add("mode =", Some(scope.mode.as_str()));
    query.add("status =", filter.status.map(Status::as_str));
    // A literal: an index of one kind serves no parameter.
    if let Some(kind) = filter.kind {
        query.clauses.push(format!("kind = '{}'", kind.as_str()));
    }
    query.add("network =", filter.network.map(Network::as_str));
    query.add("phone =", filter.phone.as_ref().map(Phone::as_str));
    query.add("reference =", filter.reference.as_deref());
    query.add("checkout_id =", filter.checkout.as_ref().map(CheckoutId::as_str));
    query.add("batch_id =", filter.batch.as_ref().map(BatchId::as_str));
    query.add("operator_transaction_id =", filter.operator_transaction_id.as_deref());
    query.add("created_at >", filter.created_after);
    query.add("created_at <", filter.created_before);
    match &filter.refunds {
        RefundFilter::None => query.clauses.push("refund_of IS NULL".to_owned()),
        RefundFilter::All => query.clauses.push("refund_of IS NOT NULL".to_owned()),
        RefundFilter::Of(charge) => query.add("refund_of =", Some(charge.as_str())),
    }
    if let Some(cursor) = &page.after {
        query.add_before("(created_at, id)", cursor.created_at, cursor.id.as_str());
    }
    let all = concat!("SELECT ", transaction_columns!(), " FROM transactions");
    let found = query.rows(db, all, "created_at DESC, id DESC", page.limit).await?;
    found.iter().map(rows::transaction).collect()
}

/// Builds a WHERE clause with numbered parameters.
#[derive(Default)]
pub struct Query<'a> {
    clauses: Vec<String>,
    values: Vec<Box<dyn Parameter + Send + Sync + 'a>>,
}

/// Shows no values, which may name a person.
impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("clauses", &self.clauses).finish_non_exhaustive()
    }
}

impl<'a> Query<'a> {
    /// Adds a clause that ends with a parameter. Without a value nothing is added.
    pub fn add(&mut self, clause: &str, value: Option<impl Parameter + Send + Sync + 'a>) {
        if let Some(value) = value {
            let number = self.bind(value);
            self.clauses.push(format!("{clause} ${number}"));
        }
    }

    /// A condition without a value.
    pub fn add_condition(&mut self, clause: &str) {
        self.clauses.push(clause.to_owned());
    }

    /// The column has one of these values. Without a value nothing is added.
    pub fn add_any<P: Parameter + Send + Sync + 'a>(
        &mut self,
        column: &str,
        values: impl IntoIterator<Item = P>,
    ) {
        let numbers: Vec<String> =
            values.into_iter().map(|value| format!("${}", self.bind(value))).collect();
        if !numbers.is_empty() {
            self.clauses.push(format!("{column} IN ({})", numbers.join(", ")));
        }
    }

    /// The row of these two columns comes before this time and identifier.
    pub(super) fn add_before(&mut self, columns: &str, created_at: Timestamp, id: &'a str) {
        let created_at = self.bind(created_at);
        let id = self.bind(id);
        self.clauses.push(format!("{columns} < (${created_at}, ${id})"));
    }

    fn bind(&mut self, value: impl Parameter + Send + Sync + 'a) -> usize {
        self.values.push(Box::new(value));
        self.values.len()
    }

    /// Returns the first `limit` rows that match.
    pub async fn rows<S: Sql>(
        mut self,
        db: &S,
        all: &str,
        order: &str,
        limit: u32,
    ) -> Result<Vec<S::Row>, S::Error> {
        let limit = self.bind(limit);
        // Only constant clauses are concatenated; every value is a parameter.
        let query =
            if self.clauses.is_empty() { "true".to_owned() } else { self.clauses.join(" AND ") };
        let sql = format!("{all} WHERE {query} ORDER BY {order} LIMIT ${limit}");
        let values: Vec<&(dyn Parameter + Sync)> =
            self.values.iter().map(|value| &**value as &(dyn Parameter + Sync)).collect();
        db.query(&sql, &values).await
    }
}
