//! The methods of the [`tua_domain::ports::PersonalData`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, scrub};
use tua_domain::{ports::StoreError, privacy::Person};

impl SqliteStore {
    /// As [`tua_domain::ports::PersonalData::scrub`].
    pub(crate) async fn overwrite_remains(&self, person: &Person) -> Result<bool, StoreError> {
        let path = self.path.clone();
        let person = person.clone();
        let scrubbed = tokio::task::spawn_blocking(move || scrub::scrub(&path, &person))
            .await
            .map_err(StoreError::failed)?;
        scrubbed.map(|()| true)
    }
}
