//! Tests of the command line, on a real database.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod command_line;
mod developer;
mod listen_faults;
mod logs;
mod trigger;
