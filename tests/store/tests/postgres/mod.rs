//! Several nodes on one PostgreSQL server.

mod ambiguous_commits;
mod batches;
mod cluster;
mod cluster_messages;
mod connected_operators;
mod durable_commits;
mod failover;
mod full_disk;
mod late_events;
mod long_statements;
mod outages;
mod people;
mod poolers;
mod tcp_proxy;
mod upgrades;
