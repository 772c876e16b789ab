//! Reads what alerts and security notices are about.

use super::content::{AlertDetails, AlertSubject};
use std::sync::Arc;
use tua_domain::{
    AccountId, BatchId, EndpointId, Transaction, TransactionId,
    mail::{Alert, AlertKind},
    ports::{Accounts, Outbox, PayoutBatches, Reports, StoreError, Transactions},
    review::Case,
};

/// Reads the payments, batches, endpoints and keys that alerts are about, for e-mail and for chats.
#[derive(Clone, Debug)]
pub struct AlertSubjects {
    /// Reads payments by their ids.
    pub transactions: Arc<dyn Transactions>,
    /// Has what decides whether a payment waits for review.
    pub reports: Arc<dyn Reports>,
    /// Reads batches that wait for an approval.
    pub payout_batches: Arc<dyn PayoutBatches>,
    /// Has the addresses of webhook endpoints.
    pub outbox: Arc<dyn Outbox>,
    /// Has the names of keys.
    pub accounts: Arc<dyn Accounts>,
}

impl AlertSubjects {
    /// Reads the payment, endpoint, operator or key that an alert is about.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn details(&self, alert: Alert) -> Result<AlertDetails, StoreError> {
        let subject = match alert.kind {
            AlertKind::Review | AlertKind::Conflict | AlertKind::Dispute => {
                let id = TransactionId::new(alert.subject.as_str());
                let payment = self.transactions.transaction(&id).await?;
                let case = match &payment {
                    Some(payment) if alert.kind == AlertKind::Review => {
                        self.pending_case(payment).await?
                    }
                    _ => None,
                };
                AlertSubject::Payment { payment: payment.map(Box::new), case }
            }
            AlertKind::ApprovalWaiting => self.approval(&alert.subject).await?,
            AlertKind::EndpointDisabled | AlertKind::EndpointFailing => {
                AlertSubject::Endpoint(self.endpoint_host(&alert.subject).await?)
            }
            AlertKind::OperatorDown
            | AlertKind::OperatorRefuses
            | AlertKind::OperatorRecovered
            | AlertKind::FloatLow => AlertSubject::Operator,
            AlertKind::NewDevice => AlertSubject::Person,
            AlertKind::KeyExposed => {
                AlertSubject::Key(self.key_name(&alert.scope.account, &alert.subject).await?)
            }
        };
        Ok(AlertDetails { alert, subject })
    }

    /// The batch, or the payout or refund, that waited for an approval.
    async fn approval(&self, id: &str) -> Result<AlertSubject, StoreError> {
        if let Some(batch) = BatchId::parse(id) {
            let batch = self.payout_batches.payout_batch(&batch).await?;
            let is_waiting = batch.is_some_and(|batch| batch.approval_due().is_some());
            return Ok(AlertSubject::Batch { is_waiting });
        }
        let payment = self.transactions.transaction(&TransactionId::new(id)).await?.map(Box::new);
        Ok(AlertSubject::Payment { payment, case: None })
    }

    /// Why a payment waits for review now.
    async fn pending_case(&self, payment: &Transaction) -> Result<Option<Case>, StoreError> {
        let times = self.reports.waiting_times(&payment.order.id).await?;
        Ok(times.and_then(|times| times.flags.pending_case(payment)).map(|(case, _)| case))
    }

    /// The host of an endpoint; `None` if there is no such endpoint.
    pub(super) async fn endpoint_host(&self, id: &str) -> Result<Option<String>, StoreError> {
        let endpoint = self.outbox.endpoint(&EndpointId::new(id)).await?;
        Ok(endpoint.and_then(|endpoint| endpoint.host()))
    }

    /// The name of a key; `None` if it has none, or there is no such key.
    pub(super) async fn key_name(
        &self,
        account: &AccountId,
        id: &str,
    ) -> Result<Option<String>, StoreError> {
        let keys = self.accounts.keys(Some(account)).await?;
        Ok(keys.into_iter().find(|key| key.id.as_str() == id).and_then(|key| key.name))
    }
}
