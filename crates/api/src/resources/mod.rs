//! The JSON that the API responds with: transactions, refunds, batches of payouts, checkout
//! sessions, payment links, events, webhook endpoints, quotes, networks, branding, the sandbox
//! clock and what happens in test mode.

mod branding;
mod event;
mod format;
mod link;
mod network;
mod payout_batch;
mod quote;
mod refund;
mod sandbox_clock;
mod session;
mod test_log;
mod transaction;
mod webhook_endpoint;

pub use branding::{BRANDING, logo_path};
pub use event::{EventBody, EventData, EventView};
pub use format::{json_number, rfc3339};
pub use link::LinkView;
pub use network::NetworksView;
pub use payout_batch::PayoutBatchView;
pub use quote::QuoteView;
pub use refund::RefundView;
pub use sandbox_clock::AdvancedClockView;
pub use session::{CheckoutView, PayersCheckoutView};
pub use test_log::LogPageView;
pub use transaction::{
    PayersTransactionView, TransactionForCaller, TransactionForCallerWithMessage,
    TransactionForPayerWithMessage, TransactionView, TransactionWithMessage,
};
pub use webhook_endpoint::{
    EnabledWebhookEndpointView, WebhookEndpointView, WebhookEndpointWithSecretView,
};
