//! Resolves in-doubt commits: the connection broke during COMMIT, so the client does not know
//! whether it succeeded.
//!
//! `pg_xact_status` reports the outcome of a transaction by its id. After a crash the server reuses
//! ids that never reached its disk, so its report counts only if the server has not crashed since.

use super::{
    retry::{MAX_RETRY_TIME, backoff},
    tx_runner::TxRunner,
};
use crate::in_doubt::InDoubt;
use backon::BackoffBuilder;
use std::time::Instant;
use tokio::time::sleep;
use tua_sql::postgres::{
    db::{Db, TxId},
    error::{Error, Result},
};

impl TxRunner {
    /// Commits. If the connection breaks, asks the server for the outcome.
    ///
    /// # Errors
    /// [`Error::RolledBack`], [`Error::InDoubt`], or [`Error::Database`] if the server rejects the
    /// commit.
    pub(super) async fn commit(&self, db: &Db, id: &TxId, in_doubt: InDoubt<'_>) -> Result<()> {
        match db.batch("COMMIT").await {
            Err(error) if error.is_broken() => self.resolve(id, in_doubt).await,
            outcome => outcome,
        }
    }

    async fn resolve(&self, id: &TxId, in_doubt: InDoubt<'_>) -> Result<()> {
        let started = Instant::now();
        let mut delays = backoff().build();
        while started.elapsed() < MAX_RETRY_TIME {
            match self.was_committed(id, in_doubt).await {
                Ok(Some(true)) => return Ok(()),
                Ok(Some(false)) => return Err(Error::RolledBack),
                Err(Error::InDoubt) => break,
                // Still in progress, or the server is still unreachable.
                Ok(None) | Err(_) => sleep(delays.next().unwrap_or_default()).await,
            }
        }
        Err(Error::InDoubt)
    }

    /// Whether the transaction was committed. `None` while it is in progress, or if the server no
    /// longer has its status.
    async fn was_committed(&self, id: &TxId, in_doubt: InDoubt<'_>) -> Result<Option<bool>> {
        let connection = self.connection().await?;
        let db = connection.db()?;
        let sql = "SELECT pg_xact_status($1::text::xid8), \
            coalesce(current_setting('tua.incarnation', true) = $2, false)";
        let row = match db.query_opt(sql, &[&id.xid, &id.incarnation]).await {
            // A server that has not yet assigned this id lost the transaction in a crash.
            Err(error) if error.is_out_of_range() => return Ok(Some(false)),
            row => row?.ok_or(Error::MissingRow)?,
        };
        let (status, is_same_incarnation): (Option<&str>, bool) =
            (row.try_get(0)?, row.try_get(1)?);
        let was_committed = match (status, in_doubt) {
            (Some("committed"), _) if is_same_incarnation => Some(true),
            // The server crashed: the status may be that of a later transaction with the same id.
            (Some("committed"), InDoubt::Retry) => Some(false),
            (Some("committed"), InDoubt::Verify(row, id)) => {
                Some(db.query_opt(row, &[&id]).await?.is_some())
            }
            (Some("committed"), InDoubt::Surface) => return Err(Error::InDoubt),
            (Some("aborted"), _) => Some(false),
            _ => None,
        };
        connection.release();
        Ok(was_committed)
    }
}
