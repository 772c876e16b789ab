//! The dashboard, without script.

mod access;
mod administration;
mod batches;
mod branding;
mod journey;
mod pages;
mod payouts_and_webhooks;
mod placement;
mod refunds;
