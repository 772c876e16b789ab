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
        (text.chars().count() >= Self::MIN_CHARS && text.len() <= Self::MAX_BYTES)
            .then(|| Self(text.to_owned()))
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
static DUMMY: LazyLock<PasswordHash> =
    LazyLock::new(|| PasswordHash::of(&Password("no password".to_owned())));

impl PasswordHash {
    /// Hashes a password with the parameters of OWASP (19 MiB, 2 passes). This takes tens of
    /// milliseconds, so it must not run on the threads of the asynchronous runtime.
    ///
    /// # Panics
    /// Where the system has no random source, which no supported system lacks.
    #[must_use]
    pub fn of(password: &Password) -> Self {
        Self::of_text(&password.0)
    }

    /// As [`Self::of`], of a text that need not be long enough for a password.
    pub(super) fn of_text(text: &str) -> Self {
        #[expect(
            clippy::expect_used,
            reason = "the default parameters are valid, and there is a random source"
        )]
        let hash = Argon2::default().hash_password(text.as_bytes()).expect("valid parameters");
        Self(hash.to_string())
    }

    /// As [`Self::of`], with the salt of one of these hashes: those of other people with the same
    /// address. So a sign-in takes as long for an address of several people as for that of one or
    /// none.
    #[must_use]
    pub fn beside(password: &Password, others: &[Self]) -> Self {
        let salt = others.iter().find_map(|other| phc::PasswordHash::new(&other.0).ok()?.salt);
        let hashed = salt.and_then(|salt| hash(password.0.as_bytes(), &salt));
        hashed.map_or_else(|| Self::of(password), |hash| Self(hash.to_string()))
    }

    /// The hash that is compared where there is no person.
    #[must_use]
    pub fn dummy() -> Self {
        DUMMY.clone()
    }

    /// Which of these are hashes of this password. Takes as long as [`Self::of`] for each salt that
    /// they have.
    #[must_use]
    pub fn matching(hashes: &[Self], password: &str) -> Vec<bool> {
        let mut computed: Vec<phc::PasswordHash> = Vec::new();
        let mut matches = |stored: &Self| {
            let stored = phc::PasswordHash::new(&stored.0).ok()?;
            let is_alike =
                |one: &phc::PasswordHash| one.salt == stored.salt && one.params == stored.params;
            let known = computed.iter().find(|one| is_alike(one)).cloned();
            let hash = match known {
                Some(hash) => hash,
                None => {
                    let made = hash(password.as_bytes(), stored.salt.as_ref()?)?;
                    computed.push(made.clone());
                    made
                }
            };
            if hash.params == stored.params {
                // In constant time.
                return Some(hash.hash == stored.hash);
            }
            Some(Argon2::default().verify_password(password.as_bytes(), &stored).is_ok())
        };
        let is_in_bounds = password.len() <= Password::MAX_BYTES;
        hashes.iter().map(|stored| is_in_bounds && matches(stored).unwrap_or(false)).collect()
    }

    /// Wraps the text of a database column, without checking that it is a hash.
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

fn hash(password: &[u8], salt: &[u8]) -> Option<phc::PasswordHash> {
    Argon2::default().hash_password_with_salt(password, salt).ok()
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
        let other = PasswordHash::of(&password);
        assert_ne!(other, hash, "each hash has a salt of its own");
        let beside = PasswordHash::beside(
            &Password::new("another long one").unwrap(),
            std::slice::from_ref(&hash),
        );
        let salt = |hash: &PasswordHash| phc::PasswordHash::new(hash.as_str()).unwrap().salt;
        assert_eq!(salt(&beside), salt(&hash), "but for the other people with the address");
        let hashes = [hash, beside, other, PasswordHash::dummy()];
        assert_eq!(
            PasswordHash::matching(&hashes, "correct horse battery"),
            [true, false, true, false]
        );
        assert_eq!(
            PasswordHash::matching(&hashes, "another long one"),
            [false, true, false, false]
        );
        assert_eq!(PasswordHash::matching(&hashes, "correct horse batterx"), [false; 4]);
        assert_eq!(Password::new("elevenchars"), None);
        assert_eq!(Password::new(&"a".repeat(1025)), None);
    }
}
