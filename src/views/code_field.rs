//! A passcode or voucher.

use super::element::el;
use super::{View, doing, notice};
use crate::flow::{CodeEntry, CodeNotice};
use crate::locale::{Text, digits};
use tua_contract::code::CodeError;
use yew::Html;

/// The code's form.
pub(super) fn code_form(entry: &CodeEntry, busy: bool, view: View<'_>) -> Html {
    let said = said(entry, view);
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

/// What is wrong with the code, or what became of the last one.
pub(super) fn said(entry: &CodeEntry, view: View<'_>) -> Option<String> {
    let text = match (entry.fault, entry.notice) {
        (Some(CodeError::Empty), _) => Text::FaultCodeEmpty,
        (Some(CodeError::WrongLength), _) => Text::FaultCodeLength,
        (Some(CodeError::NotAlphanumeric), _) => Text::FaultCodeSigns,
        (None, Some(CodeNotice::Wrong(Some(left)))) => {
            return Some(view.texts.fill(Text::CodeWrongLeft, &[("count", &digits(left))]));
        }
        (None, Some(CodeNotice::Wrong(None))) => Text::CodeWrong,
        (None, Some(CodeNotice::NotSent)) => Text::CodeNotSent,
        (None, Some(CodeNotice::TooMany)) => Text::NoticeTooMany,
        (None, Some(CodeNotice::Refused)) => Text::CodeRefused,
        (None, None) => return None,
    };
    Some(view.text(text).to_owned())
}
