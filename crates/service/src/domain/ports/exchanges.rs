//! Where connectors report their exchanges with operators.

use crate::domain::exchange::Exchange;
use std::fmt::Debug;

/// Takes exchanges, and stores them later: evidence must not slow down payments. A crash may lose the last second.
pub trait ExchangeRecorder: Debug + Send + Sync + 'static {
    /// Takes an exchange.
    fn record(&self, exchange: Exchange);
}
