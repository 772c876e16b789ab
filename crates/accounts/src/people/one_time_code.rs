//! The second factor: one-time codes of an app (TOTP, RFC 6238), and recovery codes for who has
//! lost the app.

use crate::{
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    secret::{SecretDigest, ServerKey, random_bytes},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use std::fmt;
use totp_rs::{Builder, Secret, Totp};
use tua_contract::plain_text::{is_space_or_dash, normalize_text};
use url::form_urlencoded::byte_serialize;

/// The purpose of the encryption; secrets for other purposes do not decrypt.
const PURPOSE: &[u8] = b"tua: keys of one-time codes, XChaCha20-Poly1305";

/// The name that apps show beside the codes.
const ISSUER: &str = "Tua";

/// How many recovery codes a person gets.
const RECOVERY_CODES: usize = 10;

/// The letters and digits of recovery codes (Crockford's base 32): none is mistaken for another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The key that an app makes one-time codes with: 160 bits, as RFC 4226 section 4 recommends.
/// `Debug` hides it.
#[derive(Clone)]
pub struct TotpSecret([u8; 20]);

impl TotpSecret {
    /// The key of an enrolment. It follows from the server key and the link, so that it is stored
    /// only when the person has proven to have it.
    #[must_use]
    pub fn of_enrolment(key: &ServerKey, link: SecretDigest) -> Self {
        let message = [&b"tua: one-time codes of the enrolment "[..], &link.0].concat();
        let mut secret = [0; 20];
        secret.copy_from_slice(&key.authenticate(&message)[..20]);
        Self(secret)
    }

    /// The key as people type it: base 32.
    #[must_use]
    pub fn to_base32(&self) -> String {
        Secret::from(self.0.to_vec()).to_base32()
    }

    /// The address that the QR code shows to an app (Key Uri Format).
    #[must_use]
    pub fn to_url(&self, label: &str) -> String {
        let label: String = byte_serialize(label.as_bytes()).collect();
        format!(
            "otpauth://totp/{ISSUER}:{}?secret={}&issuer={ISSUER}",
            label.replace('+', "%20"),
            self.to_base32()
        )
    }

    /// The time step of this code as it was typed, of the current step or one beside it. `None` if
    /// the code is wrong.
    #[must_use]
    pub fn step_of(&self, code: &str, now: Timestamp) -> Option<i64> {
        let seconds = u64::try_from(now.as_second()).ok()?;
        let code = normalize_text(code).replace(is_space_or_dash, "");
        self.totp()?.check(&code, seconds)?.try_into().ok()
    }

    /// The code of this time.
    #[must_use]
    pub fn code(&self, now: Timestamp) -> Option<String> {
        Some(self.totp()?.generate(u64::try_from(now.as_second()).ok()?).to_string())
    }

    fn totp(&self) -> Option<Totp> {
        Builder::new().with_secret(self.0.to_vec()).build().ok()
    }

    /// Encrypts the key for its column.
    #[must_use]
    pub fn encrypt(&self, key: &ServerKey) -> EncryptedSecret {
        EncryptedSecret::encrypt_for(PURPOSE, key, &URL_SAFE_NO_PAD.encode(self.0))
    }

    /// Decrypts the column, with whichever version of the server key it was encrypted.
    #[must_use]
    pub fn decrypt(column: &EncryptedSecret, keys: &KeyRing) -> Option<Self> {
        let text = column.decrypt_with(PURPOSE, keys)?;
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// A recovery code of 80 random bits, as it is shown once: `k3vd-90xj-…`. `Debug` hides it.
#[derive(Clone)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// The codes of a person.
    #[must_use]
    pub fn generate_all() -> Vec<Self> {
        (0..RECOVERY_CODES).map(|_| Self::generate()).collect()
    }

    fn generate() -> Self {
        let letters = random_bytes::<16>().map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
        let groups = letters.chunks(4).map(|group| group.iter().collect::<String>());
        Self(groups.collect::<Vec<_>>().join("-"))
    }

    /// The code with dashes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of a code, however it was typed. `None` if it cannot be one.
    #[must_use]
    pub fn digest_of(typed: &str) -> Option<SecretDigest> {
        let typed = normalize_text(typed);
        let code: String = typed
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        (code.len() == 16).then(|| SecretDigest::of(&code))
    }

    /// What is stored of it.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0.replace('-', ""))
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_rfc() {
        // RFC 6238 appendix B has 8 digits; apps show the last 6.
        let secret = TotpSecret(*b"12345678901234567890");
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(secret.step_of("287082", at(59)), Some(1));
        assert_eq!(secret.step_of("081804", at(1_111_111_109)), Some(37_037_036));
        assert_eq!(secret.step_of("287082", at(89)), Some(1), "the step before is accepted");
        assert_eq!(secret.step_of("287082", at(120)), None);
        assert_eq!(secret.step_of("28708", at(59)), None);
        assert_eq!(secret.code(at(59)).as_deref(), Some("287082"));
    }

    #[test]
    fn a_recovery_code_is_read_however_it_is_typed() {
        let code = RecoveryCode::generate();
        let typed = format!(" {} ", code.as_str().to_uppercase().replace('-', " "));
        assert_eq!(RecoveryCode::digest_of(&typed), Some(code.digest()));
        assert_eq!(RecoveryCode::digest_of("123456"), None);
    }
}
