//! The charges of the day, for people who ask payers for money and read nothing else.

use super::reports::list_page;
use std::sync::Arc;
use tua_domain::{
    Kind, Scope, Transaction, TransactionId,
    calendar::day_of,
    ports::{Clock, Store, StoreError},
    refund::TransactionType,
    reporting::{Position, ReportFilter, ReportPage},
};

/// Reads the charges of an account and mode that began on the current day in Ghana's zone (UTC).
#[derive(Clone, Debug)]
pub struct DayCharges {
    /// Has the charges.
    pub store: Arc<dyn Store>,
    /// Decides which day it is.
    pub clock: Arc<dyn Clock>,
}

impl DayCharges {
    /// The newest charges of the day, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn newest(&self, scope: &Scope, limit: u32) -> Result<Vec<Transaction>, StoreError> {
        let filter = ReportFilter {
            types: Some(vec![TransactionType::Charge]),
            from: Some(day_of(self.clock.now())),
            ..ReportFilter::default()
        };
        let page = ReportPage { limit, position: Position::First };
        Ok(list_page(self.store.as_ref(), scope, &filter, &page).await?.transactions)
    }

    /// The charge with this id, if it is of this account and mode, and of the day.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        // No id has one, and PostgreSQL could not compare it.
        if id.as_str().contains('\0') {
            return Ok(None);
        }
        let today = day_of(self.clock.now());
        Ok(self.store.transaction(id).await?.filter(|one| {
            one.order.scope == *scope
                && one.order.transfer.kind == Kind::Charge
                && day_of(one.created_at) == today
        }))
    }
}
