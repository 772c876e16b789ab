//! What is to be paid, and to whom.

use super::View;
use super::element::{el, words};
use crate::flow::Session;
use crate::locale::Text;
use yew::Html;

/// The head of every screen that knows the session.
pub(super) fn head(session: &Session, view: View<'_>) -> Html {
    let badge = || words("span;class=tua-badge;part=badge", view.text(Text::ModeTest));
    el("header;class=tua-head;part=header")
        .with(words("p;class=tua-merchant;part=merchant", &session.merchant))
        .with(if session.is_test { badge() } else { Html::default() })
        .with(words("p;class=tua-amount;part=amount", &view.money(session)))
        .end()
}
