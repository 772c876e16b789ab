//! The number.

use super::{View, notice};
use crate::flow::{Form, Msg};
use crate::locale::Text;
use tua_contract::phone::PhoneError;
use yew::prelude::*;

/// The number's field. It stays a text: what is typed is never reformatted under the fingers.
pub(super) fn phone_field(form: &Form, busy: bool, view: View<'_>) -> Html {
    let fault = form.phone_fault.map(|fault| match fault {
        PhoneError::Empty => Text::FaultPhoneEmpty,
        PhoneError::NotDigits => Text::FaultPhoneDigits,
        PhoneError::WrongLength => Text::FaultPhoneLength,
        PhoneError::NotGhanaian => Text::FaultPhoneCountry,
    });
    let (id, fault_id) = (view.id("phone"), view.id("phone-fault"));
    html! {
        <div class="tua-field">
            <label class="tua-label" part="label" for={id.clone()}>{ view.text(Text::FormPhone) }</label>
            <input {id} class="tua-input" part="input" type="tel" name="phoneNumber" dir="ltr"
                inputmode="tel" autocomplete="tel-national" value={form.phone.clone()} readonly={busy}
                placeholder={view.texts.get(Text::FormPhoneExample).to_owned()}
                aria-invalid={fault.map(|_| "true")} aria-describedby={fault.map(|_| fault_id.clone())}
                oninput={super::typed(view, Msg::PhoneTyped)} />
            { notice::fault(fault, fault_id, view) }
        </div>
    }
}
