//! Requests that may be sent again without harm (`docs/reference/idempotency.md`; the IETF draft
//! draft-ietf-httpapi-idempotency-key-header-07).
//!
//! The first response is not stored as text. What is stored is what it follows from: the
//! transaction or session, the transaction's version, and for a code its verdict. A transaction at
//! a version follows from its events, which never change, so a repetition gets the same bytes, and
//! the domain needs no response from HTTP before a commit.

mod canonical_json;

pub use canonical_json::canonical;

use super::{secret::ServerKey, string_enum, verdict::CodeVerdict};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How long a record is kept: after its request, and again after all that the request began has
/// ended.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a first attempt counts as running, at the most. Longer than
/// the `OPERATOR_TIMEOUT` of `tua-use-cases`.
pub const RUNNING_TIMEOUT: SignedDuration = SignedDuration::from_secs(60);

string_enum! {
    /// The operations that take a key. Each has keys of its own.
    pub enum Operation {
        /// `POST /charge`, which begins a collection from a payer.
        Charge = "charge",
        /// `POST /payout`, which begins a payment to one recipient.
        Payout = "payout",
        /// `POST /checkout`, which opens a checkout session.
        Checkout = "checkout",
        /// `POST /links`, which creates a payment link.
        Link = "link",
        /// `POST /refunds`, which begins the refund of a charge.
        Refund = "refund",
        /// `POST /payouts/batches`, which begins up to 1,000 payouts together.
        PayoutBatch = "payout-batch",
        /// `POST /webhooks`, which adds a webhook endpoint.
        WebhookEndpoint = "webhook-endpoint",
        /// `POST /submit-otp`, which submits a payer's passcode or voucher.
        SubmitOtp = "submit-otp",
    }
}

/// A caller's idempotency key: 1 to 255 printable ASCII characters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The longest key, in bytes.
    const MAX_BYTES: usize = 255;

    /// Reads a key; `None` where it is none.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let is_printable = text.iter().all(|byte| (b' '..=b'~').contains(byte));
        let text = std::str::from_utf8(text).ok()?;
        ((1..=Self::MAX_BYTES).contains(&text.len()) && is_printable).then(|| Self(text.to_owned()))
    }
}

/// A request that carries an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Whose key it is, and for which operation.
    pub scope: String,
    /// A digest of the caller's key, which may name a person. It depends on the scope.
    pub key: String,
    /// A digest of the parsed request.
    pub fingerprint: Fingerprint,
    /// Its fingerprints under earlier server keys, which records of the last days may have.
    pub earlier_fingerprints: Vec<Fingerprint>,
    /// The process that runs it.
    pub instance: String,
    /// A record of its key from before this time does not count any more, if what it began ended
    /// before too.
    pub retained_since: Timestamp,
}

impl Attempt {
    /// Keys belong to their holder and to one operation.
    #[must_use]
    pub fn new(
        holder: &str,
        operation: Operation,
        key: IdempotencyKey,
        (fingerprint, earlier_fingerprints): (Fingerprint, Vec<Fingerprint>),
        instance: &str,
        retained_since: Timestamp,
    ) -> Self {
        let scope = format!("{holder}/{}", operation.as_str());
        let key = hex::encode(Sha256::digest(format!("{scope}\n{}", key.0)));
        Self {
            scope,
            key,
            fingerprint,
            earlier_fingerprints,
            instance: instance.to_owned(),
            retained_since,
        }
    }

    /// Whether a record with this fingerprint is about the same request.
    #[must_use]
    pub fn is_same_request(&self, recorded: Fingerprint) -> bool {
        self.fingerprint == recorded || self.earlier_fingerprints.contains(&recorded)
    }

    /// The primary key of its record: scope and key.
    #[must_use]
    pub fn primary_key(&self) -> (&str, &str) {
        (&self.scope, &self.key)
    }

    /// The primary key as one text, unique among attempts.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.scope, self.key)
    }
}

/// What the first response to an attempt showed. The subject and the operation are known from its
/// record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResponseSnapshot {
    /// The version of the transaction that was shown. A session never changes: 1.
    pub version: u32,
    /// The verdict on a code; `None` for other operations.
    pub verdict: Option<CodeVerdict>,
}

