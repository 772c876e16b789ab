//! One connection of either engine, for the queries that both run.
//!
//! Their SQL is what both understand: parameters are `$1`, `$2` and so on, columns are text,
//! integers and bytes, and `CAST (… AS BIGINT)` stands for PostgreSQL's `::bigint`.

use crate::columns::{Columns, Unreadable};
use jiff::Timestamp;
use tua_domain::{people::Identity, secret::SecretDigest};

/// A connection, inside or outside a transaction.
///
/// On SQLite each statement is complete when its method returns, so the futures of the queries are
/// ready when they are first polled (`ready` in `sqlite/sql.rs`).
pub trait Sql {
    /// The engine's own fault.
    type Error: From<Unreadable> + From<MissingRow>;
    /// A row that a query returns.
    type Row: Columns<Error = Self::Error>;

    /// What follows a table's name so that its rows are read through this index. SQLite's planner
    /// has no statistics.
    fn index_hint(index: &str) -> String;

    /// What is written before and after a text, to leave its digits, in ASCII.
    fn digits_only() -> (&'static str, &'static str);

    /// A statement that deletes rows of a table: those whose key is in the only column of a query
    /// of this table. Rows that another transaction has locked are left out.
    fn delete_chosen(table: &str, key: &str, chosen: &str) -> String;

    /// Runs a query, and returns all rows.
    fn query(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Vec<Self::Row>, Self::Error>> + Send;

    /// As [`Self::query`], and locks the rows until the transaction ends. SQLite has one writer,
    /// which needs no lock.
    fn query_locked(
        &self,
        sql: &str,
        lock: RowLock,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Vec<Self::Row>, Self::Error>> + Send;

    /// Returns the number of rows written.
    fn execute(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<u64, Self::Error>> + Send;

    /// Lets the statements of this transaction run for ten minutes: they read or write whole
    /// tables, on behalf of a person. SQLite's statements have no time limit.
    fn allow_long_statements(&self) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Waits until no other transaction has the lock, and holds it until this transaction ends.
    /// What others inserted meanwhile is visible to the statements that follow. SQLite has one
    /// writer, which needs no lock.
    fn lock_absent(
        &self,
        absent: &Absent<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Holds the lock until this transaction ends. SQLite has one writer, which needs no lock.
    fn lock_table(&self, lock: TableLock) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Returns the first row, if any.
    fn query_opt(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Option<Self::Row>, Self::Error>> + Send {
        let rows = self.query(sql, parameters);
        async { Ok(rows.await?.into_iter().next()) }
    }
}

/// How PostgreSQL locks rows that a query returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowLock {
    /// `FOR UPDATE`
    Update,
    /// `FOR NO KEY UPDATE`: rows that refer to a locked one may be inserted meanwhile.
    NoKeyUpdate,
    /// `FOR NO KEY UPDATE OF` this table: the rows that were joined with it are not locked.
    NoKeyUpdateOf(&'static str),
    /// `FOR KEY SHARE`: the rows are not deleted meanwhile, nor locked with [`Self::Update`].
    KeyShare,
    /// `FOR NO KEY UPDATE SKIP LOCKED`: rows that another transaction has locked are left out.
    NoKeyUpdateUnlocked,
}

/// Something that may be inserted once, and that has no row yet, which no row lock can keep other
/// nodes from inserting.
#[derive(Debug)]
pub enum Absent<'a> {
    /// The person of the first set-up, and the link for it.
    FirstPerson,
    /// The person of an identity.
    Identity(&'a Identity),
}

/// What a lock on a whole table is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableLock {
    /// No day is closed meanwhile. Others may hold this lock too.
    KeepDaysOpen,
    /// A day is closed: nobody else holds a lock on the closed days meanwhile.
    CloseDay,
    /// The totals of days are counted again: waits for transactions that have counted something,
    /// and makes the next ones wait, so that none is counted twice or not at all. The kept sums of
    /// the ledger's days are deleted, so it conflicts with [`Self::KeepDaySums`] too.
    RebuildTotals,
    /// The sums of a day of the ledger are kept: nobody else keeps or deletes sums meanwhile.
    KeepDaySums,
}

/// A row that must exist does not.
#[derive(Clone, Copy, Debug)]
pub struct MissingRow;

/// The parameters of a statement, in the order of their numbers.
pub type Parameters<'a> = &'a [&'a (dyn Parameter + Sync)];

/// A value as its column stores it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// The column is NULL.
    Null,
    /// A text.
    Text(&'a str),
    /// An integer.
    Integer(i64),
    /// Bytes.
    Bytes(&'a [u8]),
}

/// What can be a parameter of a statement.
pub trait Parameter {
    /// The value as a column stores it.
    fn value(&self) -> Value<'_>;
}

impl Parameter for &str {
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Parameter for String {
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Parameter for i64 {
    fn value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl Parameter for u32 {
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Parameter for &[u8] {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl Parameter for Vec<u8> {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl<const N: usize> Parameter for [u8; N] {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl Parameter for SecretDigest {
    fn value(&self) -> Value<'_> {
        Value::Bytes(&self.0)
    }
}

/// Milliseconds since 1970.
impl Parameter for Timestamp {
    fn value(&self) -> Value<'_> {
        Value::Integer(self.as_millisecond())
    }
}

impl<T: Parameter> Parameter for Option<T> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Parameter::value)
    }
}
