//! The store's two engines, behind [`tua_domain::ports::Store`].
//!
//! | module | does |
//! |---|---|
//! | [`sqlite`] | the embedded engine, for one node |
//! | [`postgres`] | the engine for many nodes |
//! | `ports` | the methods of the ports that call them, written once for both engines |
//! | `queries` | queries of both engines that need rules of payments; see [`tua_sql`] |
//! | `payment_sql`, `lease_sql` | what one connection of either engine does with payments, and with due work |
//! | `migrations` | the versions of the schema |
//! | [`fault_injection`] | faults that tests inject into the calls of the ports |
//! | `in_doubt` | what to do where a commit is in doubt |
//! | `subject_end` | when what an idempotent request began has ended |
//! | [`copy`], [`copied_rows`] | copies a database from one engine to the other |
//! | [`database`], `database_lock`, `open_error` | the database, its lock, its faults |
//! | `trace` | the spans of both engines |
//! | `privacy` | which rows name a person |
//! | [`inspection`] | what `tua doctor` reads without changing anything |

// The use cases are futures inside futures, and each span is one more.
#![recursion_limit = "256"]

pub mod copied_rows;
pub mod copy;
pub mod database;
mod database_lock;
pub mod fault_injection;
mod in_doubt;
pub mod inspection;
mod lease_sql;
mod migrations;
mod open_error;
mod payment_sql;
mod ports;
pub mod postgres;
mod privacy;
mod queries;
pub mod sqlite;
mod subject_end;
mod trace;
