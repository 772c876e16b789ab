//! Where a merchant hears of events, and with which secrets.

use super::{address, sealed::Sealed};
use crate::{
    domain::{EndpointId, Mode, Scope},
    secret::{ServerKey, random_bytes},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use url::{Host, Url};

/// What every secret of an endpoint begins with (Standard Webhooks 1.0).
const SECRET_PREFIX: &str = "whsec_";

/// The longest address that an endpoint may have.
const LONGEST_URL: usize = 2048;

/// A merchant's endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// Names it.
    pub id: EndpointId,
    /// Whose events it hears of.
    pub scope: Scope,
    /// Where they are sent.
    pub url: String,
    /// What they are signed with.
    pub secret: Sealed,
    /// What they are signed with besides, until this moment: a merchant changes secrets without a gap.
    pub old_secret: Option<(Sealed, Timestamp)>,
    /// When it was added.
    pub created_at: Timestamp,
    /// Since when nothing is sent to it: it answered 410.
    pub disabled_at: Option<Timestamp>,
}

impl Endpoint {
    /// Makes an endpoint with a new secret; the text is shown once.
    #[must_use]
    pub fn new(scope: Scope, url: &Url, key: &ServerKey, now: Timestamp) -> (Self, String) {
        let (secret, text) = new_secret(key);
        let endpoint = Self {
            id: EndpointId::mint(),
            scope,
            url: url.as_str().to_owned(),
            secret,
            old_secret: None,
            created_at: now,
            disabled_at: None,
        };
        (endpoint, text)
    }

    /// The secrets that sign at this moment, the newest first.
    pub fn secrets(&self, now: Timestamp) -> impl Iterator<Item = &Sealed> {
        let old = self.old_secret.iter().filter(move |(_, until)| now < *until).map(|(secret, _)| secret);
        std::iter::once(&self.secret).chain(old)
    }
}

/// A new secret: 256 bits from the system's random source, sealed and as its holder reads it.
#[must_use]
pub fn new_secret(key: &ServerKey) -> (Sealed, String) {
    let text = format!("{SECRET_PREFIX}{}", STANDARD.encode(random_bytes::<32>()));
    (Sealed::seal(key, &text), text)
}

/// Reads an endpoint's address as a merchant writes it.
///
/// Only what can be told without asking a name server is refused here; the address that is
/// connected to is checked each time.
///
/// # Errors
/// A sentence that says what is wrong and never repeats credentials.
pub fn parse_url(text: &str, mode: Mode, allow_private: bool) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "it is not an absolute address such as https://shop.example/webhooks")?;
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    let address = match url.host() {
        Some(Host::Ipv4(address)) => Some(address.into()),
        Some(Host::Ipv6(address)) => Some(address.into()),
        Some(Host::Domain(_)) | None => None,
    };
    let policy = match (allow_private, mode) {
        (true, _) | (_, Mode::Test) => address::AddressPolicy::AllowPrivate,
        (false, Mode::Live) => address::AddressPolicy::PublicOnly,
    };
    match () {
        () if text.len() > LONGEST_URL => Err("it is longer than 2048 characters"),
        () if !matches!(url.scheme(), "http" | "https") => Err("it must begin with https://"),
        () if mode == Mode::Live && url.scheme() != "https" => Err("a live endpoint must begin with https://"),
        () if has_credentials => Err("it holds a name or password; check the signature of what arrives instead"),
        () if url.fragment().is_some() => Err("it has a fragment (#…), which is never sent"),
        () if address.is_some_and(|address| !policy.allows(address)) => {
            Err("its address is private, link-local or reserved; nothing is ever sent there")
        }
        () => Ok(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::AccountId, secret::ServerKey};
    use jiff::SignedDuration;

    fn is_fine(text: &str, mode: Mode) -> bool {
        parse_url(text, mode, false).is_ok()
    }

    #[test]
    fn a_live_endpoint_is_public_https() {
        assert!(is_fine("https://shop.example:8443/hooks?shop=1", Mode::Live));
        assert!(is_fine("https://[2606:4700::1111]/hooks", Mode::Live));
        for refused in ["http://shop.example/", "https://0x7f.1/", "https://[::1]/", "https://10.0.0.1/"] {
            assert!(!is_fine(refused, Mode::Live), "{refused}");
        }
        assert!(parse_url("https://10.0.0.1/", Mode::Live, true).is_ok());
    }

    #[test]
    fn a_test_endpoint_may_be_on_this_machine() {
        assert!(is_fine("http://127.0.0.1:9000/hooks", Mode::Test) && is_fine("http://localhost/", Mode::Test));
    }

    #[test]
    fn what_is_never_right_is_refused_in_both_modes() {
        for mode in [Mode::Test, Mode::Live] {
            for refused in [
                "shop.example/hooks",
                "ftp://shop.example/",
                "https://user:secret@shop.example/",
                "https://shop.example/#part",
                "https://169.254.169.254/latest",
                "https://[fe80::1]/",
                "",
            ] {
                assert!(!is_fine(refused, mode), "{refused}");
            }
        }
    }

    #[test]
    fn two_secrets_sign_until_the_old_one_ends() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let scope = Scope { account: AccountId::mint(), mode: Mode::Test };
        let url = Url::parse("https://shop.example/").unwrap();
        let (mut endpoint, _) = Endpoint::new(scope, &url, &key, now);
        endpoint.old_secret = Some((new_secret(&key).0, now + SignedDuration::from_secs(1)));
        assert_eq!(endpoint.secrets(now).count(), 2);
        assert_eq!(endpoint.secrets(now + SignedDuration::from_secs(1)).count(), 1);
    }
}
