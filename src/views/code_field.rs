//! A passcode or voucher.

use super::element::{Attr, On, el};
use super::{View, notice};
use crate::flow::{CodeEntry, CodeNotice, Msg};
use crate::locale::Text;
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
    let input = el("input", "tua-input tua-code")
        .attr_text(Attr::Id, id.clone())
        .part("input")
        .attr(Attr::Type, "text")
        .attr(Attr::Name, "otp")
        .attr(Attr::Dir, "ltr")
        // Codes are nearly always digits, but may hold letters: the keys are a hint, not a limit.
        .attr(Attr::Inputmode, "numeric")
        .attr(Attr::Autocomplete, "one-time-code")
        .attr(Attr::Autocapitalize, "off")
        .attr(Attr::Spellcheck, "false")
        .attr(Attr::Maxlength, "16")
        .attr_if(busy, Attr::Readonly, "")
        .value(&entry.text.0)
        .on(view, On::Input(Msg::CodeTyped));
    let label = if entry.is_voucher { Text::CodeVoucherField } else { Text::CodeOtpField };
    let button = view.text(if busy { Text::CodeSending } else { Text::CodeSend });
    el("form", "tua-form")
        .attr(Attr::Novalidate, "")
        .attr(Attr::Method, "post")
        .on(view, On::Submit(|| Msg::SendCode))
        .with(notice::field(id, label, input, said.as_deref(), view))
        .with(notice::submit(button, busy))
        .end()
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
    view.text(text).to_owned()
}
