//! What is to be paid, and to whom.

use super::View;
use crate::flow::Session;
use crate::locale::Text;
use yew::prelude::*;

/// The head of every screen that knows the session.
pub(super) fn head(session: &Session, view: View<'_>) -> Html {
    html! {
        <header class="tua-head" part="header">
            <p class="tua-merchant" part="merchant">{ session.merchant.clone() }</p>
            if session.is_test {
                <span class="tua-badge" part="badge">{ view.text(Text::ModeTest) }</span>
            }
            <p class="tua-amount" part="amount">{ view.money(session) }</p>
        </header>
    }
}
