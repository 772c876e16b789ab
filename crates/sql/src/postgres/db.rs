//! Statements on one connection, pipelined.

use super::error::{Error, Result};
use deadpool_postgres::Object;
use std::{fmt, future::poll_fn, pin::pin, sync::Arc, task::Poll};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::{Row, SimpleQueryMessage, error::SqlState, types::ToSql};

/// A handle to one connection. The statements of a transaction run through clones of one handle, in
/// the order in which they are started, and need not wait for each other's results: those that are
/// joined (`try_join!(biased; …)`) are pipelined.
#[derive(Clone)]
pub struct Db(Arc<Inner>);

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Db").finish_non_exhaustive()
    }
}

struct Inner {
    object: Object,
    /// Held until a statement is sent, so that one that must be prepared first is not overtaken.
    order: Mutex<()>,
}

/// The server's id of a transaction, and the server's incarnation in which the id is valid.
#[derive(Debug)]
pub struct TxId {
    /// The id of the transaction, as text.
    pub xid: String,
    /// The incarnation of the server, where the session knows it.
    pub incarnation: Option<String>,
}

/// The parameters of a statement, as the driver takes them.
pub type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Db {
    /// Makes the handle of a connection that nobody else uses.
    pub fn new(object: Object) -> Self {
        Self(Arc::new(Inner { object, order: Mutex::new(()) }))
    }

    /// The connection, or `None` while another handle exists.
    pub fn into_object(self) -> Option<Object> {
        Arc::into_inner(self.0).map(|inner| inner.object)
    }

    /// Runs a query, and returns all rows; none if a parameter contains NUL.
    pub async fn query(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        match sent(self.0.object.query(&statement, parameters), order).await {
            // PostgreSQL rejects NUL in text (SQLSTATE 22021). No stored text contains one, so
            // nothing can match.
            Err(error) if error.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => {
                Ok(Vec::new())
            }
            rows => Ok(rows?),
        }
    }

    /// Returns the first row, if any.
    pub async fn query_opt(&self, sql: &str, parameters: Parameters<'_>) -> Result<Option<Row>> {
        Ok(self.query(sql, parameters).await?.into_iter().next())
    }

    /// Returns the number of rows written.
    pub async fn execute(&self, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        Ok(sent(self.0.object.execute(&statement, parameters), order).await?)
    }

    /// Makes the transaction's commit return before it is durable.
    pub async fn set_async_commit(&self) -> Result<()> {
        self.batch("SET LOCAL synchronous_commit = 'off'").await
    }

    /// Begins a transaction; `sql` returns its id and the server's incarnation.
    pub async fn begin(&self, sql: &str) -> Result<TxId> {
        let order = self.0.order.lock().await;
        let messages = sent(self.0.object.simple_query(sql), order).await?;
        let id = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(TxId {
                xid: row.get(0)?.to_owned(),
                incarnation: row.get(1).map(str::to_owned),
            }),
            _ => None,
        });
        id.ok_or(Error::MissingRow)
    }

    /// Runs statements without parameters.
    pub async fn batch(&self, sql: &str) -> Result<()> {
        let order = self.0.order.lock().await;
        Ok(sent(self.0.object.batch_execute(sql), order).await?)
    }
}

/// Awaits a result. The first poll sends the statement; then the next statement may be sent.
async fn sent<T>(result: impl Future<Output = T>, order: MutexGuard<'_, ()>) -> T {
    let mut result = pin!(result);
    let first = poll_fn(|context| Poll::Ready(result.as_mut().poll(context))).await;
    drop(order);
    match first {
        Poll::Ready(value) => value,
        Poll::Pending => result.await,
    }
}