impl ResponseSnapshot {
    /// A session, payment link or webhook endpoint that was created: version 1.
    pub const NEW_RESOURCE: Self = Self { version: 1, verdict: None };

    /// A payment as it stood at this version.
    #[must_use]
    pub const fn payment(version: u32) -> Self {
        Self { version, verdict: None }
    }
}

/// The record of an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdempotencyRecord {
    /// The digest of the request that was sent first.
    pub fingerprint: Fingerprint,
    /// The id of the transaction or session that it is about.
    pub subject: String,
    /// The first response; `None` while it is still to come, or after a crash that came before it.
    pub response: Option<ResponseSnapshot>,
    /// The process that began it.
    pub instance: String,
    /// Whether that process may still run it. For this process, [`InFlight`] decides.
    pub running: bool,
}

/// A response and the attempt that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredResponse {
    /// The request with its key: the record of this key gets the response.
    pub attempt: Attempt,
    /// What the first response showed, from which repetitions are answered.
    pub snapshot: ResponseSnapshot,
}

/// The attempts that this process runs right now. An attempt that ended without a stored response,
/// because the store failed or a task panicked, is not in here, so repetitions do not wait for it.
#[derive(Clone, Debug, Default)]
pub struct InFlight(Arc<Mutex<HashMap<Name, usize>>>);

/// An attempt's scope and key.
type Name = (String, String);

/// While it exists, its attempt is in flight.
#[derive(Debug)]
pub struct InFlightGuard(InFlight, Name);

impl InFlight {
    /// Adds an attempt. Repetitions may race, so one attempt may be in flight several times.
    #[must_use]
    pub fn begin(&self, attempt: &Attempt) -> InFlightGuard {
        let name = (attempt.scope.clone(), attempt.key.clone());
        *self.lock().entry(name.clone()).or_default() += 1;
        InFlightGuard(self.clone(), name)
    }

    /// Whether an attempt is in flight.
    #[must_use]
    pub fn contains(&self, attempt: &Attempt) -> bool {
        self.lock().contains_key(&(attempt.scope.clone(), attempt.key.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Name, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut attempts = self.0.lock();
        if let Some(count) = attempts.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                attempts.remove(&self.1);
            }
        }
    }
}

/// Why a repeated request is refused.
#[derive(Debug, thiserror::Error)]
pub enum RepeatError {
    /// The first request with this key is still running.
    #[error("the first request with this key is still running")]
    InProgress,
    /// The key was used for another request.
    #[error("the key was used for another request")]
    KeyReused,
}

/// A digest of a parsed request, made before defaults are generated.
///
/// HMAC-SHA256 under the server key, since a passcode could be guessed from a plain digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The digest of these fields, in the order given. Each field is preceded by its length, so
    /// that two different lists of fields never have the same bytes.
    #[must_use]
    pub fn of(key: &ServerKey, fields: &[Option<&str>]) -> Self {
        let mut message = Vec::new();
        for field in fields {
            let (present, text) = field.map_or((0, ""), |text| (1, text));
            message.push(present);
            message.extend((text.len() as u64).to_be_bytes());
            message.extend(text.as_bytes());
        }
        Self(key.authenticate(&message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_lists_of_fields_have_different_fingerprints() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let of = |fields: &[Option<&str>]| Fingerprint::of(&key, fields);
        assert_ne!(of(&[Some("ab"), Some("c")]), of(&[Some("a"), Some("bc")]));
        assert_ne!(of(&[None, Some("a")]), of(&[Some("a"), None]));
        assert_ne!(of(&[None]), of(&[Some("")]));
    }

    #[test]
    fn a_key_is_1_to_255_printable_ascii_characters() {
        let is_key = |text: &str| IdempotencyKey::parse(text.as_bytes()).is_some();
        assert!(is_key("a") && is_key("\"quoted\"") && is_key(&"k".repeat(255)));
        assert!(!is_key("") && !is_key(&"k".repeat(256)) && !is_key("é") && !is_key("a\tb"));
    }
}
