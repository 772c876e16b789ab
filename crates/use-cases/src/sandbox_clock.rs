//! Advances the sandbox clock of an account (docs/reference/test-mode.md#the-sandbox-clock).

use super::{
    account_read_error::{AccountReadError, require_account},
    idempotency::Idempotency,
};
use std::sync::Arc;
use tracing::warn;
use tua_domain::{
    AccountId, Mode, SecretKey,
    audit::{AuditContext, Source},
    change_notifier::ChangeNotifier,
    ports::{Accounts, SandboxClocks, StoreError},
    sandbox_clock::{BecameDue, ClockAdvance},
    sandbox_times::SandboxTimes,
};

/// Advances the sandbox clocks of accounts, for people.
#[derive(Clone, Debug)]
pub struct SandboxClock {
    /// Where the clocks of accounts are stored.
    pub sandbox_clocks: Arc<dyn SandboxClocks>,
    /// Has the account whose clock a person advances.
    pub accounts: Arc<dyn Accounts>,
    /// Is notified of what becomes due.
    pub changes: Arc<ChangeNotifier>,
    /// The present time on each clock.
    pub times: SandboxTimes,
}

/// Advances the sandbox clock of the account of a secret key.
#[derive(Clone, Debug)]
pub struct KeySandboxClock {
    /// What people do with it, too.
    pub sandbox_clock: SandboxClock,
    /// Has the clock and the keys of the audit log.
    pub idempotency: Arc<Idempotency>,
}

/// A secret key of test mode.
#[derive(Clone, Debug)]
pub struct TestKey(SecretKey);

impl TestKey {
    /// This key; `None` for one of live mode, whose payments are real.
    #[must_use]
    pub fn new(key: SecretKey) -> Option<Self> {
        (key.scope.mode == Mode::Test).then_some(Self(key))
    }
}

impl SandboxClock {
    /// Makes what is scheduled in test mode of an account earlier. The workers do what is due
    /// within about a second.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn advance(
        &self,
        account: &AccountId,
        by: ClockAdvance,
        audit: &AuditContext,
    ) -> Result<BecameDue, AccountReadError> {
        require_account(self.accounts.as_ref(), Some(account)).await?;
        Ok(self.advance_existing(account, by, audit).await?)
    }

    async fn advance_existing(
        &self,
        account: &AccountId,
        by: ClockAdvance,
        audit: &AuditContext,
    ) -> Result<BecameDue, StoreError> {
        let due = self.sandbox_clocks.advance_sandbox_clock(account, by, audit).await?;
        self.changes.notify_outbox();
        if let Err(error) = self.load().await {
            warn!(%error, "the advanced sandbox clock could not be read; it is read again soon");
        }
        Ok(due)
    }

    /// Reads how far each clock is ahead, also where another process has advanced it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn load(&self) -> Result<(), StoreError> {
        self.times.update(self.sandbox_clocks.sandbox_clocks_ahead().await?);
        Ok(())
    }
}

impl KeySandboxClock {
    /// As [`SandboxClock::advance`], of the account of the key.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn advance(
        &self,
        TestKey(holder): &TestKey,
        by: ClockAdvance,
    ) -> Result<BecameDue, StoreError> {
        let Idempotency { clock, keys, .. } = &*self.idempotency;
        let audit = AuditContext {
            at: clock.now(),
            actor: holder.id.as_str().to_owned(),
            source: Source::Api,
            device: None,
            key: keys.audit_key(),
        };
        self.sandbox_clock.advance_existing(&holder.scope.account, by, &audit).await
    }
}
