//! Invariants that hold after any sequence of operations and restarts.

mod event_replay;
mod model;
mod process_restarts;
