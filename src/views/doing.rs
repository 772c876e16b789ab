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
