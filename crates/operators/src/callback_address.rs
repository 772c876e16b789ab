//! Checks that an operator can call a callback address.

use super::settings::is_loopback;
use tua_domain::ports::CheckResult;
use url::Url;

/// The result of the check: operators call `https` on a host name only. The path is a secret, and
/// is not in it.
#[must_use]
pub fn check_callback_address(callback_url: &str) -> CheckResult {
    let outcome = match Url::parse(callback_url) {
        Ok(url) if is_loopback(&url) => {
            Err("is on a loopback address, which no operator can reach".to_owned())
        }
        Ok(url) if url.scheme() != "https" => {
            Err("is not https, which operators require".to_owned())
        }
        Ok(url) => match url.domain() {
            Some(host) => Ok(format!("is https on the host {host}")),
            None => Err("names an IP address; operators require a host name".to_owned()),
        },
        Err(_) => Err("is not a URL".to_owned()),
    };
    CheckResult::new(CheckResult::CALLBACK_ADDRESS, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_can_call_https_on_a_host_name_only() {
        for (url, is_right) in [
            ("https://pay.example/callbacks/mtn/secret", true),
            ("http://pay.example/callbacks/mtn/secret", false),
            ("https://192.0.2.1/callbacks/mtn/secret", false),
            ("http://localhost:8080/callbacks/mtn/secret", false),
            ("", false),
        ] {
            let result = check_callback_address(url);
            assert_eq!(result.outcome.is_ok(), is_right, "{url}");
            assert!(!format!("{result:?}").contains("secret"));
        }
    }
}
