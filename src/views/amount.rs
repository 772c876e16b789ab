//! What is to be paid, and to whom.

use super::View;
use super::element::{el, words};
use crate::flow::Session;
use crate::locale::Text;
use yew::Html;

/// The head of every screen that knows the session, and of the form that is shown before: there the merchant and
/// the amount are empty, and the style sheet keeps their lines.
pub(super) fn head(session: Option<&Session>, view: View<'_>) -> Html {
    let badge = || words("span;class=tua-badge;part=badge", view.text(Text::ModeTest));
    let merchant = session.map_or("", |session| &session.merchant);
    let amount = session.map_or_else(String::new, |session| view.money(session));
    el("header;class=tua-head;part=header")
        .with(words("p;class=tua-merchant;part=merchant", merchant))
        .with(if session.is_some_and(|session| session.is_test) { badge() } else { Html::default() })
        .with(words("p;class=tua-amount;part=amount", &amount))
        .end()
}
