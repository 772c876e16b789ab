//! What queries of both engines do with payments on SQLite.

use super::{approvals, checkouts, transactions, webhooks};
use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use std::future::ready as finished;
use tua_domain::{
    CheckoutId, Event, KeyId, LinkId, NewTransaction, Transaction, TransactionId,
    approval::Circumstances, webhook::Delivery,
};

impl PaymentSql for Connection {
    fn take(
        &self,
        transaction: &mut Transaction,
        event: &Event,
        now: Timestamp,
    ) -> impl Future<Output = Result<()>> + Send {
        finished(transactions::take(self, transaction, event, now))
    }

    fn insert_delivery(&self, delivery: &Delivery) -> impl Future<Output = Result<()>> + Send {
        finished(webhooks::insert_delivery(self, delivery))
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
        order: &NewTransaction,
        without: Option<&TransactionId>,
        now: Timestamp,
    ) -> impl Future<Output = Result<Circumstances>> + Send {
        finished(approvals::circumstances(self, order, without, now))
    }

    fn close_sessions_of_link(
        &self,
        link: &LinkId,
        except: Option<&CheckoutId>,
        now: Timestamp,
    ) -> impl Future<Output = Result<()>> + Send {
        finished(checkouts::close_all_of_link(self, link, except, now))
    }

    fn close_checkouts_of(
        &self,
        key: &KeyId,
        now: Timestamp,
    ) -> impl Future<Output = Result<usize>> + Send {
        finished(checkouts::close_all_of(self, key, now))
    }
}
