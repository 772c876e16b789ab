//! The [`SandboxClocks`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use tua_domain::{
    AccountId,
    audit::AuditContext,
    ports::{SandboxClocks, StoreError},
    sandbox_clock::{BecameDue, ClockAdvance, ClocksAhead},
};
use tua_sql::queries::sandbox_clock;

both_engines! {
    impl SandboxClocks {
        async fn advance_sandbox_clock(
            &self,
            account: &AccountId,
            by: ClockAdvance,
            audit: &AuditContext,
        ) -> Result<BecameDue, StoreError> {
            let input = (account.clone(), audit.clone());
            self.write(InDoubt::Surface, input, async move |db, (account, audit)| {
                sandbox_clock::advance(db, account, by, audit).await
            })
            .await
        }

        async fn sandbox_clocks_ahead(&self) -> Result<ClocksAhead, StoreError> {
            self.read((), async |db, ()| sandbox_clock::ahead(db).await).await
        }
    }
}
