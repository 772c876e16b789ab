//! The number, the network, and the button.

use super::element::{el, words};
use super::{View, doing, network_picker, notice, phone_field};
use crate::flow::{Form, FormNotice, Sending, Session};
use crate::locale::Text;
use yew::Html;

/// The form. Its fields keep the names that the API uses, so that a plain form post carries them. Before the
/// session is known, the button names no amount. `connection` says what is wrong with the way to the service.
pub(super) fn form(session: Option<&Session>, form: &Form, connection: Option<Text>, view: View<'_>) -> Html {
    if let Some(session) = session.filter(|session| session.attempts_left == 0) {
        return notice::ended(Text::FormExhausted, session, view);
    }
    let busy = !matches!(form.sending, Sending::No);
    let label = match notice::sending(&form.sending) {
        Some(text) => view.text(text).to_owned(),
        None => {
            let amount = session.map_or_else(String::new, |session| view.money(session));
            view.texts.fill(Text::FormPay, &[("amount", &amount)]).trim().to_owned()
        }
    };
    let said = form.notice.map(|notice| match notice {
        FormNotice::NotSent => Text::NoticeNotSent,
        FormNotice::NetworkUnavailable => Text::NoticeNetworkUnavailable,
        FormNotice::TooMany => Text::NoticeTooMany,
        FormNotice::Refused => Text::NoticeRefused,
    });
    let said = said.or(connection);
    let element = el("form;class=tua-form;novalidate;method=post").also(doing::PAY);
    match view.action {
        Some(action) => element.attr("action", action.to_owned()),
        None => element,
    }
    .with(phone_field::phone_field(form, busy, view))
    .with(network_picker::network_picker(form, busy, view))
    .with(notice::alert(said, view))
    .with(notice::submit(&label, busy))
    .with(words("p;class=tua-note", view.text(Text::FormPin)))
    .end()
}
