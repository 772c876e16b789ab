//! Charges, payouts and refunds: requests, one-time codes, polling, listing.

mod amounts;
mod broken_connections;
mod charges;
mod end_to_end;
mod listing;
mod orders_of_revoked_keys;
mod payout_approval;
mod payout_batches;
mod payout_batches_decided;
mod payout_limits;
mod payouts;
mod races;
mod refund_routes;
mod refunds;
mod revoked_keys;
mod status_polling;
mod submit_otp;
