//! Queries that both engines run: what is neither on the way of every payment nor in the hands of
//! one engine alone.

pub(crate) mod account_changes;
pub(crate) mod accounts;
pub(crate) mod acme;
pub(crate) mod alerts;
pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod closed_days;
pub(crate) mod credentials;
pub(crate) mod identities;
pub(crate) mod key_revocation;
pub(crate) mod ledger;
pub(crate) mod limit_lifts;
pub(crate) mod links;
pub(crate) mod mail;
pub(crate) mod mail_reports;
pub(crate) mod memberships;
pub(crate) mod passkeys;
pub(crate) mod payout_batches;
pub(crate) mod payout_controls;
mod report_conditions;
mod report_sql;
pub(crate) mod reports;
pub(crate) mod roles;
pub(crate) mod security_notices;
pub(crate) mod sessions;
pub(crate) mod statement_lines;
pub(crate) mod statements;
pub(crate) mod users;
