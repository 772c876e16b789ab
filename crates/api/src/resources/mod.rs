//! The JSON that the API responds with: transactions, refunds, batches of payouts, checkout
//! sessions, payment links, quotes, networks and branding.

mod branding;
mod format;
mod link;
mod network;
mod payout_batch;
mod quote;
mod refund;
mod session;
mod transaction;

pub use branding::{BRANDING, logo_path};
pub use format::{exact, iso};
pub use link::LinkView;
pub use network::NetworksView;
pub use payout_batch::PayoutBatchView;
pub use quote::QuoteView;
pub use refund::RefundView;
pub use session::{CheckoutView, SessionView};
pub use transaction::{
    PayersTransactionView, TransactionForCaller, TransactionForCallerWithMessage,
    TransactionForPayerWithMessage, TransactionView, TransactionWithMessage,
};
