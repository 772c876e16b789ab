//! Checkout sessions and their tokens.

mod companion;
mod sessions;
mod token_expiry;
