//! Idempotency keys: repeats get the first response.

mod interrupted_requests;
mod keys;
mod replay;
