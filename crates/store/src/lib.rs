//! The store's two engines, behind [`tua_domain::ports::Store`].
//!
//! | module | does |
//! |---|---|
//! | [`sqlite`] | the embedded engine, for one node |
//! | [`postgres`] | the engine for many nodes |
//! | `queries` | the queries that both engines run, through `sql` |
//! | `columns`, `rows`, `column_values`, `event_json`, `subject_end` | what both engines share: columns and rows read into domain types |
//! | [`copy`] | copies a database from one engine to the other |
//! | `audit_values` | what the audit log shows of each kind of row |
//! | `ledger_sql` | the queries of the ledger |
//! | `link_sql` | the queries of payment links |
//! | `payout_batch_sql` | the queries of batches of payouts |
//! | `closed_day_sql`, `closed_day_json` | the queries and the reports of closed days |
//! | `statement_sql` | the queries of statements |
//! | `privacy` | which rows name a person |
//! | [`inspection`] | what `tua doctor` reads without changing anything |

mod audit_values;
mod closed_day_json;
mod closed_day_sql;
mod column_values;
mod columns;
pub mod copy;
pub mod database;
#[doc(hidden)]
pub mod event_json;
mod float_sql;
mod in_doubt;
pub mod inspection;
mod ledger_sql;
mod lift_json;
mod link_sql;
mod payment_sql;
mod payout_batch_sql;
mod ports;
pub mod postgres;
mod privacy;
mod queries;
mod route_json;
mod rows;
mod sql;
mod statement_sql;

pub mod sqlite;
mod subject_end;
