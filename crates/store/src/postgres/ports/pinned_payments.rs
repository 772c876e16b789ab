//! The methods of the [`tua_domain::ports::PinnedPayments`] port that are specific to PostgreSQL.

use crate::{
    in_doubt::InDoubt,
    postgres::{PostgresStore, hand_over},
};
use tua_domain::{Transaction, audit::AuditContext, payout_route::PayoutRoute, ports::StoreError};

impl PostgresStore {
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
        let id = &asked.order.id;
        let approved = approved.as_ref();
        // A repetition finds it handed over.
        self.tx
            .write(InDoubt::Retry, |db| async move {
                hand_over::record_found(&db, id, approved, by).await
            })
            .await
    }
}
