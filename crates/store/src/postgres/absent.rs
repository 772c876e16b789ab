//! Locks of what has no row yet, which no row lock can keep other nodes from inserting.

use super::{db::Db, error::Result};
use tua_domain::people::Identity;

/// Something that may be inserted once.
pub(super) enum Absent<'a> {
    /// The person of the first set-up, and the link for it.
    FirstPerson,
    /// The person of an identity.
    Identity(&'a Identity),
}

impl Absent<'_> {
    /// Waits until no other database transaction has the lock, and holds it to the end of this one.
    /// What others inserted meanwhile is visible to the statements that follow.
    pub(super) async fn lock(&self, db: &Db) -> Result<()> {
        const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema()::text \
            || $1::text || $2::text || ' ' || $3::text, 0))";
        let (what, issuer, subject) = match self {
            Self::FirstPerson => (" tua: first person", "", ""),
            Self::Identity(identity) => (" tua: identity ", &*identity.issuer, &*identity.subject),
        };
        db.query_opt(LOCK, &[&what, &issuer, &subject]).await.map(drop)
    }
}
