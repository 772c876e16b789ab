//! The SQL that both engines of the store share, and one connection of either engine.
//!
//! What is in the hands of one engine alone, and what changes payments, is in `tua-store`.
//!
//! | module | does |
//! |---|---|
//! | [`sql`] | one connection of either engine, as a trait |
//! | [`sqlite`], [`postgres`] | the connections of the two engines |
//! | [`queries`] | the queries that both engines run |
//! | [`columns`], [`rows`] | columns and rows read into domain types |
//! | [`column_values`] | domain types as columns hold them |
//! | [`event_json`], `route_json` | the events of transactions as JSON |
//! | [`audit_values`] | what the audit log shows of each kind of row |
//! | `closed_day_json`, `lift_json` | closed days, and requests to raise limits, as JSON |
//! | [`write_error`] | why a write is taken back |

// The use cases are futures inside futures, and each span is one more.
#![recursion_limit = "256"]

pub mod audit_values;
mod closed_day_json;
pub mod column_values;
pub mod columns;
#[doc(hidden)]
pub mod event_json;
mod lift_json;
pub mod postgres;
pub mod queries;
mod route_json;
pub mod rows;
pub mod sql;
pub mod sqlite;
pub mod write_error;
