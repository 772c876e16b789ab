//! What is stored about one transaction, for people: its events, its exchanges with the operator
//! and its webhooks.

use super::{reading, refund_lists::refunds_of};
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Event, Kind, Scope, Transaction, TransactionId,
    audit::{AuditContext, email_of_actor},
    change_notifier::ChangeNotifier,
    exchange::Exchange,
    ports::{ExchangeLog, Outbox, Reports, StoreError, Transactions},
    reporting::WaitingTimes,
    review::FlaggedTransaction,
    webhook::Delivery,
};

/// Reads the records of transactions, and sends their webhooks again.
#[derive(Clone, Debug)]
pub struct TransactionRecords {
    /// Reads transactions and their events.
    pub transactions: Arc<dyn Transactions>,
    /// Reads what belongs to a transaction: its refunds, its webhooks, and when it is due.
    pub reports: Arc<dyn Reports>,
    /// Has the exchanges with operators.
    pub exchange_log: Arc<dyn ExchangeLog>,
    /// Makes webhooks due again.
    pub outbox: Arc<dyn Outbox>,
    /// Tells the worker that webhooks are due.
    pub changes: Arc<ChangeNotifier>,
}

/// A transaction with its evidence.
#[derive(Clone, Debug)]
pub struct TransactionRecord {
    /// The transaction as it stands now.
    pub transaction: Transaction,
    /// Its events, oldest first.
    pub events: Vec<(Timestamp, Event)>,
    /// Its exchanges with the operator, oldest first.
    pub exchanges: Vec<Exchange>,
}

/// What belongs to a transaction besides itself.
#[derive(Clone, Debug)]
pub struct TransactionDetails {
    /// Its refunds, newest first.
    pub refunds: Vec<AskedRefund>,
    /// The times that explain why it is pending.
    pub times: WaitingTimes,
    /// The deliveries of its events, oldest first.
    pub deliveries: Vec<Delivery>,
    /// Its events, oldest first.
    pub events: Vec<(Timestamp, Event)>,
    /// Its exchanges with the operator, oldest first.
    pub exchanges: Vec<Exchange>,
    /// What people may do about it now.
    pub actions: PermittedActions,
}

/// A refund, and who asked for it.
#[derive(Clone, Debug)]
pub struct AskedRefund {
    /// The refund in its current state.
    pub refund: Transaction,
    /// The address of the person in the dashboard; `None` for a key or the command line.
    pub asked_by: Option<String>,
}

/// What a transaction permits people to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PermittedActions {
    /// Whether its operator can be asked for its status: it is sent, and has no outcome.
    pub can_check: bool,
    /// Whether it can be cancelled: it is a payout that is not sent.
    pub can_cancel: bool,
    /// Whether it waits for an approval.
    pub can_approve: bool,
    /// Whether it is flagged for a review.
    pub can_review: bool,
}

impl PermittedActions {
    fn of(transaction: &Transaction, times: &WaitingTimes) -> Self {
        Self {
            can_check: !transaction.state.is_final() && transaction.handed_over_at.is_some(),
            can_cancel: transaction.order.transfer.kind == Kind::Payout && transaction.is_unsent(),
            can_approve: times.approval_due.is_some(),
            can_review: FlaggedTransaction::of(transaction.clone(), times.flags).is_some(),
        }
    }
}

impl TransactionRecords {
    /// The transaction with this id, of any account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
        self.transactions.transaction(id).await
    }

    /// The transaction with this id, if it belongs to the account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_in(
        &self,
        scope: &Scope,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        reading::find_in(self.transactions.as_ref(), scope, id).await
    }

    /// The transaction with this id and its evidence, of any account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record(
        &self,
        id: &TransactionId,
    ) -> Result<Option<TransactionRecord>, StoreError> {
        let Some(transaction) = self.find(id).await? else { return Ok(None) };
        let events = self.transactions.events(id).await?;
        let exchanges = self.exchange_log.exchanges(id).await?;
        Ok(Some(TransactionRecord { transaction, events, exchanges }))
    }

    /// The events of a transaction, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError> {
        self.transactions.events(id).await
    }

    /// What belongs to a transaction besides itself, and what it permits.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn details(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionDetails, StoreError> {
        let id = &transaction.order.id;
        let mut refunds = Vec::new();
        for refund in refunds_of(self.reports.as_ref(), transaction).await? {
            let asker = match refund.order.key {
                None => self.reports.payout_asker(&refund.order.id).await?,
                Some(_) => None,
            };
            let asked_by = asker.as_deref().and_then(email_of_actor).map(str::to_owned);
            refunds.push(AskedRefund { refund, asked_by });
        }
        // A transaction is never deleted.
        let times = self.reports.waiting_times(id).await?.unwrap_or_default();
        Ok(TransactionDetails {
            refunds,
            times,
            deliveries: self.reports.deliveries_of(transaction).await?,
            events: self.transactions.events(id).await?,
            exchanges: self.exchange_log.exchanges(id).await?,
            actions: PermittedActions::of(transaction, &times),
        })
    }

    /// Makes all webhooks about a transaction due again, which is audited.
    ///
    /// # Errors
    /// Those of the store. Some webhooks may be due again then.
    pub async fn resend_webhooks(
        &self,
        transaction: &Transaction,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        for delivery in self.reports.deliveries_of(transaction).await? {
            self.outbox.replay_delivery(&delivery.id, by).await?;
        }
        self.changes.notify_outbox();
        Ok(())
    }
}
