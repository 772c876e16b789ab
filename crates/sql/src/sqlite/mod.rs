//! A connection to SQLite.

pub mod functions;
pub mod record;
pub mod sql;
