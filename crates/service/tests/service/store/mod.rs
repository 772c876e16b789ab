//! The store when it fails, and what it deletes.

mod disk_faults;
mod failures;
mod pruning;
