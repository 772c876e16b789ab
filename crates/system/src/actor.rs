//! Who runs this process, for the audit log.

use jiff::Timestamp;
use tua_domain::{
    audit::{AuditContext, Source},
    key_ring::KeyRing,
};

/// A change that this process makes: by its system user, who may have given a name with `--as`.
#[must_use]
pub fn audit_context(
    source: Source,
    name: Option<&str>,
    keys: &KeyRing,
    at: Timestamp,
) -> AuditContext {
    let user = whoami::username().unwrap_or_else(|_| "unknown".to_owned());
    let actor = name.map_or_else(|| user.clone(), |name| format!("{name} ({user})"));
    AuditContext { at, actor, source, device: None, key: keys.audit_key() }
}
