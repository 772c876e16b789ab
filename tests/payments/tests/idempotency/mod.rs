//! Idempotency keys.

mod interrupted_requests;
mod keys;
mod replay;
