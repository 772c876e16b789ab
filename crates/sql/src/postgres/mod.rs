//! A connection to PostgreSQL.

pub mod db;
pub mod error;
mod record;
mod sql;
