//! The [`TillPins`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    SessionId,
    audit::AuditContext,
    people::{PasswordHash, Session},
    ports::{StoreError, TillPins},
};
use tua_sql::queries::till_pins;

both_engines! {
    impl TillPins {
        async fn set_till_pin(
            &self,
            session: &Session,
            pin: PasswordHash,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (session.clone(), pin, by.clone());
            self.write(InDoubt::Retry, input, async |db, (session, pin, by)| {
                till_pins::set(db, session, pin, by).await
            })
            .await
        }

        async fn remove_till_pin(
            &self,
            session: &Session,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (session.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (session, by)| {
                till_pins::remove(db, session, by).await
            })
            .await
        }

        async fn lock_session(&self, id: &SessionId, now: Timestamp) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, id.clone(), async move |db, id| {
                till_pins::lock(db, id, now).await
            })
            .await
        }

        async fn count_pin_try(&self, id: &SessionId) -> Result<Option<u32>, StoreError> {
            self.write(InDoubt::Surface, id.clone(), async |db, id| {
                till_pins::count_try(db, id).await
            })
            .await
        }

        async fn unlock_session(
            &self,
            id: &SessionId,
            pin: &PasswordHash,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, (id.clone(), pin.clone()), async move |db, (id, pin)| {
                till_pins::unlock(db, id, pin, now).await
            })
            .await
        }

        async fn end_locked_out(
            &self,
            session: &Session,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (session.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (session, by)| {
                till_pins::end_locked_out(db, session, by).await
            })
            .await
        }
    }
}
