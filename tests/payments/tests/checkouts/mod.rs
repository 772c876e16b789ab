//! Checkout sessions and their tokens.

mod closing;
mod companion;
mod listing;
mod networks;
mod sessions;
mod slow_bodies;
mod token_expiry;
