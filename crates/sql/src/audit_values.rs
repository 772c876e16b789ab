//! What the audit log shows of each kind of row: ids and values, never payers' data or secrets.

pub mod accounts;
mod change;
pub mod channels;
pub mod keys;
pub mod mail_servers;
pub mod operators;
pub mod payments;
pub mod payouts;
pub mod people;
pub mod server;
pub mod statements;
