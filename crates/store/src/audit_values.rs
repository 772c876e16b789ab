//! What the audit log shows of each kind of row: ids and values, never payers' data or secrets.

pub(super) mod accounts;
mod change;
pub(super) mod channels;
pub(super) mod keys;
pub(super) mod mail_servers;
pub(super) mod operators;
pub(super) mod payments;
pub(super) mod payouts;
pub(super) mod people;
pub(super) mod server;
pub(super) mod statements;
