//! The queries of both engines on a connection of PostgreSQL.

use super::{
    db::Db,
    error::{Error, Result},
};
use crate::sql::{Absent, MissingRow, Parameters, RowLock, Sql, TableLock, Value};
use bytes::BytesMut;
use std::{error::Error as StdError, sync::LazyLock};
use tokio_postgres::{
    Row,
    types::{IsNull, ToSql, Type, to_sql_checked},
};
use tua_contract::typed_text::ascii_digit;

impl From<MissingRow> for Error {
    fn from(_: MissingRow) -> Self {
        Self::MissingRow
    }
}

impl Sql for Db {
    type Error = Error;
    type Row = Row;

    fn index_hint(_: &str) -> String {
        String::new()
    }

    fn digits_only() -> (&'static str, &'static str) {
        ("regexp_replace(translate(", &AFTER_DIGITS)
    }

    fn delete_chosen(table: &str, key: &str, chosen: &str) -> String {
        format!(
            "DELETE FROM {table} USING ({chosen} FOR UPDATE SKIP LOCKED) AS old
             WHERE {table}.{key} = old.{key}"
        )
    }

    async fn query(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let values = values(parameters);
        Self::query(self, sql, &references(&values)).await
    }

    async fn query_locked(
        &self,
        sql: &str,
        lock: RowLock,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>> {
        let lock = match lock {
            RowLock::Update => "FOR UPDATE",
            RowLock::NoKeyUpdate => "FOR NO KEY UPDATE",
            RowLock::NoKeyUpdateOf(table) => &format!("FOR NO KEY UPDATE OF {table}"),
            RowLock::KeyShare => "FOR KEY SHARE",
            RowLock::NoKeyUpdateUnlocked => "FOR NO KEY UPDATE SKIP LOCKED",
        };
        Sql::query(self, &format!("{sql} {lock}"), parameters).await
    }

    async fn execute(&self, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
        let values = values(parameters);
        Self::execute(self, sql, &references(&values)).await
    }

    async fn allow_long_statements(&self) -> Result<()> {
        self.batch("SET LOCAL statement_timeout = '10min'").await
    }

    async fn lock_absent(&self, absent: &Absent<'_>) -> Result<()> {
        const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema()::text \
            || $1::text || $2::text || ' ' || $3::text, 0))";
        let (what, issuer, subject) = match absent {
            Absent::FirstPerson => (" tua: first person", "", ""),
            Absent::Identity(identity) => {
                (" tua: identity ", &*identity.issuer, &*identity.subject)
            }
        };
        Self::query(self, LOCK, &[&what, &issuer, &subject]).await.map(drop)
    }

    async fn lock_table(&self, lock: TableLock) -> Result<()> {
        self.batch(match lock {
            TableLock::KeepDaysOpen => "LOCK TABLE closed_days IN ROW EXCLUSIVE MODE",
            // Conflicts with the other mode, and with itself.
            TableLock::CloseDay => "LOCK TABLE closed_days IN SHARE ROW EXCLUSIVE MODE",
            TableLock::RebuildTotals => {
                "LOCK TABLE transaction_days, refund_days, fee_days, ledger_day_sums IN EXCLUSIVE \
                 MODE"
            }
            TableLock::KeepDaySums => "LOCK TABLE ledger_day_sums IN SHARE ROW EXCLUSIVE MODE",
        })
        .await
    }
}

/// What is written after a text to leave its digits.
static AFTER_DIGITS: LazyLock<String> = LazyLock::new(|| {
    let all = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
    let (written, ascii): (String, String) =
        all.filter_map(|one| Some((one, ascii_digit(one)?))).unzip();
    format!(", '{written}', '{ascii}'), '[^0123456789]', '', 'g')")
});

fn values<'a>(parameters: Parameters<'a>) -> Vec<Value<'a>> {
    parameters.iter().map(|parameter| parameter.value()).collect()
}

fn references<'a>(values: &'a [Value<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        column: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Text(text) => text.to_sql_checked(column, out),
            Value::Integer(integer) => integer.to_sql_checked(column, out),
            Value::Bytes(bytes) => bytes.to_sql_checked(column, out),
        }
    }

    /// Each kind of value is checked when it is written.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
