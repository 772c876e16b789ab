//! A passcode or voucher.

use super::element::el;
use super::{View, doing, notice};
use crate::flow::{CodeEntry, CodeNotice};
use crate::locale::{Text, digits};
use tua_contract::code::CodeError;
use yew::Html;

/// The code's form.
pub(super) fn code_form(entry: &CodeEntry, busy: bool, view: View<'_>) -> Html {
    let fault = entry.fault.map(|fault| match fault {
        CodeError::Empty => Text::FaultCodeEmpty,
        CodeError::WrongLength => Text::FaultCodeLength,
        CodeError::NotAlphanumeric => Text::FaultCodeSigns,
    });
    let said = match fault {
        Some(text) => Some(view.text(text).to_owned()),
        None => entry.notice.map(|notice| said(notice, view)),
    };
    let id = view.id("code");
    // Codes are nearly always digits, but may hold letters: the keys are a hint, not a limit.
    let input = el("input;class=tua-input tua-code;part=input;type=text;dir=ltr;inputmode=numeric;maxlength=16;\
        autocomplete=one-time-code;autocapitalize=off;spellcheck=false")
    .also(doing::CODE)
    .attr("id", id.clone())
    .also_if(busy, "readonly")
    .value(&entry.text.0);
    let label = if entry.is_voucher { Text::CodeVoucherField } else { Text::CodeOtpField };
    let button = view.text(if busy { Text::CodeSending } else { Text::CodeSend });
    el("form;class=tua-form;novalidate;method=post")
        .also(doing::SEND_CODE)
        .with(notice::field(id, label, input, said.as_deref(), view))
        .with(notice::submit(button, busy))
        .end()
}

fn said(notice: CodeNotice, view: View<'_>) -> String {
    let text = match notice {
        CodeNotice::Wrong(Some(left)) => {
            return view.texts.fill(Text::CodeWrongLeft, &[("count", &digits(left))]);
        }
        CodeNotice::Wrong(None) => Text::CodeWrong,
        CodeNotice::NotSent => Text::CodeNotSent,
        CodeNotice::TooMany => Text::NoticeTooMany,
        CodeNotice::Refused => Text::CodeRefused,
    };
    view.text(text).to_owned()
}
