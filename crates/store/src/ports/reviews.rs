//! Transactions about which a person must decide: the [`Reviews`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::reviews};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    AccountId, Transaction, TransactionId,
    audit::AuditContext,
    pending::PendingGroup,
    ports::{ReviewError, Reviews, StoreError},
    review::{DecisionNote, FlaggedTransaction, ReviewVerdict},
};

both_engines! {
    impl Reviews {
        async fn flagged(
            &self,
            account: Option<&AccountId>,
        ) -> Result<Vec<FlaggedTransaction>, StoreError> {
            self.read_many(account.cloned(), async |db, account| {
                reviews::flagged(db, account.as_ref()).await
            })
            .await
        }

        async fn review(
            &self,
            id: &TransactionId,
            verdict: ReviewVerdict,
            note: DecisionNote,
            by: &AuditContext,
        ) -> Result<Transaction, ReviewError> {
            let input = (id.clone(), note, by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (id, note, by)| {
                reviews::settle(db, id, verdict, note, by).await
            })
            .await
        }

        async fn pending(&self, now: Timestamp) -> Result<HashMap<PendingGroup, u32>, StoreError> {
            self.read_many((), async move |db, ()| reviews::pending(db, now).await).await
        }
    }
}
