//! Signatures of webhooks: HMAC-SHA512 of the raw body.

use super::settings::PaystackCredentials;
use crate::{operator::Operator, protocol::Shared};
use aws_lc_rs::hmac;
use std::fmt::Write;

/// Signs with the secret key, or with another one. The signature is lower-case hexadecimal.
pub(super) fn sign(shared: &Shared, body: &[u8], is_forged: bool) -> String {
    let credentials = shared
        .accepted_credentials::<PaystackCredentials>(Operator::PAYSTACK)
        .unwrap_or_else(|| shared.settings.credentials.get());
    let secret = if is_forged { "not the secret key".to_owned() } else { credentials.secret_key };
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA512, secret.as_bytes()), body);
    tag.as_ref().iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
