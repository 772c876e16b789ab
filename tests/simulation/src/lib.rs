//! Simulates the money core: the product's use cases and workers, on a clock, a disk, operators and
//! shops that a seed decides about.
//!
//! # How it is deterministic
//!
//! The tasks of the service run on one thread, in a runtime of tokio whose time is paused. Its time
//! moves only while all tasks wait, which shows the [`driver`] that the service is at rest. The
//! service itself has the [`clock`] of the simulation. At rest the driver ends one sleep, lets one
//! thing happen, or moves the clock to what comes next: never two at once, because `select!` would
//! choose between them without the seed.
//!
//! The store writes on a thread of its own. It waits at a gate of the [`disk`], before it takes the
//! lock for writing, until the service is at rest. Then the driver queues a write of its own behind
//! those that wait, opens the gate, and blocks the tasks until its write has ended. So what shares
//! a commit, and what a fault of the disk hits, follows from the seed too. The product needs no
//! change for this: the disk is a file system of SQLite ([`vfs`]).
//!
//! Three things do not follow from the seed. Ids and secrets are random, but ids are ordered by
//! their creation, and nothing that is printed contains them. `select!` polls its branches in a
//! random order, which matters only for two sleeps that end in the same instant. The timeouts of
//! SQLite and of its connection pool are real; they expire only where a machine stalls for seconds.
//!
//! # What is not simulated
//!
//! HTTP, the connectors' wire protocols, PostgreSQL and several nodes (`tests/crash` has them);
//! codes; decisions of people about payments that are flagged; refunds that an operator makes
//! itself (here each is a payout); limits of payouts but those for approvals; the sending of
//! webhooks, whose retries have a random delay: at the end the outbox must have every event. The
//! store's thread for checkpoints never has work, see [`driver`].

pub mod batches;
pub mod books;
pub mod calls;
pub mod clock;
pub mod counts;
pub mod coverage;
pub mod disk;
pub mod driver;
pub mod file_log;
pub mod happenings;
pub mod inspector;
pub mod ledger_oracle;
pub mod locks;
pub mod machine;
pub mod node;
pub mod operator;
pub mod oracles;
pub mod orders;
pub mod outbox;
pub mod payments;
pub mod permissions;
pub mod planning;
pub mod processors;
pub mod requests;
pub mod scheduled_events;
pub mod search;
pub mod send_checks;
pub mod sends;
pub mod session_oracles;
pub mod sessions;
pub mod shop;
pub mod shrinking;
pub mod simulation;
pub mod staff;
pub mod vfs;
pub mod world;

#[cfg(test)]
mod tests;
