//! Errors of the transactions that writes share.

use std::{error::Error, sync::Arc};
use tua_domain::ports::StoreError;

/// The error of a transaction, shared by all its writes.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum CommitFailed {
    /// Nothing of it is in the file.
    #[error("the commit failed: {0}")]
    RolledBack(Arc<dyn Error + Send + Sync>),
    /// It may be found in the file after a crash.
    #[error("the commit failed, and it may be found in the file after a crash: {0}")]
    InDoubt(Arc<dyn Error + Send + Sync>),
}

impl From<CommitFailed> for StoreError {
    fn from(error: CommitFailed) -> Self {
        match error {
            CommitFailed::RolledBack(_) => Self::unavailable(error),
            CommitFailed::InDoubt(_) => Self::Uncertain(error.into()),
        }
    }
}

/// SQLite rolled the whole transaction back because of a full disk or an I/O error in one of its
/// writes.
#[derive(Debug, thiserror::Error)]
#[error("another write of the transaction failed, so SQLite rolled the transaction back")]
pub(super) struct RolledBack;
