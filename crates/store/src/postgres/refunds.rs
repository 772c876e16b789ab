//! The charges of new refunds, many at a time ([`crate::queries::refunds`]).

use std::collections::HashMap;
use tua_domain::{Transaction, TransactionOrder};
use tua_sql::{
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    rows::{self, transaction_columns},
};

/// The charges of new refunds, locked until the commit, by their ids.
pub(super) struct Charges(HashMap<String, Transaction>);

impl Charges {
    /// Locks the charges of those that are refunds. Nothing is asked where there is none.
    pub(super) async fn lock(
        db: &Db,
        new: impl Iterator<Item = &TransactionOrder>,
    ) -> Result<Self> {
        let ids: Vec<&str> =
            new.filter_map(|new| Some(new.refund.as_ref()?.charge.as_str())).collect();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let sql = concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"
        );
        let rows = db.query(sql, &[&ids]).await?;
        let charges: Vec<Transaction> =
            rows.iter().map(rows::transaction).collect::<Result<_>>()?;
        Ok(Self(
            charges
                .into_iter()
                .map(|charge| (charge.order.id.as_str().to_owned(), charge))
                .collect(),
        ))
    }

    /// The charge that a new refund refunds; `None` for any other transaction.
    pub(super) fn of(&self, new: &TransactionOrder) -> Result<Option<&Transaction>> {
        let Some(of) = &new.refund else { return Ok(None) };
        self.0.get(of.charge.as_str()).ok_or(Error::MissingRow).map(Some)
    }
}
