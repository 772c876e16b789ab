//! Tests of the service over a socket, on a real database.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod acme;
mod checkouts;
mod command_line;
mod connectors;
mod consistency;
mod dashboard;
mod hosted;
mod http;
mod idempotency;
mod ledger;
mod limits;
mod links;
mod mail;
mod observability;
mod operators;
mod payments;
mod postgres;
mod quotes;
mod reports;
mod sandbox;
mod store;
mod support;
mod webhooks;
