//! The address that a payer can be sent back to (docs/reference/values.md).

use super::{impl_schema, string_schema};
use serde::Deserialize;
use serde_json::json;
use tua_contract::ErrorCode;
use tua_domain::Mode;
use tua_http_json::Refusal;
use url::{Host, Url};
use utoipa::openapi::SchemaFormat;

const URL_MAX_BYTES: usize = 2048;

/// An address that a payer can be sent back to: https, or http on loopback.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct ReturnUrl {
    /// As it was sent.
    pub text: String,
    is_https: bool,
}

impl_schema!(
    ReturnUrl,
    "The address that the hosted page offers to go back to: https, or in test mode also http on \
     loopback; without a user name.",
    string_schema()
        .max_length(Some(URL_MAX_BYTES))
        .format(Some(SchemaFormat::Custom("url".to_owned())))
        .pattern(Some("^https?://"))
        .examples([json!("https://shop.example/thanks")])
);

impl ReturnUrl {
    /// Checks that the mode allows the URL: http on loopback is allowed in test mode only.
    ///
    /// # Errors
    /// `invalid_url` where the mode does not allow it.
    pub fn allowed_in(&self, mode: Mode) -> Result<(), Refusal> {
        if self.is_https || mode == Mode::Test { Ok(()) } else { Err(invalid_url()) }
    }
}

impl TryFrom<String> for ReturnUrl {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let url = Url::parse(&text).map_err(|_| invalid_url())?;
        let is_https = url.scheme() == "https";
        let is_secure = is_https || (url.scheme() == "http" && is_loopback(&url));
        let is_valid = text.len() <= URL_MAX_BYTES
            && is_secure
            && url.has_host()
            // The parser would leave out tabs and line ends.
            && !text.contains(char::is_control)
            && url.username().is_empty()
            && url.password().is_none();
        if is_valid { Ok(Self { text, is_https }) } else { Err(invalid_url()) }
    }
}

fn invalid_url() -> Refusal {
    let detail = "This must be an https URL without a user name. In test mode, http on loopback is \
        also allowed.";
    Refusal::new(ErrorCode::InvalidUrl, detail)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_url_is_https_or_in_test_mode_http_on_loopback() {
        let allowed = |mode, text: &str| {
            ReturnUrl::try_from(text.to_owned()).is_ok_and(|url| url.allowed_in(mode).is_ok())
        };
        assert!(allowed(Mode::Live, "https://shop.example/thanks?order=1"));
        assert!(allowed(Mode::Test, "http://127.0.0.1:8090/"));
        assert!(allowed(Mode::Test, "http://localhost:8090/"));
        for text in [
            "http://127.0.0.1/",
            "javascript:alert(1)",
            "https://user:secret@shop.example/",
            "//shop.example",
            "",
            "data:text/html,x",
        ] {
            assert!(!allowed(Mode::Live, text), "{text}");
        }
        assert!(!allowed(Mode::Test, "http://shop.example/"));
    }
}
