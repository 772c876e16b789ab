//! Where payers return to, from the settings.

use reqwest::Url;

const PLACEHOLDER: &str = "{reference}";

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
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.username().is_empty();
        match Url::parse(&found.of_order("shop-1")).ok().filter(is_web) {
            Some(_) => Ok(found),
            None => Err(format!(
                "--return-url {text:?}: write the address of a page, such as https://shop.example/orders/{PLACEHOLDER}"
            )),
        }
    }

    /// The address for the order with this reference. References are letters, digits and hyphens, so none needs an escape.
    #[must_use]
    pub fn of_order(&self, reference: &str) -> String {
        self.0.replace(PLACEHOLDER, reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_stands_where_the_settings_say() {
        for (text, of_order) in [
            ("https://shop.example/orders/{reference}", "https://shop.example/orders/shop-7k"),
            ("http://localhost:9000/?order={reference}#{reference}", "http://localhost:9000/?order=shop-7k#shop-7k"),
            ("https://shop.example/thanks", "https://shop.example/thanks"),
        ] {
            assert_eq!(ReturnUrl::parse(text).unwrap().of_order("shop-7k"), of_order);
        }
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for text in ["", "orders/{reference}", "javascript:alert(1)", "https://", "https://user@shop.example/"] {
            assert!(ReturnUrl::parse(text).unwrap_err().starts_with("--return-url "), "{text}");
        }
    }
}
