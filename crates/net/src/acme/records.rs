//! What the ACME client stores. Secrets are encrypted with the server key, so that a copy of the
//! database without the key does not contain the certificate's private key.

use super::AcmeSettings;
use crate::tls::Certificate;
use instant_acme::AccountCredentials;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{fmt, sync::Arc};
use tua_domain::{
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    ports::{AcmeRecord, AcmeRecords, StoreError},
};

const ACCOUNT: &str = "account";
/// The name of the certificate's record.
const CERTIFICATE: &str = "certificate";
/// The name of the record with the state of the orders.
const ORDER: &str = "order";

/// The records in the database.
#[derive(Clone, Debug)]
pub struct Records {
    /// Where they are stored.
    pub acme_records: Arc<dyn AcmeRecords>,
    /// Encrypts records with the current server key, and decrypts them with any key of the ring.
    pub keys: KeyRing,
}

/// The ACME account, and the directory in which it was created.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredAccount {
    pub(super) directory: String,
    pub(super) credentials: AccountCredentials,
}

/// An issued certificate, with the settings that it was ordered with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredCertificate {
    pub(super) directory: String,
    pub(super) names: Vec<String>,
    /// The chain in PEM form.
    pub(super) chain: String,
    /// The private key in PEM form.
    pub(super) key: String,
}

/// The state of the orders of all nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OrderState {
    /// Whether a node is placing an order. After `next_at` it has crashed.
    pub running: bool,
    /// Orders that failed since the last success.
    pub failures: u32,
    /// When the last order was placed.
    pub attempted_at: Timestamp,
    /// When the next order may be placed.
    pub next_at: Timestamp,
}

impl StoredCertificate {
    /// Whether it was ordered with these settings.
    pub(super) fn is_for(&self, settings: &AcmeSettings) -> bool {
        self.directory == settings.directory && self.names == settings.names
    }

    /// Parses it, and verifies that it covers every name that it was ordered for.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(&self) -> Result<Certificate, String> {
        let certificate = Certificate::from_pem(self.chain.as_bytes(), self.key.as_bytes());
        let certificate = certificate.map_err(|error| error.to_string())?;
        match self.names.iter().find(|name| !certificate.covers(name)) {
            Some(name) => Err(format!("it is not valid for {name}")),
            None => Ok(certificate),
        }
    }
}

impl fmt::Debug for StoredCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredCertificate").field("names", &self.names).finish_non_exhaustive()
    }
}

impl OrderState {
    /// Reads the record named `order`. Unreadable contents count as none.
    #[must_use]
    pub fn parse(contents: &[u8]) -> Option<Self> {
        serde_json::from_slice(contents).ok()
    }

    fn record(&self) -> AcmeRecord {
        // Numbers, timestamps and booleans are always serializable.
        let contents = serde_json::to_vec(self).unwrap_or_default();
        AcmeRecord { name: ORDER.to_owned(), contents, expires_at: Some(self.next_at) }
    }
}

impl Records {
    pub(super) async fn account(&self) -> Result<Option<StoredAccount>, StoreError> {
        self.read(ACCOUNT).await
    }

    pub(super) async fn put_account(&self, account: &StoredAccount) -> Result<(), StoreError> {
        self.write(ACCOUNT, account, None).await
    }

    pub(super) async fn remove_account(&self) -> Result<(), StoreError> {
        self.acme_records.remove_acme_record(ACCOUNT).await
    }

    pub(super) async fn certificate(&self) -> Result<Option<StoredCertificate>, StoreError> {
        self.read(CERTIFICATE).await
    }

    pub(super) async fn put_certificate(
        &self,
        certificate: &StoredCertificate,
        not_after: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(CERTIFICATE, certificate, Some(not_after)).await
    }

    /// The key authorization of the challenge with this name.
    pub(super) async fn challenge(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read(name).await
    }

    pub(super) async fn put_challenge(
        &self,
        name: &str,
        key_authorization: &str,
    ) -> Result<(), StoreError> {
        self.write(name, &key_authorization, None).await
    }

    pub(super) async fn remove_challenge(&self, name: &str) -> Result<(), StoreError> {
        self.acme_records.remove_acme_record(name).await
    }

    /// The state of the orders, with its record for [`Self::swap_order`].
    pub(super) async fn order(&self) -> Result<Option<(AcmeRecord, OrderState)>, StoreError> {
        let record = self.acme_records.acme_record(ORDER).await?;
        Ok(record
            .and_then(|record| OrderState::parse(&record.contents).map(|state| (record, state))))
    }

    /// Changes the state. Returns `false`, and changes nothing, if another node has changed it
    /// since.
    pub(super) async fn swap_order(
        &self,
        seen: Option<AcmeRecord>,
        state: &OrderState,
    ) -> Result<bool, StoreError> {
        self.acme_records.swap_acme_record(seen, state.record()).await
    }

    pub(super) async fn put_order(&self, state: &OrderState) -> Result<(), StoreError> {
        self.acme_records.put_acme_record(state.record()).await
    }

    /// A record that was encrypted with another server key, or changed, counts as none.
    async fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let record = self.acme_records.acme_record(name).await?;
        let decrypt = |record: AcmeRecord| {
            let encrypted = EncryptedSecret::from_bytes(record.contents);
            self.keys.all().iter().find_map(|key| encrypted.decrypt(key))
        };
        let text = record.and_then(decrypt);
        // The name is encrypted with the contents, so that no record can stand in for another one.
        let json = text.as_deref().and_then(|text| text.strip_prefix(name)?.strip_prefix('\n'));
        Ok(json.and_then(|json| serde_json::from_str(json).ok()))
    }

    async fn write<T: Serialize>(
        &self,
        name: &str,
        value: &T,
        expires_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let json = serde_json::to_string(value).map_err(StoreError::failed)?;
        let contents = EncryptedSecret::encrypt(&self.keys.current(), &format!("{name}\n{json}"))
            .as_bytes()
            .to_vec();
        self.acme_records
            .put_acme_record(AcmeRecord { name: name.to_owned(), contents, expires_at })
            .await
    }
}
