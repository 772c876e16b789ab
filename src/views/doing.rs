//! What a payer does, by the name of the element that it is done to.
//!
//! The shell listens at the component's own element; the views name what can be pressed, typed into
//! or sent. The fields carry the API's names, so that a plain form post carries them too.

use crate::flow::Msg;
use tua_contract::Network;

pub(super) const PHONE: &str = "name=phoneNumber";
pub(super) const NETWORK: &str = "name=network";
pub(super) const CODE: &str = "name=otp";
pub(super) const PAY: &str = "name=pay";
pub(super) const SEND_CODE: &str = "name=code";
pub(super) const AGAIN: &str = "name=again";
pub(super) const CHANGE: &str = "name=change";
pub(super) const CHECK: &str = "name=check";
pub(super) const COPY: &str = "name=copy";
pub(super) const PRINT: &str = "name=print";

/// The message of a field that now holds `value`, a form that is sent or a button that is pressed;
/// nothing for an element that is none of ours.
#[must_use]
pub fn message(name: &str, value: String) -> Option<Msg> {
    Some(match ["name=", name].concat().as_str() {
        PHONE => Msg::PhoneTyped(value),
        NETWORK => Msg::NetworkChosen(Network::parse(&value)?),
        CODE => Msg::CodeTyped(value),
        PAY => Msg::Pay,
        SEND_CODE => Msg::SendCode,
        AGAIN => Msg::TryAgain,
        CHANGE => Msg::ChangeNumber,
        CHECK => Msg::CheckNow,
        COPY => Msg::CopyReceipt,
        PRINT => Msg::Print,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_says_what_it_holds_and_a_button_what_it_is_called() {
        assert_eq!(message("phoneNumber", "024".to_owned()), Some(Msg::PhoneTyped("024".to_owned())));
        assert_eq!(message("network", "TELECEL".to_owned()), Some(Msg::NetworkChosen(Network::Telecel)));
        assert_eq!(message("pay", String::new()), Some(Msg::Pay));
    }

    #[test]
    fn what_is_none_of_ours_says_nothing() {
        for (name, value) in [("", ""), ("email", "a@b.c"), ("network", "VODAFONE"), ("name=pay", "")] {
            assert_eq!(message(name, value.to_owned()), None, "{name}");
        }
    }
}
