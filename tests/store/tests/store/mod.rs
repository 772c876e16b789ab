//! The store when it fails, and what it deletes.

mod disk_faults;
mod failed_sync;
mod failures;
mod pruning;
mod refusal_order;
