//! The methods of the [`tua_domain::ports::PinnedPayments`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, hand_over};
use tua_domain::{Transaction, audit::AuditContext, payout_route::PayoutRoute, ports::StoreError};

impl SqliteStore {
    /// As [`tua_domain::ports::PinnedPayments::record_found`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn mark_found(
        &self,
        asked: &Transaction,
        approved: Option<PayoutRoute>,
        by: &AuditContext,
    ) -> Result<Transaction, StoreError> {
        let id = asked.order.id.clone();
        let by = by.clone();
        self.writer.write(move |db| hand_over::record_found(db, &id, approved.as_ref(), &by)).await
    }
}
