//! Tests of payments and what belongs to them: checkout sessions, idempotency, limits, quotes, test
//! mode, webhooks.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod checkouts;
mod idempotency;
mod limits;
mod payments;
mod quotes;
mod sandbox;
mod slow_body;
mod webhooks;
