//! The number.

use super::element::el;
use super::{View, doing, notice};
use crate::flow::Form;
use crate::locale::Text;
use tua_contract::phone::PhoneError;
use yew::Html;

/// The number's field. It stays a text: what is typed is never reformatted under the fingers.
pub(super) fn phone_field(form: &Form, busy: bool, view: View<'_>) -> Html {
    let fault = fault(form).map(|text| view.text(text));
    let id = view.id("phone");
    let input = el("input;class=tua-input;part=input;type=tel;dir=ltr;inputmode=tel;autocomplete=tel-national;\
        maxlength=64")
    .also(doing::PHONE)
    .attr("id", id.clone())
    .attr("placeholder", view.text(Text::FormPhoneExample).to_owned())
    .also_if(busy, "readonly")
    .value(&form.phone);
    notice::field(id, Text::FormPhone, input, fault, view)
}

/// What is wrong with the number.
pub(super) fn fault(form: &Form) -> Option<Text> {
    form.phone_fault.map(|fault| match fault {
        PhoneError::Empty => Text::FaultPhoneEmpty,
        PhoneError::NotDigits => Text::FaultPhoneDigits,
        PhoneError::WrongLength => Text::FaultPhoneLength,
        PhoneError::NotGhanaian => Text::FaultPhoneCountry,
    })
}
