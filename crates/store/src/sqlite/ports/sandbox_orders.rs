//! The methods of the [`tua_operators::sandbox::orders::SandboxOrders`] port that are specific to
//! SQLite.

use crate::sqlite::{SqliteStore, sandbox};
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::Received;

impl SqliteStore {
    /// The caller holds the permit to send the order, so no other insert of it is queued.
    #[expect(clippy::unused_async, reason = "PostgreSQL waits here")]
    pub(crate) async fn insert_sandbox_order(
        &self,
        received: Received,
    ) -> Result<bool, StoreError> {
        let reference = &received.order.reference;
        if self.readers.read(|db| sandbox::by_reference(db, reference))?.is_some() {
            return Ok(false);
        }
        self.writer.write_later(move |db| sandbox::insert(db, &received))?;
        Ok(true)
    }

    /// An order that is not stored may be queued.
    pub(crate) async fn find_sandbox_order(
        &self,
        reference: &str,
    ) -> Result<Option<Received>, StoreError> {
        if let Some(received) = self.readers.read(|db| sandbox::by_reference(db, reference))? {
            return Ok(Some(received));
        }
        let reference = reference.to_owned();
        self.writer.write(move |db| sandbox::by_reference(db, &reference)).await
    }
}
