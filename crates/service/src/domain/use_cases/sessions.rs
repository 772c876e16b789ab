//! Finds the session of a request of the dashboard.

use crate::domain::{
    people::{Session, SessionToken},
    ports::{Clock, Store, StoreError},
};
use std::sync::Arc;

/// The sessions of people who have signed in.
#[derive(Clone, Debug)]
pub struct Sessions {
    /// Where they are stored.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl Sessions {
    /// The session with this token, if it has not ended. Stores the time of the request.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, token: &SessionToken) -> Result<Option<Session>, StoreError> {
        let now = self.clock.now();
        let found = self.store.session(token.digest()).await?.filter(|session| session.is_valid(now));
        if let Some(session) = found.as_ref().filter(|session| session.must_note(now)) {
            self.store.note_session(&session.id, now).await?;
        }
        Ok(found)
    }

    /// Ends the session.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end(&self, session: &Session) -> Result<(), StoreError> {
        self.store.delete_session(&session.user.id, &session.id).await.map(drop)
    }
}
