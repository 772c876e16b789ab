//! The audit log: who changed what, when, and how it was before and after
//! (docs/reference/command-line.md, "Audit log").
//!
//! The log is append-only. The MAC of an entry covers the seal of the log before it, and the seal
//! covers the MAC of the last entry. Both are HMAC-SHA256 (RFC 2104) under a key that is derived
//! from the server key. So an entry that was altered, inserted or deleted breaks the chain at its
//! place, and a log whose end was cut off does not have its seal.

mod action;
mod context;

pub use action::Action;
pub use context::{AuditContext, actor_name, email_of_actor};

use super::{secret::ServerKey, string_enum};
use jiff::Timestamp;

/// The purpose of the derived key; keys for other purposes differ.
const PURPOSE: &[u8] = b"tua: audit log, HMAC-SHA256";

string_enum! {
    /// How a change reached the service.
    pub enum Source {
        /// By a command of `tua`.
        CommandLine = "command-line",
        /// By a request with a secret key.
        Api = "api",
        /// By a person in the dashboard.
        Dashboard = "dashboard",
        /// By the service itself, when it started.
        Start = "start",
        /// By the service itself, while it ran.
        Service = "service",
    }
}

/// The key that MACs of the audit log are made with.
#[derive(Clone, Debug)]
pub struct AuditKey {
    /// The version of the server key that it is derived from.
    pub version: u32,
    key: ServerKey,
}

impl AuditKey {
    /// Derives the key from this version of the server key.
    #[must_use]
    pub fn derive(version: u32, server_key: &ServerKey) -> Self {
        Self { version, key: ServerKey::from_bytes(server_key.authenticate(PURPOSE)) }
    }

    fn seal(&self, seq: u64, mac: &[u8]) -> Vec<u8> {
        self.key
            .authenticate(&joined(&[Some(b"seal"), Some(&seq.to_be_bytes()), Some(mac)]))
            .to_vec()
    }

    fn mac(&self, seal_before: &[u8], entry: &AuditEntry) -> Vec<u8> {
        let AuditEntry {
            seq,
            at,
            actor,
            source,
            action,
            subject,
            before,
            after,
            key_version,
            mac: _,
        } = entry;
        let seq = seq.to_be_bytes();
        let at = at.as_millisecond().to_be_bytes();
        let version = u64::from(*key_version).to_be_bytes();
        let text = |text: &'_ Option<String>| text.clone().map(String::into_bytes);
        let before = text(before);
        let after = text(after);
        let fields = [
            Some(&b"entry"[..]),
            Some(seal_before),
            Some(&seq),
            Some(&at),
            Some(actor.as_bytes()),
            Some(source.as_bytes()),
            Some(action.as_bytes()),
            Some(subject.as_bytes()),
            before.as_deref(),
            after.as_deref(),
            Some(&version),
        ];
        self.key.authenticate(&joined(&fields)).to_vec()
    }
}

/// Fields with their lengths, so that two lists of fields never have the same bytes.
fn joined(fields: &[Option<&[u8]>]) -> Vec<u8> {
    let mut message = Vec::new();
    for field in fields {
        let bytes = field.unwrap_or_default();
        message.push(u8::from(field.is_some()));
        message.extend((bytes.len() as u64).to_be_bytes());
        message.extend(bytes);
    }
    message
}

/// What was changed: ids and values, never payers' data or secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditChange {
    /// The kind of change.
    pub action: Action,
    /// The id of what was changed.
    pub subject: String,
    /// The values before the change, as a JSON object; `None` if it did not exist.
    pub before: Option<String>,
    /// The values after the change, as a JSON object; `None` if it does not exist any more.
    pub after: Option<String>,
}

