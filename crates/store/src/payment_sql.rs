//! What the code of each engine does with payments, for the queries that both run.

use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    CheckoutId, Event, Scope, Transaction, TransactionId,
    exchange::Exchange,
    idempotency::{Attempt, ResponseSnapshot, StoredResponse},
    ledger::PostedBefore,
    transaction::Sending,
    webhook::{Delivery, notice::Notice},
};
use tua_sql::sql::Sql;

/// A connection, inside a transaction that changes payments or sessions.
pub(crate) trait PaymentSql: Sql {
    /// Claims the idempotency key of a request, and returns whether it was used before. What the
    /// request writes is refused or written afterwards, with the record ([`Self::insert_record`]).
    ///
    /// PostgreSQL inserts the record here, and waits for a request with the same key. SQLite has
    /// one writer, and writes nothing before the refusals: a rejection of what has written
    /// something runs the other writes of its commit again.
    async fn claim(&self, record: Option<&NewRecord<'_>>) -> Result<bool, Self::Error>;

    /// Inserts the record of a request that is not refused, unless [`Self::claim`] has done so.
    async fn insert_record(&self, record: Option<&NewRecord<'_>>) -> Result<(), Self::Error>;

    /// Reads a transaction, and locks it until the commit.
    async fn lock_transaction(
        &self,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, Self::Error>;

    /// Inserts new payments that are no charges of sessions, with their first events.
    async fn insert_payments(
        &self,
        begun: &[(Transaction, Sending)],
        events: &[Event],
    ) -> Result<(), Self::Error>;

    /// Applies an event, stores both, and writes the webhook deliveries.
    async fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> Result<(), Self::Error>;

    /// Stores transactions to each of which an event was applied, sorted by id, and writes the
    /// webhook deliveries. `posted` contains what was posted for each before. Not for refunds,
    /// whose charges count them.
    async fn store_applied(
        &self,
        applied: &[(&Transaction, &Event)],
        posted: &[(PostedBefore, &Transaction)],
    ) -> Result<(), Self::Error>;

    /// Stores what approvals chose, that nothing waits for one, and when to send the payouts.
    async fn store_routes(
        &self,
        approved: &[&Transaction],
        send_at: Option<Timestamp>,
    ) -> Result<(), Self::Error>;

    /// The charges of sessions, oldest first.
    async fn charges(
        &self,
        sessions: &[&CheckoutId],
    ) -> Result<HashMap<CheckoutId, Vec<Transaction>>, Self::Error>;

    /// Inserts a delivery of each notice for each endpoint that is subscribed.
    async fn notify(&self, news: Vec<(&Scope, Notice)>, now: Timestamp) -> Result<(), Self::Error>;

    /// Inserts webhook deliveries. The caller has locked their endpoints.
    async fn insert_deliveries(&self, deliveries: &[Delivery]) -> Result<(), Self::Error>;

    /// Inserts exchanges with operators. Those whose transaction does not exist are skipped.
    async fn insert_exchanges(&self, exchanges: &[Exchange]) -> Result<(), Self::Error>;
}

/// An idempotency record to insert.
pub(crate) struct NewRecord<'a> {
    pub(crate) attempt: &'a Attempt,
    /// The id of what the request creates.
    pub(crate) subject: &'a str,
    pub(crate) response: Option<ResponseSnapshot>,
    pub(crate) now: Timestamp,
}

impl<'a> NewRecord<'a> {
    /// The record of a request whose response is known when it creates its subject.
    pub(crate) fn of_response(
        response: &'a StoredResponse,
        subject: &'a str,
        now: Timestamp,
    ) -> Self {
        let StoredResponse { attempt, snapshot } = response;
        Self { attempt, subject, response: Some(*snapshot), now }
    }
}
