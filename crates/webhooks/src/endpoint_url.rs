//! Which URLs an endpoint may have.

use super::address;
use tua_domain::Mode;
use url::{Host, Url};

/// The longest URL that an endpoint may have, in bytes.
const MAX_URL_BYTES: usize = 2048;

/// Reads an endpoint's address as a merchant writes it.
///
/// Only what can be told without asking a name server is refused here; the address that is
/// connected to is checked each time.
///
/// # Errors
/// A sentence that says what is wrong and never repeats credentials.
pub fn parse_url(text: &str, mode: Mode, allow_private: bool) -> Result<Url, &'static str> {
    let url = Url::parse(text)
        .map_err(|_| "it is not an absolute address such as https://shop.example/webhooks")?;
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
        () if text.len() > MAX_URL_BYTES => Err("it is longer than 2048 characters"),
        // The parser would leave out tabs and line ends.
        () if text.contains(char::is_control) => Err("it contains control characters"),
        () if !matches!(url.scheme(), "http" | "https") => Err("it must begin with https://"),
        () if mode == Mode::Live && url.scheme() != "https" => {
            Err("a live endpoint must begin with https://")
        }
        () if has_credentials => {
            Err("it holds a name or password; check the signature of what arrives instead")
        }
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

    fn is_fine(text: &str, mode: Mode) -> bool {
        parse_url(text, mode, false).is_ok()
    }

    #[test]
    fn a_live_endpoint_is_public_https() {
        assert!(is_fine("https://shop.example:8443/hooks?shop=1", Mode::Live));
        assert!(is_fine("https://[2606:4700::1111]/hooks", Mode::Live));
        for refused in
            ["http://shop.example/", "https://0x7f.1/", "https://[::1]/", "https://10.0.0.1/"]
        {
            assert!(!is_fine(refused, Mode::Live), "{refused}");
        }
        assert!(parse_url("https://10.0.0.1/", Mode::Live, true).is_ok());
    }

    #[test]
    fn a_test_endpoint_may_be_on_this_machine() {
        assert!(
            is_fine("http://127.0.0.1:9000/hooks", Mode::Test)
                && is_fine("http://localhost/", Mode::Test)
        );
    }

    #[test]
    fn an_invalid_url_is_rejected_in_both_modes() {
        for mode in [Mode::Test, Mode::Live] {
            for refused in [
                "shop.example/hooks",
                "ftp://shop.example/",
                "https://user:secret@shop.example/",
                "https://shop.example/#part",
                "https://169.254.169.254/latest",
                "https://[fe80::1]/",
                "https://168.63.129.16/",
                "https://0xa83f8110/",
                "https://[64:ff9b:1::a00:1]/",
                "https://[2002:a00:1::]/",
                "https://shop.example/\nhooks",
                "https://shop.example/\u{85}",
                "",
            ] {
                assert!(!is_fine(refused, mode), "{refused}");
            }
        }
    }
}
