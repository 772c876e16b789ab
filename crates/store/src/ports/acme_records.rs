//! The [`AcmeRecords`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use tua_domain::ports::{AcmeRecord, AcmeRecords, StoreError};
use tua_sql::queries::acme;

both_engines! {
    impl AcmeRecords {
        async fn acme_record(&self, name: &str) -> Result<Option<AcmeRecord>, StoreError> {
            self.read(name.to_owned(), async |db, name| acme::find(db, name).await).await
        }

        async fn put_acme_record(&self, record: AcmeRecord) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, record, async |db, record| acme::put(db, record).await)
                .await
        }

        async fn swap_acme_record(
            &self,
            seen: Option<AcmeRecord>,
            record: AcmeRecord,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, (seen, record), async |db, (seen, record)| {
                acme::swap(db, seen.as_ref(), record).await
            })
            .await
        }

        async fn remove_acme_record(&self, name: &str) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, name.to_owned(), async |db, name| {
                acme::remove(db, name).await
            })
            .await
        }
    }
}
