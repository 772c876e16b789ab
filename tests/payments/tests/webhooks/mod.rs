//! Webhook events, their delivery and their commands.

mod addresses;
mod commands;
mod delivery;
mod events;
mod responses;
