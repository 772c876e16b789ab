//! Who makes a change.

use super::{AuditChange, AuditEntry, AuditHead, AuditKey, Source};
use jiff::Timestamp;
use std::net::IpAddr;

/// Who makes a change, when and how. Every administrative method of the store takes one, and
/// appends an entry in the database transaction of the change.
#[derive(Clone, Debug)]
pub struct AuditContext {
    /// When the change is made; the entry of the log keeps this time.
    pub at: Timestamp,
    /// The system user, and the name given with `--as`; or the e-mail address of a person in the
    /// dashboard, and the client's IP address.
    pub actor: String,
    /// How the change reached the service: command line, API, dashboard, or the service itself.
    pub source: Source,
    /// Browser and system of a person in the dashboard. Only entries about sign-ins have it.
    pub device: Option<String>,
    /// Computes the MAC of the entry, under the current version of the server key.
    pub key: AuditKey,
}

/// In place of the address that a proxy does not forward.
const NO_ADDRESS: &str = "address not forwarded";

/// A person of the dashboard as an actor: the person's e-mail address, and the client's IP address;
/// `None` where a proxy does not forward it.
#[must_use]
pub fn actor_name(email: &str, address: Option<IpAddr>) -> String {
    let address = address.map_or_else(|| NO_ADDRESS.to_owned(), |address| address.to_string());
    format!("{email} ({address})")
}

/// The e-mail address in an actor that [`actor_name`] wrote. `None` if the text does not have this
/// form, as the `NAME (USER)` of the command line.
#[must_use]
pub fn email_of_actor(actor: &str) -> Option<&str> {
    let (email, address) = actor.strip_suffix(')')?.rsplit_once(" (")?;
    let is_address = address == NO_ADDRESS || address.parse::<IpAddr>().is_ok();
    is_address.then_some(email)
}

impl AuditContext {
    /// The e-mail address of the person, if it is one of the dashboard.
    #[must_use]
    pub fn person(&self) -> Option<&str> {
        email_of_actor(&self.actor).filter(|_| self.source == Source::Dashboard)
    }

    /// The entry for a change, and the head of the log with it.
    #[must_use]
    pub fn append(&self, head: &AuditHead, change: &AuditChange) -> (AuditEntry, AuditHead) {
        let mut entry = AuditEntry {
            seq: head.seq + 1,
            at: self.at,
            actor: self.actor.clone(),
            source: self.source.as_str().to_owned(),
            action: change.action.as_str().to_owned(),
            subject: change.subject.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            key_version: self.key.version,
            mac: Vec::new(),
        };
        entry.mac = self.key.mac(&head.seal, &entry);
        let head = AuditHead { seq: entry.seq, seal: self.key.seal(entry.seq, &entry.mac) };
        (entry, head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_actors_of_the_dashboard_have_an_email_address() {
        for address in [None, Some([127, 0, 0, 1].into()), Some(IpAddr::from([0_u16; 8]))] {
            let actor = actor_name("ama@example.com", address);
            assert_eq!(email_of_actor(&actor), Some("ama@example.com"), "{actor}");
        }
        for actor in ["ama@example.com (root)", "ama@example.com", "ama@example.com (127.0.0.1"] {
            assert_eq!(email_of_actor(actor), None, "{actor}");
        }
    }
}
