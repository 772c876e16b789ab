//! The records of the ACME client, which all nodes share.

use crate::{
    columns::{Columns, moment},
    sql::{MissingRow, Sql},
};
use tua_domain::ports::AcmeRecord;

/// The record with this name.
pub async fn find<S: Sql>(db: &S, name: &str) -> Result<Option<AcmeRecord>, S::Error> {
    let sql = "SELECT contents, expires_at FROM acme WHERE name = $1";
    let Some(row) = db.query_opt(sql, &[&name]).await? else { return Ok(None) };
    Ok(Some(AcmeRecord {
        name: name.to_owned(),
        contents: row.maybe_bytes("contents")?.ok_or(MissingRow)?.to_vec(),
        expires_at: row.maybe_integer("expires_at")?.and_then(moment),
    }))
}

/// Stores a record, and replaces one of the same name.
pub async fn put<S: Sql>(db: &S, record: &AcmeRecord) -> Result<(), S::Error> {
    let AcmeRecord { name, contents, expires_at } = record;
    let sql = "INSERT INTO acme (name, contents, expires_at) VALUES ($1, $2, $3) ON CONFLICT (name)
               DO UPDATE SET contents = excluded.contents, expires_at = excluded.expires_at";
    db.execute(sql, &[name, contents, expires_at]).await.map(drop)
}

/// Returns whether the record was as `seen`, and has been replaced.
pub async fn swap<S: Sql>(
    db: &S,
    seen: Option<&AcmeRecord>,
    record: &AcmeRecord,
) -> Result<bool, S::Error> {
    let AcmeRecord { name, contents, expires_at } = record;
    let written = match seen {
        None => {
            let sql = "INSERT INTO acme (name, contents, expires_at) VALUES ($1, $2, $3) ON \
                CONFLICT DO NOTHING";
            db.execute(sql, &[name, contents, expires_at]).await?
        }
        Some(seen) => {
            let sql = "UPDATE acme SET contents = $2, expires_at = $3 WHERE name = $1 AND contents \
                = $4";
            db.execute(sql, &[name, contents, expires_at, &seen.contents]).await?
        }
    };
    Ok(written == 1)
}

/// Deletes the record with this name, if there is one.
pub async fn remove<S: Sql>(db: &S, name: &str) -> Result<(), S::Error> {
    db.execute("DELETE FROM acme WHERE name = $1", &[&name]).await.map(drop)
}
