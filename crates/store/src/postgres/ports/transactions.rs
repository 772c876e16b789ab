//! Transactions begin, change and are read: the [`Transactions`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        acknowledge::Acknowledge,
        apply_event::ApplyEvent,
        batch_ops::{BatchRead, BatchWrite},
        insert_payment::InsertPayment,
        transaction_rows, transactions,
    },
};
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Event, Transaction, TransactionId, TransactionOrder,
    idempotency::{Attempt, StoredResponse},
    persistent_bucket::PersistentBucket,
    ports::{BeginError, Finding, Observed, StoreError, Transactions},
    transaction::Sending,
};

port_impl! {
    impl Transactions for PostgresStore {
        async fn begin(
            &self,
            new: Arc<TransactionOrder>,
            sending: Sending,
            attempt: Option<Attempt>,
            prompts: Vec<PersistentBucket>,
            now: Timestamp,
        ) -> Result<Transaction, BeginError> {
            self.insert_payment
                .submit(BatchWrite(InsertPayment { new, sending, attempt, prompts, now }))
                .await?
        }

        async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
            self.transactions.submit(BatchRead(id.clone())).await
        }

        async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError> {
            self.tx.read(|db| async move { transaction_rows::events(&db, id).await }).await
        }

        async fn observe(
            &self,
            asked: &Transaction,
            finding: Finding,
            response: Option<StoredResponse>,
            now: Timestamp,
        ) -> Result<Observed, StoreError> {
            if asked.is_only_acknowledged(&finding) {
                let is_response_stored = response.is_some();
                let op = Acknowledge::new(asked, response.clone(), now);
                if self.acknowledge.submit(BatchWrite(op)).await?.is_ok() {
                    let transaction = asked.clone();
                    return Ok(Observed { transaction, before: None, is_response_stored });
                }
            }
            // Refunds change their charge too, some failures count only given the sends, and a
            // flag, or the next question about a final transaction, is stored besides the event.
            let is_alone = |after: &Transaction| {
                asked.order.refund.is_none()
                    && !finding.depends_on_sends()
                    && finding.attention.is_none()
                    && !(finding.ask_again_at.is_some() && after.state.is_final())
            };
            let after = asked.after(&finding, now).filter(|(_, after)| is_alone(after));
            if let Some((event, after)) = after {
                let transaction = after.clone();
                let is_response_stored = response.is_some();
                let op = ApplyEvent::new(asked, after, event, response.clone());
                if self.apply_event.submit(BatchWrite(op)).await?.is_ok() {
                    return Ok(Observed {
                        transaction,
                        before: Some(asked.state),
                        is_response_stored,
                    });
                }
            }
            let finding = &finding;
            let response = response.as_ref();
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    transactions::observe(&db, asked, finding, response, now).await
                })
                .await
        }
    }
}
