//! Webhook events, their delivery and their commands.

mod addresses;
mod commands;
mod delivery;
mod event_record;
mod events;
mod responses;
