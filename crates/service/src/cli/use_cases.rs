//! The use cases that commands share, on one database.

use super::context::{self, Common, open_existing};
use std::sync::Arc;
use tua_domain::{audit::AuditContext, ports::Store};
use tua_system::clock::SystemClock;
use tua_use_cases::{Enrolments, Members};

/// The use cases of a command. None of them calls an operator.
pub(super) struct UseCases {
    pub(super) store: Arc<dyn Store>,
    pub(super) members: Members,
}

impl UseCases {
    /// Opens an existing database, so that a mistyped path does not create an empty one.
    pub(super) async fn open(common: &Common) -> Result<Self, String> {
        Ok(Self::new(open_existing(common).await?))
    }

    /// The use cases on an open database.
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { members: Members { store: store.clone() }, store }
    }

    /// Invites and resets people, with the server keys of the database.
    pub(super) async fn enrolments(&self, common: &Common) -> Result<Enrolments, String> {
        let keys = context::key_ring(common, self.store.as_ref()).await?;
        Ok(Enrolments { store: self.store.clone(), clock: Arc::new(SystemClock), keys })
    }

    /// Who makes a change, and when.
    pub(super) async fn audit_context(&self, common: &Common) -> Result<AuditContext, String> {
        context::audit_context(common, self.store.as_ref()).await
    }
}
