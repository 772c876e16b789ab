//! Limits that outlive a restart: the [`RateBuckets`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, buckets},
};
use jiff::Timestamp;
use tua_domain::{
    persistent_bucket::PersistentBucket,
    ports::{RateBuckets, SignInCountError, StoreError},
};

port_impl! {
    impl RateBuckets for SqliteStore {
        async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError> {
            self.writer.write(move |db| buckets::return_token(db, &bucket)).await
        }
    }
}

impl SqliteStore {
    /// Takes one token from each bucket. If one of them is empty, all stay unchanged.
    ///
    /// # Errors
    /// [`SignInCountError::Exceeded`] where one is empty, and those of
    /// [`crate::sqlite::writer::Writer::write`].
    pub(crate) async fn take_tokens(
        &self,
        buckets: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<(), SignInCountError> {
        let empty = self.writer.write(move |db| buckets::take_tokens(db, &buckets, now)).await?;
        empty.map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }
}
