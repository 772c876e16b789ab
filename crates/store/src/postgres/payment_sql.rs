//! What queries of both engines do with payments on PostgreSQL.

use super::{
    checkouts, deliveries, exchanges, idempotency, ledger, notices, outbox, transaction_rows,
    transactions,
};
use crate::payment_sql::{NewRecord, PaymentSql};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    CheckoutId, Event, Scope, Transaction, TransactionId,
    exchange::Exchange,
    ledger::PostedBefore,
    transaction::Sending,
    webhook::{Delivery, notice::Notice},
};
use tua_sql::postgres::{db::Db, error::Result};

impl PaymentSql for Db {
    async fn claim(&self, record: Option<&NewRecord<'_>>) -> Result<bool> {
        let Some(record) = record else { return Ok(false) };
        Ok(idempotency::insert_records(self, std::slice::from_ref(record)).await?.is_empty())
    }

    async fn insert_record(&self, _: Option<&NewRecord<'_>>) -> Result<()> {
        Ok(())
    }

    async fn lock_transaction(&self, id: &TransactionId) -> Result<Option<Transaction>> {
        transaction_rows::lock(self, id).await
    }

    async fn insert_payments(
        &self,
        begun: &[(Transaction, Sending)],
        events: &[Event],
    ) -> Result<()> {
        let new = || begun.iter().map(|(new, _)| new);
        let applied: Vec<_> = new().zip(events).collect();
        let posted: Vec<_> = new().map(|new| (PostedBefore::default(), new)).collect();
        tokio::try_join!(
            biased;
            transaction_rows::insert(self, begun),
            transaction_rows::append(self, &applied),
            outbox::insert_events(self, &applied),
            ledger::post(self, &posted),
        )
        .map(drop)
    }

    async fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> Result<()> {
        transactions::apply_event(self, transaction, event, now).await
    }

    async fn store_applied(
        &self,
        applied: &[(&Transaction, &Event)],
        posted: &[(PostedBefore, &Transaction)],
    ) -> Result<()> {
        transactions::store_applied(self, applied, posted).await
    }

    async fn store_routes(
        &self,
        approved: &[&Transaction],
        send_at: Option<Timestamp>,
    ) -> Result<()> {
        transaction_rows::store_routes(self, approved, send_at).await
    }

    async fn charges(
        &self,
        sessions: &[&CheckoutId],
    ) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
        checkouts::charges(self, sessions).await
    }

    async fn notify(&self, news: Vec<(&Scope, Notice)>, now: Timestamp) -> Result<()> {
        let news = news.into_iter().map(|(scope, notice)| (scope, notice, now));
        notices::insert_deliveries(self, news.collect()).await
    }

    async fn insert_deliveries(&self, deliveries: &[Delivery]) -> Result<()> {
        deliveries::insert(self, deliveries).await
    }

    async fn insert_exchanges(&self, exchanges: &[Exchange]) -> Result<()> {
        exchanges::insert(self, exchanges).await
    }
}
