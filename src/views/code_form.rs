//! The form for a passcode or voucher.

use super::context::ViewContext;
use super::parts::{fault_message, submit_button};
use crate::flow::{CodeEntry, CodeNotice};
use crate::locale::{Text, digits};
use tua_contract::code::CodeError;
use yew::prelude::*;

/// The field for the code and the button. `is_busy`: the code is being sent.
pub(super) fn code_form(entry: &CodeEntry, is_busy: bool, context: &ViewContext) -> Html {
    let fault = fault(entry, context);
    let id = context.id("code");
    let fault_id = context.id("code-fault");
    let label = if entry.is_voucher { Text::CodeVoucherField } else { Text::CodeOtpField };
    let button = if is_busy { Text::CodeSending } else { Text::CodeSend };
    html! {
        <form class="tua-form" novalidate=true method="post" name="code">
            <div class="tua-field">
                <label class="tua-label" part="label" for={id.clone()}>
                    { context.text(label) }
                </label>
                // Codes are nearly always digits but may hold letters: `inputmode` is a hint, not a
                // limit.
                <input
                    class="tua-input tua-code"
                    part="input"
                    type="text"
                    dir="ltr"
                    inputmode="numeric"
                    // Longer than what is read: a text that the browser has cut is refused.
                    maxlength="600"
                    autocomplete="one-time-code"
                    autocapitalize="off"
                    spellcheck="false"
                    name="otp"
                    ref={context.field.clone()}
                    {id}
                    readonly={is_busy}
                    aria-invalid={fault.is_some().then_some("true")}
                    aria-describedby={fault.is_some().then(|| fault_id.clone())}
                    value={entry.text.0.clone()}
                />
                { fault_message(fault_id, fault) }
            </div>
            { submit_button(context.text(button), is_busy) }
        </form>
    }
}

/// What is wrong with the code, or with the last one that was sent.
pub(super) fn fault(entry: &CodeEntry, context: &ViewContext) -> Option<AttrValue> {
    let text = match (entry.fault, entry.notice) {
        (Some(CodeError::Empty), _) => Text::FaultCodeEmpty,
        (Some(CodeError::WrongLength), _) => Text::FaultCodeLength,
        (Some(CodeError::NotAlphanumeric), _) => Text::FaultCodeSigns,
        (None, Some(CodeNotice::Wrong(Some(left)))) => {
            return Some(context.fill(Text::CodeWrongLeft, &[("count", &digits(left))]));
        }
        (None, Some(CodeNotice::Wrong(None))) => Text::CodeWrong,
        (None, Some(CodeNotice::NotSent)) => Text::CodeNotSent,
        (None, Some(CodeNotice::TooMany)) => Text::NoticeTooMany,
        (None, Some(CodeNotice::Refused)) => Text::CodeRefused,
        (None, None) => return None,
    };
    Some(context.text(text))
}
