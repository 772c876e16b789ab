//! Rows of identities at sign-in providers.

use crate::columns::{Columns, maybe_time, text, time};
use tua_domain::{
    IdentityId,
    people::{Identity, LinkedIdentity},
};

pub(crate) fn identity<R: Columns>(row: &R) -> Result<LinkedIdentity, R::Error> {
    Ok(LinkedIdentity {
        id: IdentityId::new(text(row, "id")?),
        identity: Identity { issuer: text(row, "issuer")?, subject: text(row, "subject")? },
        created_at: time(row, "created_at")?,
        used_at: maybe_time(row, "used_at")?,
    })
}
