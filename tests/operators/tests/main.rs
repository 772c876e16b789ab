//! Tests of operators: what they report to the service, and the connectors over the emulator.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod connectors;
mod operators;
