//! Webhook events, their delivery and their commands.

mod addresses;
mod commands;
mod delivery;
mod endpoint_routes;
mod event_record;
mod events;
mod incomplete_records;
mod past_events;
mod responses;
