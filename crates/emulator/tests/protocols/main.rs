//! Each operator's protocol over a socket, as an unmodified client uses it.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

mod clock;
mod hubtel;
mod mtn_momo;
mod page;
mod pawapay;
mod pawapay_signatures;
mod paystack;
mod refusals;
mod support;
