//! A passcode or voucher.

use super::{View, notice};
use crate::flow::{CodeEntry, CodeNotice, Msg};
use crate::locale::Text;
use tua_contract::code::CodeError;
use yew::prelude::*;

/// The code's form.
pub(super) fn code_form(entry: &CodeEntry, busy: bool, view: View<'_>) -> Html {
    let fault = entry.fault.map(|fault| match fault {
        CodeError::Empty => Text::FaultCodeEmpty,
        CodeError::WrongLength => Text::FaultCodeLength,
        CodeError::NotAlphanumeric => Text::FaultCodeSigns,
    });
    let said = entry.notice.map_or_else(String::new, |notice| said(notice, view));
    let (id, fault_id, notice_id) = (view.id("code"), view.id("code-fault"), view.id("code-notice"));
    let label = if entry.is_voucher { Text::CodeVoucherField } else { Text::CodeOtpField };
    let described = match (fault.is_some(), said.is_empty()) {
        (true, _) => Some(fault_id.clone()),
        (false, false) => Some(notice_id.clone()),
        (false, true) => None,
    };
    html! {
        <form class="tua-form" novalidate=true method="post" onsubmit={view.on_submit(Msg::SendCode)}>
            <div class="tua-field">
                <label class="tua-label" part="label" for={id.clone()}>{ view.text(label) }</label>
                // Codes are nearly always digits, but may hold letters: the field takes both.
                <input {id} class="tua-input tua-code" part="input" type="text" name="otp" dir="ltr" inputmode="numeric"
                    autocomplete="one-time-code" autocapitalize="off" spellcheck="false" maxlength="16"
                    value={entry.text.0.clone()} readonly={busy}
                    aria-invalid={described.as_ref().map(|_| "true")} aria-describedby={described}
                    oninput={super::typed(view, Msg::CodeTyped)} />
                { notice::fault(fault, fault_id, view) }
                if fault.is_none() && !said.is_empty() {
                    <p id={notice_id} class="tua-fault">{ said }</p>
                }
            </div>
            <button class="tua-button" part="button" type="submit" aria-disabled={busy.then_some("true")}>
                if busy { <span class="tua-spinner" aria-hidden="true"></span> }
                { view.text(if busy { Text::CodeSending } else { Text::CodeSend }) }
            </button>
        </form>
    }
}

fn said(notice: CodeNotice, view: View<'_>) -> String {
    let text = match notice {
        CodeNotice::Wrong(Some(left)) => {
            return view.texts.fill(Text::CodeWrongLeft, &[("count", &left.to_string())]);
        }
        CodeNotice::Wrong(None) => Text::CodeWrong,
        CodeNotice::NotSent => Text::CodeNotSent,
        CodeNotice::TooMany => Text::NoticeTooMany,
        CodeNotice::Refused => Text::CodeRefused,
    };
    view.texts.get(text).to_owned()
}
