//! The port for what an ACME client stores. All nodes of one database share it: one orders, all
//! serve.

use super::StoreError;
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// A record of the ACME client: its account, the certificate, an answer to a validation, or the
/// state of its orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcmeRecord {
    /// The record's name, unique in the database.
    pub name: String,
    /// The contents; what is secret in them is encrypted with the server key.
    pub contents: Vec<u8>,
    /// The certificate's expiry, or the time from which the next order may be placed.
    pub expires_at: Option<Timestamp>,
}

/// The records of the ACME client.
#[async_trait]
pub trait AcmeRecords: Debug + Send + Sync + 'static {
    /// The record with this name.
    async fn acme_record(&self, name: &str) -> Result<Option<AcmeRecord>, StoreError>;

    /// Inserts a record, or replaces the one with its name.
    async fn put_acme_record(&self, record: AcmeRecord) -> Result<(), StoreError>;

    /// Replaces the record that was `seen`, or inserts one where none was. Returns `false`, and
    /// changes nothing, if another node has changed it since.
    async fn swap_acme_record(
        &self,
        seen: Option<AcmeRecord>,
        record: AcmeRecord,
    ) -> Result<bool, StoreError>;

    /// Deletes the record with this name, if it exists.
    async fn remove_acme_record(&self, name: &str) -> Result<(), StoreError>;
}
