//! Reads and erases what is held about a person (docs/operations.md, "Personal data").

use std::sync::Arc;
use tua_domain::{
    Event, Transaction,
    audit::AuditContext,
    ports::{self, EraseError, PersonsData, PersonsDataCounts, StoreError, Transactions},
    privacy::{Person, Retention},
};

/// Reads and erases what is held about a person.
#[derive(Clone, Debug)]
pub struct PersonalData {
    /// Finds and erases what is held about a phone number or an address.
    pub personal_data: Arc<dyn ports::PersonalData>,
    /// Reads the events of the transactions that were found.
    pub transactions: Arc<dyn Transactions>,
}

/// What is held about a person, with the notes of reviews.
#[derive(Debug)]
pub struct PersonExport {
    /// What is held about the person.
    pub data: PersonsData,
    /// The notes of the reviews of each transaction, in the order of
    /// [`PersonsData::transactions`].
    pub notes: Vec<Vec<String>>,
}

/// What was erased of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErasedPerson {
    /// How much it was.
    pub erased: PersonsDataCounts,
    /// Whether earlier versions of the rows were overwritten in the file, too.
    pub is_scrubbed: bool,
}

/// Why a person's data were not erased, or not everywhere.
#[derive(Debug, thiserror::Error)]
pub enum ErasePersonError {
    /// Nothing was erased, for this reason.
    #[error(transparent)]
    Erase(#[from] EraseError),
    /// The data are overwritten, but earlier versions are still in the file.
    #[error("it is overwritten, but earlier versions are still in the file: {0}")]
    Scrub(StoreError),
}

impl PersonalData {
    /// What is held about a person.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn export(&self, person: &Person) -> Result<PersonExport, StoreError> {
        let data = self.personal_data.persons_data(person).await?;
        let mut notes = Vec::new();
        for (transaction, _) in &data.transactions {
            notes.push(self.review_notes(transaction).await?);
        }
        Ok(PersonExport { data, notes })
    }

    async fn review_notes(&self, transaction: &Transaction) -> Result<Vec<String>, StoreError> {
        let events = self.transactions.events(&transaction.order.id).await?;
        let notes = events.into_iter().filter_map(|(_, event)| match event {
            Event::Reviewed { note, .. } => Some(note.as_str().to_owned()),
            _ => None,
        });
        Ok(notes.collect())
    }

    /// Overwrites what names a person, in its rows and in what the engine keeps of earlier versions
    /// of them. `live` is how long live payments must be kept.
    ///
    /// # Errors
    /// [`ErasePersonError`]. A repeated call also overwrites earlier versions that are left.
    pub async fn erase(
        &self,
        person: &Person,
        live: Retention,
        by: &AuditContext,
    ) -> Result<ErasedPerson, ErasePersonError> {
        let erased = self.personal_data.erase_person(person, live, by).await?;
        let is_scrubbed =
            self.personal_data.scrub(person).await.map_err(ErasePersonError::Scrub)?;
        Ok(ErasedPerson { erased, is_scrubbed })
    }
}
