//! Tests of the service as a server: HTTP, logs and metrics, certificates.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod acme;
mod http;
mod observability;
