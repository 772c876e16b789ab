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

/// The columns of a passkey, as [`passkey`] reads them.
macro_rules! passkey_columns {
    () => {
        "passkeys.id AS passkey_id, passkeys.user_id, credential_id, credential, device, \
         passkeys.created_at, used_at"
    };
}
pub(crate) use passkey_columns;

/// Deletes a passkey of a person who has another way in: a password, an identity at the provider
/// with this issuer identifier, or another passkey.
macro_rules! delete_passkey {
    ($id:literal, $user:literal, $issuer:literal) => {
        concat!(
            "DELETE FROM passkeys WHERE id = ",
            $id,
            " AND user_id = ",
            $user,
            " AND (EXISTS (SELECT 1 FROM users WHERE users.id = ",
            $user,
            " AND password IS NOT NULL) OR EXISTS (SELECT 1 FROM identities WHERE \
             identities.user_id = ",
            $user,
            " AND identities.issuer = ",
            $issuer,
            ") OR EXISTS (SELECT 1 FROM passkeys AS other WHERE other.user_id = ",
            $user,
            " AND other.id <> ",
            $id,
            "))"
        )
    };
}
pub(crate) use delete_passkey;
