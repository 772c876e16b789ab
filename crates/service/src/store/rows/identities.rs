//! Rows of identities at sign-in providers.

use crate::{
    domain::{
        IdentityId,
        people::{Identity, LinkedIdentity},
    },
    store::columns::{Columns, maybe_time, text, time},
};

pub(in crate::store) fn identity<R: Columns>(row: &R) -> Result<LinkedIdentity, R::Error> {
    Ok(LinkedIdentity {
        id: IdentityId::new(text(row, "id")?),
        identity: Identity { issuer: text(row, "issuer")?, subject: text(row, "subject")? },
        created_at: time(row, "created_at")?,
        used_at: maybe_time(row, "used_at")?,
    })
}
