//! What this store adds to SQLite's own SQL.

use rusqlite::{Connection, Result, functions::FunctionFlags};
use tua_domain::privacy::digits_only;

/// Adds `tua_digits(text)`: the digits of a text in any script, as ASCII; and the collation `"C"`
/// of PostgreSQL: by the bytes.
///
/// # Errors
/// Those of SQLite.
pub fn register(db: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_collation("C", str::cmp)?;
    db.create_scalar_function("tua_digits", 1, flags, |context| {
        context.get::<String>(0).map(|text| digits_only(&text))
    })
}
