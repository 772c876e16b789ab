//! E-mail that the service sends (docs/reference/mail.md).

mod account_server_changes;
mod account_server_delays;
mod account_server_links;
mod account_server_roles;
mod account_server_secrets;
mod account_servers;
mod alert_choices;
mod alert_kinds;
mod alerts;
mod float;
mod operator_notices;
mod outbox;
mod receipts;
mod reports;
mod security;
