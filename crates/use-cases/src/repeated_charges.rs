//! Finds charges that may have been paid twice, among those that a page shows.

use super::reports::Reports;
use std::collections::HashMap;
use tua_domain::{
    Scope, Transaction, TransactionId,
    ports::StoreError,
    repeated_charge::{RepeatedCharge, may_be_repeated, repeated},
};

impl Reports {
    /// Those of these transactions that repeat another charge of the account and mode, or that
    /// another one repeats.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn repeated_charges(
        &self,
        scope: &Scope,
        shown: &[Transaction],
    ) -> Result<HashMap<TransactionId, RepeatedCharge>, StoreError> {
        let charges: Vec<Transaction> =
            shown.iter().filter(|one| may_be_repeated(one)).cloned().collect();
        let around = self.reports.charges_around(scope, &charges).await?;
        Ok(charges
            .iter()
            .filter_map(|one| Some((one.order.id.clone(), repeated(one, &around)?)))
            .collect())
    }
}
