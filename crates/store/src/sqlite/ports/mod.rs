//! The ports that this engine implements, or parts of them. Ports that both engines implement with
//! the same words are in [`crate::ports`].

mod accounts;
mod callback_log;
mod checkouts;
mod code_attempts;
mod event_record;
mod exchange_log;
mod hand_overs;
mod idempotency_records;
mod nodes;
mod outbox;
mod payment_links;
mod payout_batches;
mod personal_data;
mod pinned_payments;
mod rate_buckets;
mod readiness;
mod retention;
mod sandbox_orders;
mod schedules;
mod transactions;
