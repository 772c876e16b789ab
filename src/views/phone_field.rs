//! The number.

use super::element::{Attr, On, el};
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
        .attr_text(Attr::Id, id.clone())
        .part("input")
        .attr(Attr::Type, "tel")
        .attr(Attr::Name, "phoneNumber")
        .attr(Attr::Dir, "ltr")
        .attr(Attr::Inputmode, "tel")
        .attr(Attr::Autocomplete, "tel-national")
        .attr_text(Attr::Placeholder, view.text(Text::FormPhoneExample).to_owned())
        .attr_if(busy, Attr::Readonly, "")
        .value(&form.phone)
        .on(view, On::Input(Msg::PhoneTyped));
    notice::field(id, Text::FormPhone, input, fault.as_deref(), view)
}
