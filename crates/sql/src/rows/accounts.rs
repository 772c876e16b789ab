//! Accounts and their keys.

use crate::columns::{
    self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text, time,
    word,
};
use jiff::SignedDuration;
use tua_domain::{
    Account, AccountId, Generation, KeyId, SecretKey,
    branding::{Branding, LogoName},
};

/// Reads an account.
pub fn account<R: Columns>(row: &R) -> Result<Account, R::Error> {
    Ok(Account {
        id: AccountId::new(text(row, "id")?),
        name: text(row, "name")?,
        branding: branding(row)?,
        sends_receipts: number::<_, u8>(row, "receipts")? == 1,
        created_at: time(row, "created_at")?,
        suspended_at: maybe_time(row, "suspended_at")?,
    })
}

/// Reads a secret key.
pub fn key<R: Columns>(row: &R) -> Result<SecretKey, R::Error> {
    Ok(SecretKey {
        id: KeyId::new(text(row, "id")?),
        scope: read::scope(row)?,
        name: maybe_text(row, "name")?,
        generation: word(row, "generation", Generation::parse)?,
        scopes: word(row, "scopes", |text| text.parse().ok())?,
        allowed_addresses: maybe_word(row, "allowed_addresses", |text| text.parse().ok())?,
        digest: read::digest(row, "digest")?,
        last_four: text(row, "last_four")?,
        created_at: time(row, "created_at")?,
        last_used_at: maybe_time(row, "last_used_at")?,
        expires_at: maybe_time(row, "expires_at")?,
        revoked_at: maybe_time(row, "revoked_at")?,
        sandbox_ahead: SignedDuration::ZERO,
    })
}

/// A key that came with a request, with the sandbox clock of its account.
pub fn callers_key<R: Columns>(row: &R) -> Result<SecretKey, R::Error> {
    Ok(SecretKey { sandbox_ahead: sandbox_ahead(row)?, ..key(row)? })
}

/// How far the sandbox clock of the account of this row is ahead: the sum of its advances.
pub(super) fn sandbox_ahead<R: Columns>(row: &R) -> Result<SignedDuration, R::Error> {
    let milliseconds = maybe_number(row, "sandbox_ahead_ms")?.unwrap_or(0);
    Ok(SignedDuration::from_millis(milliseconds))
}

/// How the merchant's pages look.
pub fn branding<R: Columns>(row: &R) -> Result<Branding, R::Error> {
    Ok(Branding {
        accent: maybe_word(row, "accent", |text| text.parse().ok())?,
        logo: maybe_word(row, "logo", LogoName::parse)?,
    })
}
