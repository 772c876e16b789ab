//! What is to be paid, and to whom.

use super::View;
use super::element::el;
use crate::flow::Session;
use crate::locale::Text;
use yew::Html;

/// The head of every screen that knows the session.
pub(super) fn head(session: &Session, view: View<'_>) -> Html {
    let badge = || el("span;class=tua-badge;part=badge").text(view.text(Text::ModeTest)).end();
    el("header;class=tua-head;part=header")
        .with(el("p;class=tua-merchant;part=merchant").text(&session.merchant).end())
        .with(if session.is_test { badge() } else { Html::default() })
        .with(el("p;class=tua-amount;part=amount").text(&view.money(session)).end())
        .end()
}