/// An entry as it is stored. Texts are not parsed, so that an entry of a newer version can be
/// listed and verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// Its number: 1, 2, 3, …
    pub seq: u64,
    /// When the change was made, to the millisecond that the MAC covers.
    pub at: Timestamp,
    /// Who made the change, as [`AuditContext::actor`] names them.
    pub actor: String,
    /// How the change reached the service: the written form of a [`Source`].
    pub source: String,
    /// What the change was: the written form of an [`Action`].
    pub action: String,
    /// The id of what was changed.
    pub subject: String,
    /// The values before the change, as a JSON object; `None` if the subject did not exist.
    pub before: Option<String>,
    /// The values after the change, as a JSON object; `None` if the subject no longer exists.
    pub after: Option<String>,
    /// The version of the server key that the MAC depends on.
    pub key_version: u32,
    /// The MAC of the entry and of the seal before it.
    pub mac: Vec<u8>,
}

/// The end of the log.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AuditHead {
    /// The number of the last entry; 0 for an empty log.
    pub seq: u64,
    /// The seal of the log up to that entry.
    pub seal: Vec<u8>,
}

impl AuditHead {
    /// The head of an empty log. It is stored with the first server key.
    #[must_use]
    pub fn first(key: &AuditKey) -> Self {
        Self { seq: 0, seal: key.seal(0, &[]) }
    }
}

/// The first fault of an audit log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuditLogFault {
    /// The entry with this number was altered, inserted or deleted, or one right before it.
    #[error("the chain is broken at entry {0}")]
    At(u64),
    /// There are neither entries nor the end that is stored with the first server key.
    #[error("the log was emptied: its entries and its end are gone")]
    Emptied,
    /// This version of the server key is needed, and was not given.
    #[error("version {version} of the server key is missing; entry {seq} was made with it")]
    KeyMissing {
        /// The missing version of the server key, counted from 1.
        version: u32,
        /// The first entry that needs it.
        seq: u64,
    },
}

/// Verifies a log from its beginning, entry by entry.
#[derive(Debug)]
pub struct AuditVerifier<'a> {
    keys: &'a [AuditKey],
    head: AuditHead,
}

impl<'a> AuditVerifier<'a> {
    /// Begins with an empty log. `keys` are all versions that are there.
    #[must_use]
    pub fn new(keys: &'a [AuditKey]) -> Self {
        let first = keys.iter().find(|key| key.version == 1);
        Self { keys, head: first.map(AuditHead::first).unwrap_or_default() }
    }

    /// Verifies the next entry.
    ///
    /// # Errors
    /// [`AuditLogFault`].
    pub fn next(&mut self, entry: &AuditEntry) -> Result<(), AuditLogFault> {
        let seq = self.head.seq + 1;
        let key = self.key(entry.key_version, seq)?;
        if self.head.seal.is_empty() {
            self.key(1, seq)?;
        }
        if entry.seq != seq || key.mac(&self.head.seal, entry) != entry.mac {
            return Err(AuditLogFault::At(seq));
        }
        self.head = AuditHead { seq, seal: key.seal(seq, &entry.mac) };
        Ok(())
    }

    /// Compares the end of the log with its stored head.
    ///
    /// # Errors
    /// [`AuditLogFault::At`] the first entry that is missing, or that the head does not have;
    /// [`AuditLogFault::Emptied`].
    pub fn finish(self, head: &AuditHead) -> Result<u64, AuditLogFault> {
        if self.head == *head {
            return Ok(head.seq);
        }
        Err(match (self.head.seq, head.seq) {
            (0, 0) => AuditLogFault::Emptied,
            (verified, stored) if verified == stored => AuditLogFault::At(stored),
            (verified, stored) => AuditLogFault::At(verified.min(stored) + 1),
        })
    }

    /// How far the log is verified.
    #[must_use]
    pub const fn verified(&self) -> u64 {
        self.head.seq
    }

    fn key(&self, version: u32, seq: u64) -> Result<&'a AuditKey, AuditLogFault> {
        self.keys
            .iter()
            .find(|key| key.version == version)
            .ok_or(AuditLogFault::KeyMissing { version, seq })
    }
}

#[cfg(test)]
mod tests;
