//! Queries that both engines run and that change payments ([`crate::payment_sql`]) or need the
//! rules of queries that do. The others are in [`tua_sql::queries`].

pub(crate) mod account_changes;
pub(crate) mod approvals;
pub(crate) mod callbacks;
pub(crate) mod checkouts;
pub(crate) mod deliveries;
pub(crate) mod endpoints;
pub(crate) mod event_record;
pub(crate) mod hand_over;
pub(crate) mod key_revocation;
pub(crate) mod links;
pub(crate) mod new_requests;
pub(crate) mod overdue;
mod parameters;
pub(crate) mod past_events;
mod past_rows;
pub(crate) mod payout_batches;
pub(crate) mod payout_controls;
pub(crate) mod pinned_payments;
pub(crate) mod privacy;
pub(crate) mod refunds;
pub(crate) mod reviews;
pub(crate) mod schedules;
mod webhook_responses;
