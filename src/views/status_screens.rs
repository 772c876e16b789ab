//! The screens without a form or a transaction.

use super::context::ViewContext;
use super::parts::{
    StatusIcon, heading, paragraph, primary_button, return_link, screen_parts, small_text,
};
use crate::flow::Session;
use crate::locale::Text;
use yew::prelude::*;

/// The session is being read. The loader draws the same bars before the component has arrived.
pub(super) fn loading(failures: u32, is_busy: bool, context: &ViewContext) -> Html {
    html! {
        <div class="tua-skeleton" role="status" aria-label={context.text(Text::LoadingText)}>
            <span /><span /><span /><span />
            if failures > 0 {
                { small_text(context.text(unreachable_text(is_busy))) }
            }
        </div>
    }
}

/// The session could not be read.
pub(super) fn unreachable(is_busy: bool, context: &ViewContext) -> Html {
    let text = context.text(unreachable_text(is_busy));
    screen_parts(
        "unreachable",
        vec![
            StatusIcon::Warning.html(),
            heading(context.text(Text::UnreachableTitle), text),
            primary_button("check", context.text(Text::UnreachableAgain)),
        ],
    )
}

/// What the payer can do when the session cannot be read.
pub(super) const fn unreachable_text(is_busy: bool) -> Text {
    if is_busy { Text::UnreachableBusy } else { Text::UnreachableText }
}

/// The server does not know the token.
pub(super) fn invalid_token(context: &ViewContext) -> Html {
    screen_parts(
        "invalid",
        vec![
            StatusIcon::Warning.html(),
            heading(context.text(Text::InvalidTitle), context.text(Text::InvalidText)),
        ],
    )
}

/// Every network is down, so there is no form.
pub(super) fn no_network(session: &Session, context: &ViewContext) -> Html {
    screen_parts(
        "down",
        vec![
            StatusIcon::Warning.html(),
            heading(context.text(Text::NetworkAllDown), context.text(Text::NetworkAllDownText)),
            primary_button("check", context.text(Text::UnreachableAgain)),
            return_link(session, context),
        ],
    )
}

/// No attempts are left, so there is no form.
pub(super) fn exhausted(session: &Session, context: &ViewContext) -> Html {
    screen_parts(
        "exhausted",
        vec![paragraph(context.text(Text::FormExhausted)), return_link(session, context)],
    )
}
