//! The service over a real socket, on a real database, by the contract.

#![expect(clippy::unwrap_used, reason = "a test stops where it is wrong")]

mod checkouts;
mod command_line;
mod consistency;
mod hosted;
mod http;
mod idempotency;
mod limits;
mod observability;
mod operators;
mod payments;
mod postgres;
mod sandbox;
mod store;
mod support;
mod webhooks;
