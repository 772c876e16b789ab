//! What a caller should check whose credential nobody holds. It follows from the prefix alone, so
//! that an unknown, a revoked and an expired key get the same text.

use super::problem::ApiError;
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

/// The refusal of this credential.
pub(super) fn unknown_credential(credential: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidCredentials, detail(credential))
}

fn detail(credential: &str) -> String {
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
    fn the_hint_follows_from_what_was_sent() {
        for (credential, expected) in [
            (new_credential("tua_test_v2_"), "No valid test key of the second generation"),
            (new_credential("sk_live_"), "No valid live key of the first generation"),
            (new_credential("tua_checkout_"), "No checkout session"),
            ("tua_test_v2_abc".to_owned(), "that you sent the whole key"),
            ("whsec_c2VjcmV0".to_owned(), "secret of a webhook endpoint"),
            ("key_01a2".to_owned(), "id of a key"),
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
