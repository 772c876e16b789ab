//! PINs of sessions on shared phones: sets and removes them, locks a session, and unlocks it.

use super::{
    password_check::{Attempt, SignInError},
    password_work::hash_for_known_person,
    sessions::Sessions,
};
use std::net::IpAddr;
use tua_domain::{
    audit::AuditContext,
    people::{Session, TillLock, TillPin},
    ports::StoreError,
};

/// What became of a PIN that a person typed to unlock a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnlockOutcome {
    /// It is right, or another request has decided about the session meanwhile: the next page shows
    /// which.
    Decided,
    /// It does not have 4 to 8 digits. It was not counted.
    NotDigits,
    /// The PIN is not that of the till.
    Wrong {
        /// How many more may be wrong until the session ends: at least 1.
        tries_left: u32,
    },
    /// It is wrong, and the session has ended.
    Ended,
}

impl Sessions {
    /// Gives a session a PIN, or another one. `false` if the session was ended meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn set_till_pin(
        &self,
        session: &Session,
        pin: TillPin,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let hash = hash_for_known_person(move || pin.hash()).await?;
        self.till_pins.set_till_pin(session, hash, by).await
    }

    /// Removes the PIN of a session. `false` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove_till_pin(
        &self,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.till_pins.remove_till_pin(session, by).await
    }

    /// Locks a session that has a PIN. `false` if it has none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lock(&self, session: &Session) -> Result<bool, StoreError> {
        self.till_pins.lock_session(&session.id, self.clock.now()).await
    }

    /// Unlocks a session with what a person has typed. Each try is stored before the PIN is
    /// compared, so that no restart and no simultaneous request gives more of them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn unlock(
        &self,
        session: &Session,
        lock: &TillLock,
        typed: &str,
        address: Option<IpAddr>,
        by: &AuditContext,
    ) -> Result<UnlockOutcome, StoreError> {
        let Some(pin) = TillPin::parse_typed(typed) else { return Ok(UnlockOutcome::NotDigits) };
        let Some(tries) = self.till_pins.count_pin_try(&session.id).await? else {
            return self.end_locked_out(session, by).await;
        };
        let hash = lock.pin.clone();
        if hash_for_known_person(move || pin.matches(&hash)).await? {
            self.till_pins.unlock_session(&session.id, &lock.pin, self.clock.now()).await?;
            return Ok(UnlockOutcome::Decided);
        }
        self.refuse(SignInError::Wrong, Attempt::Session(session), address, &[]);
        match (TillLock { tries, ..lock.clone() }).tries_left() {
            0 => self.end_locked_out(session, by).await,
            tries_left => Ok(UnlockOutcome::Wrong { tries_left }),
        }
    }

    async fn end_locked_out(
        &self,
        session: &Session,
        by: &AuditContext,
    ) -> Result<UnlockOutcome, StoreError> {
        let is_ended = self.till_pins.end_locked_out(session, by).await?;
        Ok(if is_ended { UnlockOutcome::Ended } else { UnlockOutcome::Decided })
    }
}
