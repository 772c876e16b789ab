//! The service over a real socket, on a real database, by the contract.

#![expect(clippy::unwrap_used, reason = "a test stops where it is wrong")]

mod amounts;
mod binary;
mod bodies;
mod bounds;
mod charges;
mod checkouts;
mod command_line;
mod conflicts;
mod connections;
mod credentials;
mod damaged_files;
mod errors;
mod exhaustion;
mod expiry;
mod headers;
mod hosted;
mod idempotency;
mod idempotency_keys;
mod keys;
mod limits;
mod listing;
mod openapi;
mod operators;
mod payouts;
mod phone;
mod proxies;
mod races;
mod receiver;
mod recovery;
mod replay;
mod revival;
mod sandbox_numbers;
mod secrets;
mod settlement;
mod sleepers;
mod smoke;
mod status;
mod support;
mod tls;
mod verification;
mod webhook_commands;
mod webhook_delivery;
mod webhooks;
