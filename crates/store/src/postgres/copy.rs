//! The target of `tua copy`: one transaction that fills an empty database.

use super::{nodes::alive, store::PostgresStore};
use crate::copied_rows::{Cell, Column, Content, Kind, Rows, TABLES, names, select};
use std::pin::pin;
use tokio_postgres::{
    Client, Row,
    binary_copy::BinaryCopyInWriter,
    types::{ToSql, Type},
};
use tua_sql::postgres::error::{Error, Result};

/// Rows per FETCH while the copy is verified.
const FETCH_SIZE: usize = 5_000;

/// An empty database that is being filled.
pub(crate) struct Target {
    name: String,
    client: Client,
}

impl Target {
    /// Begins the transaction and locks the tables.
    ///
    /// # Errors
    /// One line: nodes are serving from the database, it is not empty, or it cannot be reached.
    pub(crate) async fn begin(store: &PostgresStore) -> std::result::Result<Self, String> {
        let with_context =
            |error: &dyn std::fmt::Display| format!("database {}: {error}", store.name);
        let (client, _) = store.connector.connect().await.map_err(|error| with_context(&error))?;
        let target = Self { name: store.name.clone(), client };
        match target.is_free().await.map_err(|error| with_context(&error))? {
            Free::Yes => Ok(target),
            Free::Served => {
                Err(with_context(&"`tua serve` is running on it; stop all nodes first"))
            }
            Free::Filled(table) => {
                Err(with_context(&format!("it is not empty: table {table} contains rows")))
            }
        }
    }

    async fn is_free(&self) -> Result<Free> {
        // Copying a large table takes long, and the tables stay locked until the end.
        self.client
            .batch_execute("SET statement_timeout = 0; SET lock_timeout = '5s'; BEGIN")
            .await?;
        if alive(&self.client).await? > 0 {
            return Ok(Free::Served);
        }
        self.client
            .batch_execute(&format!("LOCK TABLE {} IN EXCLUSIVE MODE", TABLES.join(", ")))
            .await?;
        for table in TABLES {
            let found = self
                .client
                .query_one(&format!("SELECT EXISTS (SELECT 1 FROM {table})"), &[])
                .await?;
            if found.try_get(0)? {
                return Ok(Free::Filled(table));
            }
        }
        Ok(Free::Yes)
    }

    /// Copies all rows of a table.
    pub(crate) async fn write(
        &self,
        table: &str,
        columns: &[Column],
        rows: &mut Rows,
    ) -> std::result::Result<(), String> {
        self.write_all(table, columns, rows).await.map_err(|error| self.with_table(table, &error))
    }

    async fn write_all(&self, table: &str, columns: &[Column], rows: &mut Rows) -> Result<()> {
        let sql = format!("COPY {table} ({}) FROM STDIN BINARY", names(columns));
        let types: Vec<Type> = columns.iter().map(|column| kind(column.kind)).collect();
        let mut writer = pin!(BinaryCopyInWriter::new(self.client.copy_in(&sql).await?, &types));
        while let Some(row) = rows.recv().await {
            let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(value).collect();
            writer.as_mut().write(&values).await?;
        }
        writer.finish().await?;
        Ok(())
    }

    /// Reads a table back, to verify the copy.
    pub(crate) async fn read(
        &self,
        table: &'static str,
        columns: &[Column],
    ) -> std::result::Result<Content, String> {
        self.read_all(table, columns).await.map_err(|error| self.with_table(table, &error))
    }

    async fn read_all(&self, table: &'static str, columns: &[Column]) -> Result<Content> {
        self.client
            .batch_execute(&format!("DECLARE copied CURSOR FOR {}", select(table, columns)))
            .await?;
        let mut content = Content::new(table);
        loop {
            let rows = self.client.query(&format!("FETCH {FETCH_SIZE} FROM copied"), &[]).await?;
            for row in &rows {
                content.add(&cells(row, columns)?);
            }
            if rows.len() < FETCH_SIZE {
                break;
            }
        }
        self.client.batch_execute("CLOSE copied").await?;
        Ok(content)
    }

    /// Commits the copy. Then makes statistics about its rows and marks them as visible to all:
    /// until autovacuum did that, the server would read large tables in full for a page of the
    /// dashboard.
    pub(crate) async fn commit(self) -> std::result::Result<(), String> {
        let committed = self.client.batch_execute("COMMIT").await;
        committed.map_err(|error| self.with_table("all tables", &Error::from(error)))?;
        let vacuum = format!("VACUUM (ANALYZE) {}", TABLES.join(", "));
        self.client.batch_execute(&vacuum).await.map_err(|error| {
            let error = Error::from(error);
            format!(
                "database {}: the copy is complete, but VACUUM (ANALYZE) failed; run it yourself: \
                 {error}",
                self.name
            )
        })
    }

    /// The message of an error, with the names of the database and the table.
    fn with_table(&self, table: &str, error: &Error) -> String {
        format!("database {}: {table}: {error}", self.name)
    }
}

enum Free {
    Yes,
    Served,
    Filled(&'static str),
}

const fn kind(kind: Kind) -> Type {
    match kind {
        Kind::Text => Type::TEXT,
        Kind::Integer => Type::INT8,
        Kind::Bytes => Type::BYTEA,
    }
}

fn value(cell: &Cell) -> &(dyn ToSql + Sync) {
    match cell {
        Cell::Text(text) => text,
        Cell::Integer(number) => number,
        Cell::Bytes(bytes) => bytes,
    }
}

fn cells(row: &Row, columns: &[Column]) -> Result<Vec<Cell>> {
    let cell = |(index, column): (usize, &Column)| {
        Ok(match column.kind {
            Kind::Text => Cell::Text(row.try_get(index)?),
            Kind::Integer => Cell::Integer(row.try_get(index)?),
            Kind::Bytes => Cell::Bytes(row.try_get(index)?),
        })
    };
    columns.iter().enumerate().map(cell).collect()
}
