//! Tests of what people read: the dashboard, the hosted page, payment links, e-mail.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod dashboard;
mod hosted;
mod links;
mod mail;
