//! The [`RateBuckets`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, buckets},
};
use jiff::Timestamp;
use tua_domain::{
    persistent_bucket::PersistentBucket,
    ports::{RateBuckets, SignInCountError, StoreError},
};
use tua_sql::write_error::WriteError;

port_impl! {
    impl RateBuckets for PostgresStore {
        async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError> {
            let bucket = &bucket;
            self.tx
                .write(
                    InDoubt::Surface,
                    |db| async move { buckets::return_token(&db, bucket).await },
                )
                .await
        }
    }
}

impl PostgresStore {
    /// Takes one token from each bucket. If one of them is empty, all stay unchanged.
    ///
    /// # Errors
    /// [`SignInCountError::Exceeded`] where one is empty, and those of
    /// [`crate::postgres::tx_runner::TxRunner::try_write`].
    pub(crate) async fn take_tokens(
        &self,
        buckets: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<(), SignInCountError> {
        let buckets = &buckets;
        let taken = self.tx.try_write(InDoubt::Surface, |db| async move {
            // A bucket that still had a token gets it back when the transaction is rolled back.
            let empty =
                buckets::take_tokens(&db, buckets.iter().map(|bucket| (bucket, now))).await?;
            empty.into_values().next().map_or(Ok(()), |one| Err(WriteError::Rejected(one)))
        });
        taken.await.map_err(WriteError::into_error)
    }
}
