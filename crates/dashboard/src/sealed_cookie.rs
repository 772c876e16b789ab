//! Values that a browser keeps for some minutes and cannot read: cookies that are encrypted with
//! the server key.

use super::{cookies, state::DashboardState};
use axum::http::HeaderMap;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::SignedDuration;
use serde::{Serialize, de::DeserializeOwned};
use tua_domain::encrypted_secret::EncryptedSecret;

/// Browsers keep cookies of at least 4,096 bytes (RFC 6265 section 6.1); name and attributes take
/// some of them.
const MAX_COOKIE_BYTES: usize = 3_800;

/// A kind of sealed cookie.
#[derive(Debug)]
pub(super) struct SealedCookie {
    /// The name over HTTPS, and on loopback over HTTP.
    pub(super) names: cookies::CookieNames,
    /// The purpose of the derived encryption key. A cookie of another kind does not open.
    pub(super) purpose: &'static [u8],
    /// For how long the browser keeps it.
    pub(super) max_age: SignedDuration,
}

impl SealedCookie {
    /// Keeps a value. `false` if it is too large.
    pub(super) fn keep(
        &self,
        state: &DashboardState,
        headers: &mut HeaderMap,
        value: &impl Serialize,
    ) -> bool {
        let Ok(text) = serde_json::to_string(value) else { return false };
        let sealed = EncryptedSecret::encrypt_for(self.purpose, &state.keys.current(), &text);
        let sealed = URL_SAFE_NO_PAD.encode(sealed.as_bytes());
        let fits = sealed.len() <= MAX_COOKIE_BYTES;
        if fits {
            cookies::keep(headers, self.names, sealed, self.max_age, state.is_https());
        }
        fits
    }

    /// The value of the request's cookie, if this service has sealed it.
    pub(super) fn open<T: DeserializeOwned>(
        &self,
        state: &DashboardState,
        headers: &HeaderMap,
    ) -> Option<T> {
        let bytes =
            URL_SAFE_NO_PAD.decode(cookies::find(headers, self.names, state.is_https())?).ok()?;
        let text =
            EncryptedSecret::from_bytes(bytes).decrypt_for(self.purpose, &state.keys.current())?;
        serde_json::from_str(&text).ok()
    }

    /// Tells the browser to delete the cookie, with `Max-Age=0`.
    pub(super) fn end(&self, state: &DashboardState, headers: &mut HeaderMap) {
        cookies::end(headers, self.names, state.is_https());
    }
}
