//! The store's two engines, behind [`tua_domain::ports::Store`].
//!
//! | module | does |
//! |---|---|
//! | [`sqlite`] | the embedded engine, for one node |
//! | [`postgres`] | the engine for many nodes |
//! | `ports` | the methods of the ports that call them, written once for both engines |
//! | `queries` | the queries that both engines run |
//! | `sql`, `payment_sql` | one connection of either engine, and what it does with payments |
//! | [`fault_injection`] | faults that tests inject into the calls of the ports |
//! | `in_doubt` | what to do where a commit is in doubt |
//! | `columns`, `rows`, `column_values`, `event_json`, `subject_end` | what both engines share: columns and rows read into domain types |
//! | [`copy`], [`copied_rows`] | copies a database from one engine to the other |
//! | [`database`], `database_lock` | which database the service works on, and the lock that one service holds on a file |
//! | `audit_values` | what the audit log shows of each kind of row |
//! | `closed_day_json` | the reports of closed days |
//! | `trace` | the spans of both engines |
//! | `privacy` | which rows name a person |
//! | [`inspection`] | what `tua doctor` reads without changing anything |

// The use cases are futures inside futures, and each span is one more.
#![recursion_limit = "256"]

mod audit_values;
mod closed_day_json;
mod column_values;
mod columns;
pub mod copied_rows;
pub mod copy;
pub mod database;
mod database_lock;
#[doc(hidden)]
pub mod event_json;
pub mod fault_injection;
mod in_doubt;
pub mod inspection;
mod lift_json;
mod payment_sql;
mod ports;
pub mod postgres;
mod privacy;
mod queries;
mod route_json;
mod rows;
mod sql;

pub mod sqlite;
mod subject_end;
mod trace;
mod write_error;
