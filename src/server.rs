//! Server-side rendering of the views.

use crate::flow::State;
use crate::views::{CheckoutView, CheckoutViewProps, ViewContext};

/// Renders a checkout with its container as HTML. No component suspends, so the future is ready at
/// the first poll.
///
/// Yew's types are not `Send`: call this on a thread that may block for a millisecond.
pub async fn markup(state: State, context: ViewContext) -> String {
    let props = CheckoutViewProps { state, context };
    yew::LocalServerRenderer::<CheckoutView>::with_props(props).hydratable(false).render().await
}
