//! What is stored about a person is exported and erased: the [`PersonalData`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::privacy};
use tua_domain::{
    audit::AuditContext,
    ports::{EraseError, PersonalData, PersonsData, PersonsDataCounts, StoreError},
    privacy::{Person, Retention},
};

both_engines! {
    impl PersonalData {
        async fn persons_data(&self, person: &Person) -> Result<PersonsData, StoreError> {
            self.read_long(person.clone(), async |db, person| privacy::find(db, person).await)
                .await
        }

        async fn erase_person(
            &self,
            person: &Person,
            live: Retention,
            by: &AuditContext,
        ) -> Result<PersonsDataCounts, EraseError> {
            let input = (person.clone(), by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (person, by)| {
                privacy::erase(db, person, live, by).await
            })
            .await
        }

        async fn scrub(&self, person: &Person) -> Result<bool, StoreError> {
            self.overwrite_remains(person).await
        }
    }
}
