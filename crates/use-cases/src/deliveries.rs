//! Lists webhook deliveries, and sends them again.

use super::delivery_subject::DeliverySubjects;
use std::{sync::Arc, time::Duration};
use tua_domain::{
    DeliveryId, EndpointId,
    audit::AuditContext,
    change_notifier::ChangeNotifier,
    ports::{DeliveryFilter, Outbox, StoreError},
    webhook::{Delivery, Endpoint, SubjectSnapshot, delivery::DeliveryStatus},
};

/// How many deliveries one call sends again.
const RESENT_AT_ONCE: u32 = 1_000;

/// The interval at which it is read whether a delivery was attempted. The process that sends it may
/// be another one.
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(100);

/// Lists deliveries, and sends them again.
#[derive(Clone, Debug)]
pub struct Deliveries {
    /// Where deliveries and endpoints are stored.
    pub outbox: Arc<dyn Outbox>,
    /// Reads what deliveries are about.
    pub subjects: DeliverySubjects,
    /// Is notified of deliveries that are due again.
    pub changes: Arc<ChangeNotifier>,
}

/// Why deliveries were not listed.
#[derive(Debug, thiserror::Error)]
pub enum DeliveriesError {
    /// There is no such endpoint.
    #[error("there is no endpoint {0}")]
    UnknownEndpoint(EndpointId),
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Deliveries {
    /// The deliveries that match, newest first. Those of an endpoint that was removed are listed
    /// too.
    ///
    /// # Errors
    /// [`DeliveriesError`].
    pub async fn list(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, DeliveriesError> {
        if let Some(id) = &filter.endpoint
            && self.outbox.endpoint(id).await?.is_none()
        {
            return Err(DeliveriesError::UnknownEndpoint(id.clone()));
        }
        Ok(self.outbox.deliveries(filter).await?)
    }

    /// The deliveries to this endpoint that match, newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list_to(
        &self,
        endpoint: &Endpoint,
        filter: DeliveryFilter,
    ) -> Result<Vec<Delivery>, StoreError> {
        let filter = DeliveryFilter { endpoint: Some(endpoint.id.clone()), ..filter };
        self.outbox.deliveries(filter).await
    }

    /// What a delivery is about, as it was at the time of the event. `None` if that cannot be read
    /// any more.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn subject(
        &self,
        delivery: &Delivery,
    ) -> Result<Option<SubjectSnapshot>, StoreError> {
        match self.subjects.read(delivery).await {
            Ok(subject) => Ok(Some(subject)),
            Err(StoreError::Failed(error)) => {
                let delivery = &delivery.id;
                tracing::warn!(%error, %delivery, "what a webhook is about cannot be read");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Waits for an attempt to send a delivery that was not attempted yet, at most so long. Returns
    /// the delivery as it is then.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn wait_for_attempt(
        &self,
        delivery: Delivery,
        within: Duration,
    ) -> Result<Delivery, StoreError> {
        let attempted = async {
            loop {
                let id = Some(delivery.id.clone());
                let filter = DeliveryFilter { id, limit: 1, ..DeliveryFilter::default() };
                let found = self.outbox.deliveries(filter).await?.pop();
                if let Some(found) = found.filter(|found| found.last.is_some()) {
                    return Ok(found);
                }
                tokio::time::sleep(ATTEMPT_INTERVAL).await;
            }
        };
        tokio::time::timeout(within, attempted).await.unwrap_or_else(|_| Ok(delivery.clone()))
    }

    /// Makes a delivery due again, whatever its status. `None` if it does not exist, or its
    /// endpoint was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn resend(
        &self,
        id: &DeliveryId,
        by: &AuditContext,
    ) -> Result<Option<Delivery>, StoreError> {
        let resent = self.outbox.replay_delivery(id, by).await?;
        self.changes.notify_outbox();
        Ok(resent)
    }

    /// As [`Self::resend`], for a delivery to this endpoint.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn resend_to(
        &self,
        endpoint: &Endpoint,
        id: DeliveryId,
        by: &AuditContext,
    ) -> Result<Option<Delivery>, StoreError> {
        // No id has one, and PostgreSQL could not compare it.
        if id.as_str().contains('\0') {
            return Ok(None);
        }
        let filter = DeliveryFilter { id: Some(id), limit: 1, ..DeliveryFilter::default() };
        match self.list_to(endpoint, filter).await?.pop() {
            Some(found) => self.resend(&found.id, by).await,
            None => Ok(None),
        }
    }

    /// Makes the deliveries to this endpoint that match, and that failed or are held, due again: of
    /// each the newest 1,000 at most. Returns how many these were.
    ///
    /// # Errors
    /// Those of the store. Some deliveries may be due again then.
    pub async fn resend_unsent_to(
        &self,
        endpoint: &Endpoint,
        filter: DeliveryFilter,
        by: &AuditContext,
    ) -> Result<usize, StoreError> {
        let mut resent = 0;
        for status in [DeliveryStatus::Held, DeliveryStatus::Failed] {
            let unsent =
                DeliveryFilter { status: Some(status), limit: RESENT_AT_ONCE, ..filter.clone() };
            for delivery in self.list_to(endpoint, unsent).await? {
                let replayed = self.outbox.replay_delivery(&delivery.id, by).await?;
                resent += usize::from(replayed.is_some());
            }
        }
        self.changes.notify_outbox();
        Ok(resent)
    }

    /// As [`Self::resend_unsent_to`], of all deliveries that match.
    ///
    /// # Errors
    /// Those of the store. Some deliveries may be due again then.
    pub async fn resend_all_unsent_to(
        &self,
        endpoint: &Endpoint,
        filter: DeliveryFilter,
        by: &AuditContext,
    ) -> Result<usize, StoreError> {
        let mut resent = 0;
        loop {
            match self.resend_unsent_to(endpoint, filter.clone(), by).await? {
                0 => return Ok(resent),
                more => resent += more,
            }
        }
    }
}
