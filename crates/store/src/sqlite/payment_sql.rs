//! What queries of both engines do with payments on SQLite.

use super::{approvals, closing, transactions, webhooks};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use std::future::ready as finished;
use tua_domain::{
    Event, KeyId, LinkId, Transaction, TransactionOrder, approval::Circumstances, webhook::Delivery,
};

impl PaymentSql for Connection {
    fn apply_event(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> impl Future<Output = Result<()>> + Send {
        finished(transactions::apply_event(self, transaction, event, now))
    }

    fn insert_deliveries(
        &self,
        deliveries: &[Delivery],
    ) -> impl Future<Output = Result<()>> + Send {
        finished(deliveries.iter().try_for_each(|one| webhooks::insert_delivery(self, one)))
    }

    fn store_approved(
        &self,
        approved: &Transaction,
        now: Timestamp,
    ) -> impl Future<Output = Result<()>> + Send {
        finished(approvals::store_approved(self, approved, now))
    }

    fn approval_circumstances(
        &self,
        order: &TransactionOrder,
        now: Timestamp,
    ) -> impl Future<Output = Result<Circumstances>> + Send {
        finished(approvals::circumstances(self, order, Some(&order.id), now))
    }

    fn close_sessions_of_link(
        &self,
        link: &LinkId,
        now: Timestamp,
    ) -> impl Future<Output = Result<()>> + Send {
        finished(closing::close_all_of_link(self, link, None, now))
    }

    fn close_checkouts_of(
        &self,
        key: &KeyId,
        now: Timestamp,
    ) -> impl Future<Output = Result<usize>> + Send {
        finished(closing::close_all_of(self, key, now))
    }
}
