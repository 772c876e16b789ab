//! The ports that this engine implements, or parts of them. Ports that both engines implement with
//! the same words are in [`crate::ports`].

mod accounts;
mod checkouts;
mod code_attempts;
mod event_record;
mod idempotency_records;
mod nodes;
mod outbox;
mod personal_data;
mod rate_buckets;
mod retention;
mod sandbox_orders;
mod transactions;
