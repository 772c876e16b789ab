//! Queries that both engines run: what is neither on the way of every payment nor in the hands of
//! one engine alone.

pub(crate) mod accounts;
pub(crate) mod alerts;
pub(crate) mod audit;
pub(crate) mod mail;
pub(crate) mod mail_reports;
pub(crate) mod memberships;
pub(crate) mod security_notices;
pub(crate) mod users;
