//! Reads what a webhook event is about, as it was at the time of the event.

use super::reading;
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Checkout, CheckoutSummary, Transaction,
    listing::{Filter, PageRequest},
    ports::{Checkouts, Reports, StoreError, Transactions},
    webhook::{Delivery, SubjectSnapshot, delivery::Subject},
};

/// Reads what webhook events are about, as it was at the time of each event.
#[derive(Clone, Debug)]
pub struct DeliverySubjects {
    /// Reads the events of transactions, which never change.
    pub transactions: Arc<dyn Transactions>,
    /// Where checkout sessions are stored.
    pub checkouts: Arc<dyn Checkouts>,
    /// Lists the charges of a session.
    pub reports: Arc<dyn Reports>,
}

impl DeliverySubjects {
    /// Reads what a delivery is about. A transaction at a version is replayed from its events.
    ///
    /// # Errors
    /// Those of the store, and an error if the subject no longer exists.
    pub(super) async fn read(&self, delivery: &Delivery) -> Result<SubjectSnapshot, StoreError> {
        match &delivery.subject {
            Subject::Endpoint(id) => Ok(SubjectSnapshot::Endpoint(id.clone())),
            Subject::Transaction(id, version) => {
                let transactions = self.transactions.as_ref();
                let transaction = reading::at_version(transactions, id, *version).await?;
                Ok(SubjectSnapshot::Transaction(Box::new(transaction)))
            }
            Subject::Checkout(id) => {
                let checkout = self.checkouts.checkout(id).await?.ok_or_else(not_found)?;
                let summary = self.summary_at(&checkout, delivery.occurred_at).await?;
                Ok(SubjectSnapshot::Checkout(Box::new(checkout), Box::new(summary)))
            }
        }
    }

    /// The summary of a session's charges at a time.
    async fn summary_at(
        &self,
        checkout: &Checkout,
        at: Timestamp,
    ) -> Result<CheckoutSummary, StoreError> {
        let filter = Filter { checkout: Some(checkout.id.clone()), ..Filter::default() };
        let page = PageRequest { limit: u32::MAX, after: None };
        let newest_first = self.reports.transactions(&checkout.scope, filter, page).await?;
        let mut charges = Vec::new();
        for charge in newest_first.into_iter().rev() {
            let events = self.transactions.events(&charge.order.id).await?;
            let until = events.into_iter().take_while(|(recorded_at, _)| *recorded_at <= at);
            charges.extend(Transaction::replay(until));
        }
        Ok(CheckoutSummary::of(charges))
    }
}

fn not_found() -> StoreError {
    StoreError::failed("the subject of a webhook no longer exists")
}
