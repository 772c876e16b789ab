//! Passwords, stored as argon2id hashes (RFC 9106).

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc},
};
use std::{fmt, sync::LazyLock};

/// A password that is long enough. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// The shortest password, in characters.
    pub const MIN_CHARS: usize = 12;

    /// The longest password, in bytes. It bounds the work of a hash.
    pub const MAX_BYTES: usize = 1024;

    /// A password for a new hash. `None` if it is too short or too long.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        (text.chars().count() >= Self::MIN_CHARS && text.len() <= Self::MAX_BYTES).then(|| Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The hash of a password in the PHC string format: algorithm, parameters, salt and hash.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

/// A dummy hash. It is compared where there is no person, so that both cases take as long.
static DUMMY: LazyLock<PasswordHash> = LazyLock::new(|| PasswordHash::of(&Password("no password".to_owned())));

impl PasswordHash {
    /// Hashes a password with the parameters of OWASP (19 MiB, 2 passes). This takes tens of milliseconds, so it must not
    /// run on the threads of the asynchronous runtime.
    ///
    /// # Panics
    /// Where the system has no random source, which no supported system lacks.
    #[must_use]
    pub fn of(password: &Password) -> Self {
        #[expect(clippy::expect_used, reason = "the default parameters are valid, and there is a random source")]
        let hash = Argon2::default().hash_password(password.0.as_bytes()).expect("valid parameters");
        Self(hash.to_string())
    }

    /// The hash that is compared where there is no person.
    #[must_use]
    pub fn dummy() -> Self {
        DUMMY.clone()
    }

    /// Whether it is the hash of this password. Takes as long as [`Self::of`].
    #[must_use]
    pub fn matches(&self, password: &str) -> bool {
        let is_in_bounds = password.len() <= Password::MAX_BYTES;
        let hash = phc::PasswordHash::new(&self.0);
        is_in_bounds && hash.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    }

    /// Reads the column.
    #[must_use]
    pub const fn from_column(text: String) -> Self {
        Self(text)
    }

    /// The text of the column.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_password_matches_its_salted_hash() {
        let password = Password::new("correct horse battery").unwrap();
        let hash = PasswordHash::of(&password);
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(hash.matches("correct horse battery") && !hash.matches("correct horse batterx"));
        assert_ne!(PasswordHash::of(&password), hash, "each hash has a salt of its own");
        assert_eq!(Password::new("elevenchars"), None);
        assert_eq!(Password::new(&"a".repeat(1025)), None);
    }
}
