//! What queries of both engines do with payments on SQLite.

use super::{
    checkouts, exchanges, idempotency, ledger, notices, transaction_rows, transactions, webhooks,
};
use crate::payment_sql::{NewRecord, PaymentSql};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use std::collections::HashMap;
use tua_domain::{
    CheckoutId, Event, Scope, Transaction, TransactionId,
    exchange::Exchange,
    ledger::PostedBefore,
    transaction::Sending,
    webhook::{Delivery, notice::Notice},
};

impl PaymentSql for Connection {
    async fn claim(&self, record: Option<&NewRecord<'_>>) -> Result<bool> {
        idempotency::exists(self, record.map(|record| record.attempt))
    }

    async fn insert_record(&self, record: Option<&NewRecord<'_>>) -> Result<()> {
        let Some(NewRecord { attempt, subject, response, now }) = record else { return Ok(()) };
        idempotency::insert(self, Some(attempt), subject, *response, *now)
    }

    async fn lock_transaction(&self, id: &TransactionId) -> Result<Option<Transaction>> {
        transaction_rows::by_id(self, id)
    }

    async fn insert_payments(
        &self,
        begun: &[(Transaction, Sending)],
        events: &[Event],
    ) -> Result<()> {
        begun.iter().zip(events).try_for_each(|((new, sending), event)| {
            transaction_rows::insert(self, new, sending)?;
            transactions::append_and_notify(self, new, event)?;
            ledger::post(self, PostedBefore::default(), new)
        })
    }

    async fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> Result<()> {
        transactions::apply_event(self, transaction, event, now)
    }

    async fn store_applied(
        &self,
        applied: &[(&Transaction, &Event)],
        posted: &[(PostedBefore, &Transaction)],
    ) -> Result<()> {
        transactions::store_applied(self, applied, posted)
    }

    async fn store_routes(
        &self,
        approved: &[&Transaction],
        send_at: Option<Timestamp>,
    ) -> Result<()> {
        approved.iter().try_for_each(|one| transaction_rows::store_route(self, one, send_at))
    }

    async fn charges(
        &self,
        sessions: &[&CheckoutId],
    ) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
        let of_session = |id: &&CheckoutId| Ok(((*id).clone(), checkouts::charges(self, id)?));
        sessions.iter().map(of_session).collect()
    }

    async fn notify(&self, news: Vec<(&Scope, Notice)>, now: Timestamp) -> Result<()> {
        let insert = |(scope, notice)| notices::insert_deliveries(self, scope, notice, now);
        news.into_iter().try_for_each(insert)
    }

    async fn insert_deliveries(&self, deliveries: &[Delivery]) -> Result<()> {
        deliveries.iter().try_for_each(|one| webhooks::insert_delivery(self, one))
    }

    async fn insert_exchanges(&self, exchanges: &[Exchange]) -> Result<()> {
        exchanges.iter().try_for_each(|one| exchanges::insert(self, one))
    }
}
