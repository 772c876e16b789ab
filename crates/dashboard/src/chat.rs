//! Addresses that open a chat or a text message with a text in it, on the person's own device.

use tua_contract::Phone;
use tua_domain::international::international;
use url::form_urlencoded::Serializer;

/// Opens WhatsApp with this text, to this number, or to whom the person chooses.
pub(super) fn whatsapp(to: Option<&Phone>, text: &str) -> String {
    let number = to.map(international).unwrap_or_default();
    let query = Serializer::new(String::new()).append_pair("text", text).finish();
    format!("https://wa.me/{number}?{query}")
}

/// Opens a text message to this number (RFC 5724). A space is `%20` there, and not `+`.
pub(super) fn sms(to: &Phone, text: &str) -> String {
    let body = Serializer::new(String::new()).append_pair("body", text).finish();
    format!("sms:+{}?{}", international(to), body.replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_arrives_as_it_is() {
        let phone = Phone::parse("0241234567").unwrap();
        assert_eq!(whatsapp(None, "a b"), "https://wa.me/?text=a+b");
        assert_eq!(
            whatsapp(Some(&phone), "GH₵2 & 1+1"),
            "https://wa.me/233241234567?text=GH%E2%82%B52+%26+1%2B1"
        );
        assert_eq!(sms(&phone, "a + b\n"), "sms:+233241234567?body=a%20%2B%20b%0A");
    }
}
