//! The screens as a server writes them: the same views, as text.

use crate::flow::State;
use crate::views::{View, frame};
use yew::prelude::*;

/// The markup of a checkout, container and all, as [`frame`] draws it in a browser. It waits for nothing.
///
/// What is drawn is not `Send`: call this where a thread may be kept for a millisecond.
pub async fn markup(state: &State, view: View<'_>) -> String {
    let drawn = Drawn { html: frame(state, view, &NodeRef::default()) };
    yew::LocalServerRenderer::<Paper>::with_props(drawn).hydratable(false).render().await
}

#[derive(PartialEq, Properties)]
struct Drawn {
    html: Html,
}

/// Yew writes components only.
struct Paper;

impl Component for Paper {
    type Message = ();
    type Properties = Drawn;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        ctx.props().html.clone()
    }
}
