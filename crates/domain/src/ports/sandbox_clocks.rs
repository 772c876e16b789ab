//! The port for the sandbox clocks of accounts.

use super::StoreError;
use crate::{
    AccountId,
    audit::AuditContext,
    sandbox_clock::{BecameDue, ClockAdvance, ClocksAhead},
};
use async_trait::async_trait;
use std::fmt::Debug;

/// The part of the store for what is scheduled in test mode.
#[async_trait]
pub trait SandboxClocks: Debug + Send + Sync + 'static {
    /// Makes everything that is scheduled in test mode of an existing account earlier by this
    /// time, but not earlier than now, which is the time of `audit`. Never changes a row of live
    /// mode, of another account, or a payment that an operator of the settings serves.
    async fn advance_sandbox_clock(
        &self,
        account: &AccountId,
        by: ClockAdvance,
        audit: &AuditContext,
    ) -> Result<BecameDue, StoreError>;

    /// By how much each sandbox clock that was advanced is ahead: the sum of its advances.
    async fn sandbox_clocks_ahead(&self) -> Result<ClocksAhead, StoreError>;
}
