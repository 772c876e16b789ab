//! What a caller should check whose credential nobody holds. It follows from the prefix alone, so
//! that an unknown, a revoked and an expired key get the same text.

use super::{bearer::without_scheme, problem::ApiError};
use tua_api::values::unexpected_character;
use tua_contract::ErrorCode;
use tua_domain::{Generation, Mode, SecretKey, secret::CHECKOUT_PREFIX};

/// The secrets that people send in place of a key, and what they are.
const FOREIGN_SECRETS: [(&str, &str); 2] = [
    (
        "whsec_",
        "This is the secret of a webhook endpoint, which verifies signatures. Send a secret key.",
    ),
    (
        "key_",
        "This is the id of a key. Send the key itself, which was shown only once, when it was \
         created.",
    ),
];

/// The characters that a configuration file puts around a value, and that belong to no credential.
const QUOTES: [char; 5] = ['"', '\'', '`', '\u{201c}', '\u{201d}'];

const QUOTED: &str = "The credential has quotation marks around it. Send it without them.";

/// The refusal of this credential.
pub(super) fn unknown_credential(credential: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidCredentials, detail(credential))
}

/// The refusal of an `Authorization` header without the scheme `Bearer`. `value` is the header's.
pub(super) fn unknown_scheme(value: &str) -> ApiError {
    if value.starts_with(QUOTES) {
        let detail = "The value of the header Authorization has quotation marks around it. Send \
            it without them, as `Authorization: Bearer <key>`.";
        return ApiError::new(ErrorCode::InvalidCredentials, detail);
    }
    let is_credential = value.starts_with("tua_") || value.starts_with("sk_");
    let detail = if is_credential {
        "The header Authorization has no scheme. Send it as `Authorization: Bearer <key>`."
    } else {
        "The header Authorization has another scheme than Bearer. Send it as `Authorization: \
         Bearer <key>`."
    };
    ApiError::new(ErrorCode::InvalidCredentials, detail)
}

/// The refusal of a header that has other characters than those of ASCII: no credential has them,
/// but the quotation marks of a text processor are among them.
pub(super) fn unknown_text(value: &[u8]) -> ApiError {
    let value = String::from_utf8_lossy(value);
    if value.contains(QUOTES) {
        return ApiError::new(ErrorCode::InvalidCredentials, QUOTED);
    }
    let credential = without_scheme(&value).unwrap_or(&value);
    let found = unexpected_character(credential, |character| character.is_ascii_graphic());
    let detail = format!("The credential has a character that none has.{found} Copy it again.");
    ApiError::new(ErrorCode::InvalidCredentials, detail)
}

fn detail(credential: &str) -> String {
    if credential.starts_with(QUOTES) || credential.ends_with(QUOTES) {
        return QUOTED.to_owned();
    }
    if let Some((_, hint)) =
        FOREIGN_SECRETS.iter().find(|(prefix, _)| credential.starts_with(prefix))
    {
        return (*hint).to_owned();
    }
    if credential.starts_with(CHECKOUT_PREFIX) {
        return "No checkout session of this service has this token. Check that the page has the \
            whole checkoutToken, and that it comes from this service."
            .to_owned();
    }
    let kinds = [Generation::V2, Generation::V1]
        .into_iter()
        .flat_map(|one| [(Mode::Test, one), (Mode::Live, one)]);
    for (mode, generation) in kinds {
        if credential.starts_with(SecretKey::prefix(mode, generation)) {
            let number = if generation == Generation::V1 { "first" } else { "second" };
            return format!(
                "No valid {} key of the {number} generation is this one. Check that you sent the \
                 whole key, that it was created on this service, and that it is not revoked or \
                 expired: `tua key list` shows all keys.",
                mode.as_str()
            );
        }
    }
    format!(
        "This is neither a secret key nor a checkout token. Keys begin with {}, {}, {} or {}, and \
         tokens with {CHECKOUT_PREFIX}.",
        SecretKey::prefix(Mode::Test, Generation::V2),
        SecretKey::prefix(Mode::Live, Generation::V2),
        SecretKey::prefix(Mode::Test, Generation::V1),
        SecretKey::prefix(Mode::Live, Generation::V1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::secret::new_credential;

    #[test]
    fn a_missing_scheme_is_told_apart_from_another_one() {
        for (value, expected) in [
            ("tua_test_v2_abc", "has no scheme"),
            ("sk_live_abc", "has no scheme"),
            ("Basic azo=", "another scheme than Bearer"),
            ("Digest username=\"ama\"", "another scheme than Bearer"),
            ("\"Bearer tua_test_v2_abc\"", "has quotation marks"),
            ("'tua_test_v2_abc'", "has quotation marks"),
        ] {
            let refused = unknown_scheme(value);
            assert!(refused.detail.contains(expected), "{value}: {}", refused.detail);
            assert!(!refused.detail.contains(value), "the secret itself is never repeated");
        }
    }

    #[test]
    fn a_character_that_no_credential_has_is_named_in_each_header() {
        for value in ["tua_test_v2_ab\u{200b}c", "Bearer tua_test_v2_ab\u{200b}c"] {
            let refused = unknown_text(value.as_bytes());
            let expected = "U+200B ZERO WIDTH SPACE at position 15.";
            assert!(refused.detail.contains(expected), "{}", refused.detail);
        }
        let refused = unknown_text(b"tua_test_v2_abc\xa0");
        assert!(refused.detail.contains("at position 16."), "{}", refused.detail);
    }

    #[test]
    fn the_hint_follows_from_what_was_sent() {
        for (credential, expected) in [
            (new_credential("tua_test_v2_"), "No valid test key of the second generation"),
            (new_credential("sk_live_"), "No valid live key of the first generation"),
            (new_credential("tua_checkout_"), "No checkout session"),
            ("tua_test_v2_abc".to_owned(), "that you sent the whole key"),
            ("whsec_c2VjcmV0".to_owned(), "secret of a webhook endpoint"),
            ("key_01a2".to_owned(), "id of a key"),
            ("\"tua_test_v2_abc\"".to_owned(), "has quotation marks"),
            ("'sk_live_abc".to_owned(), "has quotation marks"),
            ("password".to_owned(), "neither a secret key nor a checkout token"),
            (String::new(), "neither a secret key nor a checkout token"),
        ] {
            let detail = detail(&credential);
            assert!(detail.contains(expected), "{credential}: {detail}");
            assert!(
                credential.is_empty() || !detail.contains(&credential),
                "the secret itself is never repeated: {detail}"
            );
        }
    }
}
