//! The number, the network, and the button.

use super::{View, network_picker, notice, phone_field};
use crate::flow::{Form, FormNotice, Msg, Sending, Session};
use crate::locale::Text;
use yew::prelude::*;

/// The form. Its fields keep the names that the API uses, so that a plain form post carries them.
pub(super) fn form(session: &Session, form: &Form, view: View<'_>) -> Html {
    if session.attempts_left == 0 {
        return notice::ended(Text::FormExhausted, session, view);
    }
    let busy = form.sending != Sending::No;
    let label = match notice::sending(&form.sending) {
        Some(text) => view.texts.get(text).to_owned(),
        None => view.texts.fill(Text::FormPay, &[("amount", &view.money(session))]),
    };
    let said = form.notice.map(|notice| match notice {
        FormNotice::NotSent => Text::NoticeNotSent,
        FormNotice::NetworkUnavailable => Text::NoticeNetworkUnavailable,
        FormNotice::TooMany => Text::NoticeTooMany,
        FormNotice::Refused => Text::NoticeRefused,
    });
    html! {
        <form class="tua-form" novalidate=true method="post" onsubmit={view.on_submit(Msg::Pay)}>
            { phone_field::phone_field(form, busy, view) }
            { network_picker::network_picker(form, busy, view) }
            { notice::alert(said, view) }
            <button class="tua-button" part="button" type="submit" aria-disabled={busy.then_some("true")}>
                if busy { <span class="tua-spinner" aria-hidden="true"></span> }
                { label }
            </button>
            <p class="tua-note">{ view.text(Text::FormPin) }</p>
        </form>
    }
}
