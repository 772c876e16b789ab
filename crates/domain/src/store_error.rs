//! Why a call of the store failed, whatever was called.

use std::error::Error;

/// A call of the store failed. Nothing was written, except possibly after
/// [`StoreError::Uncertain`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The connection broke during the commit: everything was written, or nothing.
    #[error("whether it was written is not known: {0}")]
    Uncertain(#[source] Box<dyn Error + Send + Sync>),
    /// Transient: the store is busy, full or unreachable. The call can be repeated.
    #[error("the store is unavailable: {0}")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// Permanent: repeating the call does not help.
    #[error("the store failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// A permanent failure with this cause.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }

    /// A transient failure with this cause.
    pub fn unavailable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into())
    }
}
