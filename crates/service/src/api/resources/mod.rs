//! What the API shows of transactions and checkout sessions.

mod format;
mod network;
mod refund;
mod session;
mod transaction;

pub(crate) use format::{exact, iso};
pub(crate) use network::NetworksView;
pub(crate) use refund::RefundView;
pub(crate) use session::{CheckoutView, SessionView};
pub(crate) use transaction::{Outcome, TransactionView};
