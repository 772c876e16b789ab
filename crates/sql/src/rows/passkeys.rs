//! Rows of passkeys.

use crate::columns::{Columns, digest, maybe_text, maybe_time, text, time};
use tua_domain::{
    PasskeyId, UserId,
    people::{Passkey, PasskeyChallenge},
};

pub(crate) fn passkey<R: Columns>(row: &R) -> Result<Passkey, R::Error> {
    Ok(Passkey {
        id: PasskeyId::new(text(row, "passkey_id")?),
        user: UserId::new(text(row, "user_id")?),
        credential_id: row.maybe_bytes("credential_id")?.unwrap_or_default().to_vec(),
        credential: text(row, "credential")?,
        device: text(row, "device")?,
        created_at: time(row, "created_at")?,
        used_at: maybe_time(row, "used_at")?,
    })
}

pub(crate) fn passkey_challenge<R: Columns>(row: &R) -> Result<PasskeyChallenge, R::Error> {
    Ok(PasskeyChallenge {
        digest: digest(row, "digest")?,
        user: maybe_text(row, "user_id")?.map(UserId::new),
        state: text(row, "state")?,
        expires_at: time(row, "expires_at")?,
    })
}
