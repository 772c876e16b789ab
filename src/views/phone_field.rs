//! The number.

use super::element::{On, el};
use super::{View, notice};
use crate::flow::{Form, Msg};
use crate::locale::Text;
use tua_contract::phone::PhoneError;
use yew::Html;

/// The number's field. It stays a text: what is typed is never reformatted under the fingers.
pub(super) fn phone_field(form: &Form, busy: bool, view: View<'_>) -> Html {
    let fault = form.phone_fault.map(|fault| match fault {
        PhoneError::Empty => Text::FaultPhoneEmpty,
        PhoneError::NotDigits => Text::FaultPhoneDigits,
        PhoneError::WrongLength => Text::FaultPhoneLength,
        PhoneError::NotGhanaian => Text::FaultPhoneCountry,
    });
    let fault = fault.map(|text| view.text(text).to_owned());
    let id = view.id("phone");
    let input = el("input", "tua-input")
        .attr_text("id", id.clone())
        .part("input")
        .attr("type", "tel")
        .attr("name", "phoneNumber")
        .attr("dir", "ltr")
        .attr("inputmode", "tel")
        .attr("autocomplete", "tel-national")
        .attr_text("placeholder", view.text(Text::FormPhoneExample).to_owned())
        .attr_if(busy, "readonly", "")
        .value(&form.phone)
        .on(view, On::Input(Msg::PhoneTyped));
    notice::field(id, Text::FormPhone, input, fault.as_deref(), view)
}
