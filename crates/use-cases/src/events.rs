//! Lists and follows the events of an account and mode, as its webhooks have them.

use super::{
    delivery_subject::DeliverySubjects,
    event_horizon::{Completeness, EventHorizon},
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;
use tua_domain::{
    DeliveryId, Scope, SecretKey,
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    ports::{Clock, EventRecord, StoreError},
    webhook::{
        Delivery, SubjectSnapshot,
        record::{EventFilter, EventRange, RecordState, record_id},
    },
};

/// The interval at which a request that waits reads the record.
const READ_INTERVAL: SignedDuration = SignedDuration::from_millis(500);

/// The pause before it is checked again whether the transactions have ended that a barrier waits
/// for. It doubles up to [`READ_INTERVAL`], because one long transaction may delay many clients.
const BARRIER_INTERVAL: SignedDuration = SignedDuration::from_millis(20);

/// How long a request that does not wait gives these transactions.
const BARRIER_TIMEOUT: SignedDuration = SignedDuration::from_secs(1);

/// What a client that follows events reads, and how far it has read.
struct Scan {
    scope: Scope,
    filter: EventFilter,
    /// The position after which it continues.
    after: Option<DeliveryId>,
    limit: u32,
}

/// Lists and follows events, and begins their record.
#[derive(Clone, Debug)]
pub struct Events {
    /// Where the record of each account and mode is stored.
    pub event_record: Arc<dyn EventRecord>,
    /// Reads what events are about.
    pub subjects: DeliverySubjects,
    /// Ends a wait for events at its deadline.
    pub clock: Arc<dyn Clock>,
    /// Seals the entry of the audit log for a record that begins.
    pub keys: KeyRing,
    /// Tasks that outlive the request which started them: what completes a record.
    pub tasks: TaskTracker,
    /// Ends every wait when the service stops.
    pub stopping: CancellationToken,
    /// Up to where the records are complete, for all clients of this process.
    pub horizon: EventHorizon,
}

/// An event, with what it is about.
#[derive(Clone, Debug)]
pub struct RecordedEvent {
    /// The event itself, as the delivery of its record.
    pub delivery: Delivery,
    /// What it is about, as it was at the time of the event. `None` if that cannot be read: the
    /// event itself is not lost for a client that follows events.
    pub subject: Option<SubjectSnapshot>,
}

impl Events {
    /// The newest events that match, newest first, or those before a position.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        holder: &SecretKey,
        filter: EventFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StoreError> {
        self.begin_record(holder).await?;
        let range = EventRange::NewestFirst(before);
        let found = self.event_record.recorded_events(&holder.scope, filter, range, limit).await?;
        self.with_subjects(found).await
    }

    /// An event of the key's account and mode. `None` if there is none with this id.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        holder: &SecretKey,
        id: &str,
    ) -> Result<Option<RecordedEvent>, StoreError> {
        let Some(delivery) = self.position(holder, id).await? else { return Ok(None) };
        self.with_subject(delivery).await.map(Some)
    }

    /// The delivery of an event to its record, which is its position there.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn position(
        &self,
        holder: &SecretKey,
        id: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        self.event_record.recorded_event(&holder.scope, id).await
    }

    /// The events after a position, or from the beginning of the record, oldest first. Where there
    /// is none, waits for one until `until`. An event is returned only once no other one can be
    /// recorded before it, so that a client which continues after it misses nothing.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn follow(
        &self,
        holder: &SecretKey,
        filter: EventFilter,
        after: Option<DeliveryId>,
        until: Option<Timestamp>,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StoreError> {
        while self.begin_record(holder).await? == RecordState::Incomplete {
            // An event that is inserted later may be before those that are there.
            let is_over = until.is_none_or(|until| self.clock.now() >= until);
            if is_over || self.stopping.is_cancelled() {
                return Ok(Vec::new());
            }
        }
        let deadline = until.unwrap_or_else(|| self.clock.now() + BARRIER_TIMEOUT);
        let mut scan = Scan { scope: holder.scope.clone(), filter, after, limit };
        loop {
            let found = self.read_complete(&mut scan, deadline).await?;
            if !found.is_empty() {
                return self.with_subjects(found).await;
            }
            let now = self.clock.now();
            let Some(until) = until.filter(|until| now < *until) else { return Ok(Vec::new()) };
            if !self.sleep_until(until.min(now + READ_INTERVAL)).await {
                return Ok(Vec::new());
            }
        }
    }

    /// The next events of a scan that are complete at the deadline, oldest first.
    async fn read_complete(
        &self,
        scan: &mut Scan,
        deadline: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError> {
        // Usually there is nothing new. Then no barrier is needed. With a filter, a read that finds
        // nothing has read the whole record after the position, so the position must move.
        if scan.filter == EventFilter::default()
            && scan.read(self.event_record.as_ref(), None, 1).await?.is_empty()
        {
            return Ok(Vec::new());
        }
        let mut pause = BARRIER_INTERVAL;
        loop {
            let Completeness { before, is_waiting } =
                self.horizon.check(self.event_record.as_ref()).await?;
            let found = match before {
                Some(before) => scan.read_before(self.event_record.as_ref(), before).await?,
                None => Vec::new(),
            };
            let next = self.clock.now() + pause;
            pause = (pause * 2).min(READ_INTERVAL);
            if !found.is_empty() || !is_waiting || next > deadline {
                return Ok(found);
            }
            if !self.sleep_until(next).await {
                return Ok(Vec::new());
            }
        }
    }

    /// `false` where the service stops before that time.
    async fn sleep_until(&self, time: Timestamp) -> bool {
        tokio::select! {
            () = self.clock.sleep_until(time) => true,
            () = self.stopping.cancelled() => false,
        }
    }

    /// Begins the record, and completes it, also if the client disconnects meanwhile.
    async fn begin_record(&self, holder: &SecretKey) -> Result<RecordState, StoreError> {
        let by = AuditContext {
            at: self.clock.now(),
            actor: holder.id.as_str().to_owned(),
            source: Source::Api,
            device: None,
            key: self.keys.audit_key(),
        };
        if self.event_record.begin_record(&holder.scope, &by).await? == RecordState::Complete {
            return Ok(RecordState::Complete);
        }
        let record = self.event_record.clone();
        let scope = holder.scope.clone();
        let completed = async move { record.complete_record(&scope, by.at).await };
        let ended = self.tasks.spawn(completed.in_current_span()).await;
        let state = ended
            .map_err(|_| StoreError::failed("the task that completes a record ended early"))??;
        if state == RecordState::Incomplete {
            let record = record_id(&holder.scope);
            tracing::warn!(
                %record,
                "events of a long transaction are missing in a record until it has ended"
            );
        }
        Ok(state)
    }

    async fn with_subjects(
        &self,
        deliveries: Vec<Delivery>,
    ) -> Result<Vec<RecordedEvent>, StoreError> {
        let mut events = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            events.push(self.with_subject(delivery).await?);
        }
        Ok(events)
    }

    async fn with_subject(&self, delivery: Delivery) -> Result<RecordedEvent, StoreError> {
        let subject = match self.subjects.read(&delivery).await {
            Ok(subject) => Some(subject),
            // Permanent: a later request would not read it either.
            Err(StoreError::Failed(error)) => {
                let event = &delivery.webhook_id;
                tracing::error!(%error, event, "what an event is about cannot be read");
                None
            }
            Err(error) => return Err(error),
        };
        Ok(RecordedEvent { delivery, subject })
    }
}

impl Scan {
    /// The next events before a position, or to the end of the record.
    async fn read(
        &self,
        record: &dyn EventRecord,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let range = EventRange::OldestFirst { after: self.after.clone(), before };
        record.recorded_events(&self.scope, self.filter.clone(), range, limit).await
    }

    /// The next events before a position that the record is complete before. Where there are none,
    /// the scan continues at that position: a filter that matches few events does not read the same
    /// part of the record twice.
    async fn read_before(
        &mut self,
        record: &dyn EventRecord,
        before: DeliveryId,
    ) -> Result<Vec<Delivery>, StoreError> {
        let found = self.read(record, Some(before.clone()), self.limit).await?;
        if found.is_empty() {
            self.after = self.after.take().max(Some(before));
        }
        Ok(found)
    }
}
