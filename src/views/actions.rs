//! What the payer does, by the `name` of the element.
//!
//! The shell listens at the checkout's root element. Yew's own listeners (`oninput`, `onsubmit`) at
//! each element were measured: they add 3.6 KB (brotli) to the download. The names are also those
//! that a plain form post carries.

use crate::flow::Msg;
use tua_contract::Network;

/// The message of a field with this value, a submitted form or a pressed button. `None` for any
/// other name. A submitted form has the value of its text field and, if it shows one, the chosen
/// network.
#[must_use]
pub fn message(name: &str, value: String, network: Option<Network>) -> Option<Msg> {
    Some(match name {
        "phoneNumber" => Msg::PhoneTyped(value),
        "network" => Msg::NetworkChosen(Network::parse(&value)?),
        "otp" => Msg::CodeTyped(value),
        "pay" => Msg::Pay(value, network),
        "code" => Msg::SendCode(value),
        "again" => Msg::TryAgain,
        "change" => Msg::ChangeNumber,
        "check" => Msg::CheckNow,
        "copy" => Msg::CopyReceipt,
        "print" => Msg::Print,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_gives_its_value_and_a_button_its_action() {
        let text = || "024".to_owned();
        assert_eq!(message("phoneNumber", text(), None), Some(Msg::PhoneTyped(text())));
        assert_eq!(
            message("network", "TELECEL".to_owned(), None),
            Some(Msg::NetworkChosen(Network::Telecel))
        );
        assert_eq!(message("again", String::new(), None), Some(Msg::TryAgain));
    }

    #[test]
    fn a_submitted_form_gives_what_it_shows() {
        let text = || "024".to_owned();
        assert_eq!(
            message("pay", text(), Some(Network::Mtn)),
            Some(Msg::Pay(text(), Some(Network::Mtn)))
        );
        assert_eq!(message("code", text(), None), Some(Msg::SendCode(text())));
    }

    #[test]
    fn an_unknown_name_or_network_gives_no_message() {
        for (name, value) in
            [("", ""), ("email", "a@b.c"), ("network", "VODAFONE"), ("name=pay", "")]
        {
            assert_eq!(message(name, value.to_owned(), None), None, "{name}");
        }
    }
}
