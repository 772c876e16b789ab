//! Where payers return to, from the settings.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;

const PLACEHOLDER: &str = "{reference}";

/// All but the unreserved characters (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a page of the shop, which may contain `{reference}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReturnUrl(String);

impl ReturnUrl {
    /// Checks the address. Which schemes a key's mode permits is the payment service's rule.
    ///
    /// # Errors
    /// One sentence that says what to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self(text.to_owned());
        let has_user = |url: &Url| !url.username().is_empty() || url.password().is_some();
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && !has_user(url);
        // A page may choose the reference, so the reference may not choose the site. Both are valid
        // ports and hosts.
        let origin = |reference| {
            Url::parse(&found.for_order(reference)).ok().filter(is_web).map(|url| url.origin())
        };
        match (origin("1"), origin("2")) {
            (Some(one), Some(other)) if one == other => Ok(found),
            _ => Err(format!(
                "--return-url {text:?}: write the address of a page, such as \
                 https://shop.example/orders/{PLACEHOLDER}; {PLACEHOLDER} may appear only after \
                 the host"
            )),
        }
    }

    /// The address for the order with this reference, which is percent-encoded.
    #[must_use]
    pub fn for_order(&self, reference: &str) -> String {
        self.0.replace(PLACEHOLDER, &utf8_percent_encode(reference, ESCAPED).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_stands_where_the_settings_say() {
        for (text, expected) in [
            ("https://shop.example/orders/{reference}", "https://shop.example/orders/shop-7k"),
            (
                "http://localhost:9000/?order={reference}#{reference}",
                "http://localhost:9000/?order=shop-7k#shop-7k",
            ),
            ("https://shop.example/thanks", "https://shop.example/thanks"),
        ] {
            assert_eq!(ReturnUrl::parse(text).unwrap().for_order("shop-7k"), expected);
        }
    }

    #[test]
    fn a_reference_is_one_part_of_a_path_or_query() {
        let url = ReturnUrl::parse("https://shop.example/{reference}?order={reference}").unwrap();
        assert_eq!(
            url.for_order("a/../b?c&d=e#f %+é"),
            "https://shop.example/a%2F..%2Fb%3Fc%26d%3De%23f%20%25%2B%C3%A9\
             ?order=a%2F..%2Fb%3Fc%26d%3De%23f%20%25%2B%C3%A9"
        );
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for text in [
            "",
            "orders/{reference}",
            "javascript:alert(1)",
            "https://",
            "https://user@shop.example/",
            "https://:password@shop.example/",
        ] {
            assert!(ReturnUrl::parse(text).unwrap_err().starts_with("--return-url "), "{text}");
        }
    }

    #[test]
    fn a_reference_does_not_choose_the_site() {
        for text in [
            "{reference}",
            "{reference}://shop.example/",
            "http{reference}://shop.example/",
            "https://{reference}/",
            "https:////{reference}/",
            "https:{reference}.example",
            "https://{reference}.shop.example/orders",
            "https://shop.example.{reference}",
            "https://shop.example:{reference}/",
            "https://shop.example:80{reference}/",
            "https://{reference}@shop.example/",
            "https://:{reference}@shop.example/",
        ] {
            let fault = ReturnUrl::parse(text).unwrap_err();
            assert!(
                fault.starts_with("--return-url ") && fault.contains("only after the host"),
                "{text}: {fault}"
            );
        }
    }
}
