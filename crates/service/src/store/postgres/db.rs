//! Statements on their way to the server.

use super::error::{Error, Result};
use deadpool_postgres::Object;
use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::{Row, SimpleQueryMessage, error::SqlState, types::ToSql};

/// What statements are run on. The statements of one transaction go through clones of one handle, in the
/// order in which they are asked for, and need not wait for each other's answers: those that
/// are joined (`try_join!(biased; …)`) are on their way together.
#[derive(Clone)]
pub(super) struct Db(Arc<Line>);

struct Line {
    object: Object,
    /// Held while a statement is sent: one that must be prepared first is not overtaken.
    order: Mutex<()>,
}

/// What the server knows a transaction by, in one of its lives.
pub(super) struct Begun {
    pub(super) number: String,
    pub(super) life: Option<String>,
}

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Db {
    pub(super) fn new(object: Object) -> Self {
        Self(Arc::new(Line { object, order: Mutex::new(()) }))
    }

    /// The connection, where nothing else is run on it.
    pub(super) fn into_object(self) -> Option<Object> {
        Arc::into_inner(self.0).map(|line| line.object)
    }

    pub(super) async fn all(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        match sent(self.0.object.query(&statement, parameters), order).await {
            // No text in a table holds a NUL, so that nothing is found by one.
            Err(error) if error.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Ok(Vec::new()),
            rows => Ok(rows?),
        }
    }

    /// At most one row.
    pub(super) async fn one(&self, sql: &str, parameters: Parameters<'_>) -> Result<Option<Row>> {
        Ok(self.all(sql, parameters).await?.into_iter().next())
    }

    /// How many rows were written.
    pub(super) async fn run(&self, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        Ok(sent(self.0.object.execute(&statement, parameters), order).await?)
    }

    /// The transaction's commit does not wait for the disk.
    pub(super) async fn relax(&self) -> Result<()> {
        self.batch("SET LOCAL synchronous_commit = 'off'").await
    }

    /// Begins a transaction.
    pub(super) async fn begin(&self, beginning: &str) -> Result<Begun> {
        let order = self.0.order.lock().await;
        let messages = sent(self.0.object.simple_query(beginning), order).await?;
        let begun = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some(Begun { number: row.get(0)?.to_owned(), life: row.get(1).map(str::to_owned) })
            }
            _ => None,
        });
        begun.ok_or(Error::Missing)
    }

    /// Statements that bind nothing.
    pub(super) async fn batch(&self, sql: &str) -> Result<()> {
        let order = self.0.order.lock().await;
        Ok(sent(self.0.object.batch_execute(sql), order).await?)
    }
}

/// Waits for an answer; what asks for it is sent with the first look, and then the next may be sent.
async fn sent<T>(answer: impl Future<Output = T>, order: MutexGuard<'_, ()>) -> T {
    let mut answer = pin!(answer);
    let first = poll_fn(|context| Poll::Ready(answer.as_mut().poll(context))).await;
    drop(order);
    match first {
        Poll::Ready(value) => value,
        Poll::Pending => answer.await,
    }
}
