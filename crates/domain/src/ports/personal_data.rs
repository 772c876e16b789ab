//! The port for the data of one person (docs/operations.md, "Personal data").

use super::{Order, StoreError};
use crate::{
    Checkout, Transaction,
    audit::AuditContext,
    link::Link,
    privacy::{EraseRefused, Person, Retention},
};
use async_trait::async_trait;
use std::fmt::Debug;

/// What is held about a person.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PersonsData {
    /// Payments of the person, of a session of the person, or that name the person, oldest first.
    /// With each, whether it is the person's own.
    pub transactions: Vec<(Transaction, bool)>,
    /// Sessions that the person was invited to or paid, or that name the person, oldest first. With
    /// each, whether it is the person's own.
    pub checkouts: Vec<(Checkout, bool)>,
    /// Payment links whose texts name the person.
    pub links: Vec<Link>,
    /// Orders of the sandbox for these payments.
    pub orders: Vec<Order>,
    /// Names of counters of prompts to the person's phone.
    pub counters: Vec<String>,
}

impl PersonsData {
    /// How many records of each kind it holds.
    #[must_use]
    pub fn counts(&self) -> PersonsDataCounts {
        let count = |length: usize| length as u64;
        PersonsDataCounts {
            transactions: count(self.transactions.len()),
            checkouts: count(self.checkouts.len()),
            links: count(self.links.len()),
            orders: count(self.orders.len()),
            counters: count(self.counters.len()),
        }
    }
}

/// How many records of each kind are held about a person, or were erased.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PersonsDataCounts {
    /// Transactions, with their events.
    pub transactions: u64,
    /// Checkout sessions whose reference, e-mail address or metadata was overwritten.
    pub checkouts: u64,
    /// Payment links whose texts named the person.
    pub links: u64,
    /// Orders of the sandbox.
    pub orders: u64,
    /// Counters of prompts to the person's phone number.
    pub counters: u64,
}

/// Why nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// It must be kept.
    #[error(transparent)]
    Refused(#[from] EraseRefused),
    /// The store failed. The variant of [`StoreError`] shows whether the data may have been erased.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The part of the store that finds and erases personal data.
#[async_trait]
pub trait PersonalData: Debug + Send + Sync + 'static {
    /// What is held about a person.
    async fn persons_data(&self, person: &Person) -> Result<PersonsData, StoreError>;
    /// Overwrites what names a person, in one database transaction with its entry in the audit log.
    /// `live` is how long live payments must be kept.
    async fn erase_person(
        &self,
        person: &Person,
        live: Retention,
        by: &AuditContext,
    ) -> Result<PersonsDataCounts, EraseError>;
    /// Overwrites what the engine keeps of earlier versions of rows, in the file and in its
    /// write-ahead log, where it has a way to do that. `false` if it has none.
    async fn scrub(&self, person: &Person) -> Result<bool, StoreError>;
}
