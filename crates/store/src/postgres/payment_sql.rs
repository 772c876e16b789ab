//! What queries of both engines do with payments on PostgreSQL.

use super::{approvals, closing, deliveries, transactions};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    Event, KeyId, LinkId, Transaction, TransactionOrder, approval::Circumstances, webhook::Delivery,
};
use tua_sql::postgres::{db::Db, error::Result};

impl PaymentSql for Db {
    async fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> Result<()> {
        transactions::apply_event(self, transaction, event, now).await
    }

    async fn insert_deliveries(&self, deliveries: &[Delivery]) -> Result<()> {
        deliveries::insert(self, deliveries).await
    }

    async fn store_approved(&self, approved: &Transaction, now: Timestamp) -> Result<()> {
        approvals::store_approved(self, &[approved], now).await
    }

    async fn approval_circumstances(
        &self,
        order: &TransactionOrder,
        now: Timestamp,
    ) -> Result<Circumstances> {
        approvals::circumstances(self, order, Some(&order.id), now).await
    }

    async fn close_sessions_of_link(&self, link: &LinkId, now: Timestamp) -> Result<()> {
        closing::close_all_of_link(self, link, None, now).await
    }

    async fn close_checkouts_of(&self, key: &KeyId, now: Timestamp) -> Result<usize> {
        closing::close_all_of(self, key, now).await
    }
}
