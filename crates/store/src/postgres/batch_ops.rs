//! The two kinds of batched requests: lookups by key, and writes.

use super::{
    batcher::BatchOp,
    tx_runner::{Ended, LockWait, TxRunner},
};
use crate::{in_doubt::InDoubt, trace::Operation};
use async_trait::async_trait;
use tokio_postgres::Row;
use tua_sql::{
    postgres::{db::Db, error::Result},
    write_error::WriteError,
};

/// A key by which a row is found.
#[async_trait]
pub(super) trait Lookup: Send + Sync + 'static {
    /// What the row of a key is read into.
    type Found: Send + 'static;

    /// Finds the rows of many keys in one query; each result has the position of its key.
    async fn find(db: &Db, keys: &[&Self]) -> Result<Vec<Option<Self::Found>>>;
}

/// A lookup that shares its query with others.
pub(super) struct BatchRead<L>(pub(super) L);

#[async_trait]
impl<L: Lookup> BatchOp for BatchRead<L> {
    const OPERATION: Operation = Operation::Read;

    type Outcome = Option<L::Found>;

    fn conflict_keys(&self) -> Vec<String> {
        Vec::new()
    }

    async fn execute(
        tx: &TxRunner,
        _: LockWait,
        ops: &[&Self],
    ) -> Result<Vec<Option<Self::Outcome>>> {
        let ops: &[&L] = &ops.iter().map(|Self(one)| one).collect::<Vec<_>>();
        let found = tx.read_batch(|db| async move { L::find(&db, ops).await }).await?;
        Ok(found.into_iter().map(Some).collect())
    }
}

/// A write that may be rejected.
#[async_trait]
pub(super) trait WriteOp: Send + Sync + 'static {
    /// What a write that is not rejected returns.
    type Output: Send + 'static;
    /// Why the write is rejected.
    type Rejection: Send + 'static;

    /// Keys of the rows that the write touches. Two writes with a common key never share a
    /// transaction, so each sees the rows as if it ran alone.
    fn conflict_keys(&self) -> Vec<String>;

    /// How to resolve an in-doubt commit.
    fn in_doubt(&self) -> InDoubt<'_>;

    /// Executes the writes as if none were rejected, and returns which are. If any is, the
    /// transaction is rolled back.
    async fn write(
        db: &Db,
        ops: &[&Self],
    ) -> Result<Vec<std::result::Result<Self::Output, Self::Rejection>>>;
}

/// A write that shares its transaction with others.
pub(super) struct BatchWrite<W>(pub(super) W);

#[async_trait]
impl<W: WriteOp> BatchOp for BatchWrite<W> {
    const OPERATION: Operation = Operation::Write;

    type Outcome = std::result::Result<W::Output, W::Rejection>;

    fn conflict_keys(&self) -> Vec<String> {
        self.0.conflict_keys()
    }

    /// Rejected writes get their outcome; the others are executed again without them.
    async fn execute(
        tx: &TxRunner,
        wait: LockWait,
        ops: &[&Self],
    ) -> Result<Vec<Option<Self::Outcome>>> {
        let ops: &[&W] = &ops.iter().map(|Self(one)| one).collect::<Vec<_>>();
        // All writes of a batch are of one kind, and committed or rolled back together.
        let in_doubt = ops.first().map_or(InDoubt::Retry, |op| op.in_doubt());
        let decided = tx.try_write_batch(wait, in_doubt, ops.len(), |db| async move {
            let outcomes = W::write(&db, ops).await?;
            if outcomes.iter().all(std::result::Result::is_ok) {
                Ok(outcomes)
            } else {
                Err(WriteError::Rejected(outcomes))
            }
        });
        Ok(match decided.await? {
            Ended::Committed(written) => written.into_iter().map(Some).collect(),
            Ended::RolledBack(rolled_back) => {
                rolled_back.into_iter().map(|outcome| outcome.is_err().then_some(outcome)).collect()
            }
        })
    }
}

/// One value of each row, as an array parameter.
pub(super) fn column<'a, Row, Value>(rows: &'a [Row], of: impl Fn(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(of).collect()
}

/// Orders rows by their column `n` (`WITH ORDINALITY`, from 1), with `None` for every key without a
/// row.
pub(super) fn by_ordinality<T>(
    count: usize,
    rows: Vec<Row>,
    read: impl Fn(Row) -> Result<T>,
) -> Result<Vec<Option<T>>> {
    let mut places: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    for row in rows {
        let place = usize::try_from(row.try_get::<_, i64>("n")?)
            .ok()
            .and_then(|n| places.get_mut(n.checked_sub(1)?));
        if let Some(place) = place {
            *place = Some(read(row)?);
        }
    }
    Ok(places)
}

/// The text, or an empty one if it contains NUL. PostgreSQL rejects NUL and would fail the whole
/// batch; no stored text contains one, and no key is empty.
pub(super) fn without_nul(text: &str) -> &str {
    if text.contains('\0') { "" } else { text }
}
