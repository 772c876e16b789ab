//! What the API shows of transactions and checkout sessions.

mod format;
mod session;
mod transaction;

pub(crate) use format::{exact, iso};
pub(crate) use session::{CheckoutView, SessionView};
pub(crate) use transaction::{Outcome, TransactionView};
