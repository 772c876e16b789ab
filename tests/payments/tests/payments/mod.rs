//! Charges, payouts and refunds: requests, one-time codes, polling, listing.

mod amounts;
mod broken_connections;
mod charges;
mod disputed_refunds;
mod end_to_end;
mod listing;
mod orders_of_revoked_keys;
mod other_nodes;
mod payout_approval;
mod payout_approval_races;
mod payout_batches;
mod payout_batches_decided;
mod payout_limits;
mod payouts;
mod races;
mod refund_routes;
mod refunds;
mod refused_refunds;
mod revocation_races;
mod revoked_keys;
mod status_polling;
mod submit_otp;
