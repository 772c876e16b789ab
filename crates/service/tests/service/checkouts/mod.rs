//! Checkout sessions and their tokens.

mod sessions;
mod token_expiry;
