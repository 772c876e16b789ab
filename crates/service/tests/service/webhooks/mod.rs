//! Webhook events, their delivery and their commands.

mod commands;
mod delivery;
mod events;
