//! What the API shows of transactions, checkout sessions and payment links.

mod branding;
mod format;
mod link;
mod network;
mod payout_batch;
mod quote;
mod refund;
mod session;
mod transaction;

pub(crate) use branding::{BRANDING, logo_path};
pub(crate) use format::{exact, iso};
pub(crate) use link::LinkView;
pub(crate) use network::NetworksView;
pub(crate) use payout_batch::PayoutBatchView;
pub(crate) use quote::QuoteView;
pub(crate) use refund::RefundView;
pub(crate) use session::{CheckoutView, SessionView};
pub(crate) use transaction::{Outcome, TransactionView};
