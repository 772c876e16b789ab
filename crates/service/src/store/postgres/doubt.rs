//! Commits whose connection broke: whether they came about.
//!
//! The server remembers by a transaction's number how it ended (`pg_xact_status`). After a crash it gives numbers that
//! never reached its disk to others, so that it is believed only where it has not crashed since.

use super::{
    db::{Begun, Db},
    error::{Error, Result},
    patience::{PATIENCE, Pauses},
    session::Sessions,
};
use std::time::Instant;

/// What is done where a crash of the server leaves open whether a transaction was committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InDoubt<'a> {
    /// It is made again: the second time would find nothing left to do.
    Repeat,
    /// This finds the row that it wrote, by its id.
    Look(&'static str, &'a str),
    /// The caller is told.
    Tell,
}

impl Sessions {
    /// Where the connection breaks here, the server may have committed or not.
    pub(super) async fn commit(&self, db: &Db, begun: &Begun, doubt: InDoubt<'_>) -> Result<()> {
        match db.batch("COMMIT").await {
            Err(error) if error.is_broken() => self.ended(begun, doubt).await,
            ended => ended,
        }
    }

    async fn ended(&self, begun: &Begun, doubt: InDoubt<'_>) -> Result<()> {
        let since = Instant::now();
        let mut pauses = Pauses::default();
        while since.elapsed() < PATIENCE {
            match self.was_committed(begun, doubt).await {
                Ok(Some(true)) => return Ok(()),
                Ok(Some(false)) => return Err(Error::Lost),
                Err(Error::Uncertain) => break,
                // Still in progress, or still unreachable.
                Ok(None) | Err(_) => pauses.next().await,
            }
        }
        Err(Error::Uncertain)
    }

    /// Nothing while it is in progress.
    async fn was_committed(&self, begun: &Begun, doubt: InDoubt<'_>) -> Result<Option<bool>> {
        let session = self.session().await?;
        let db = session.db()?;
        let sql = "SELECT pg_xact_status($1::text::xid8), coalesce(current_setting('tua.life', true) = $2, false)";
        let row = match db.one(sql, &[&begun.number, &begun.life]).await {
            // A server that has not given this number out yet has lost whoever had it.
            Err(error) if error.is_out_of_range() => return Ok(Some(false)),
            row => row?.ok_or(Error::Missing)?,
        };
        let (said, is_same_life): (Option<&str>, bool) = (row.try_get(0)?, row.try_get(1)?);
        let was_committed = match (said, doubt) {
            (Some("committed"), _) if is_same_life => Some(true),
            // Since a crash: either just in time, or another one has had this number.
            (Some("committed"), InDoubt::Repeat) => Some(false),
            (Some("committed"), InDoubt::Look(row, id)) => Some(db.one(row, &[&id]).await?.is_some()),
            (Some("committed"), InDoubt::Tell) => return Err(Error::Uncertain),
            (Some("aborted"), _) => Some(false),
            _ => None,
        };
        session.keep();
        Ok(was_committed)
    }
}
