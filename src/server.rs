//! Server-side rendering of the same components.

use crate::flow::State;
use crate::views::{CheckoutView, CheckoutViewProps, ViewContext};
use yew::prelude::*;

/// The HTML of a checkout, container included. No component suspends, so the future is ready at once.
///
/// Yew's tree is not `Send`: call this on a thread that may block for a millisecond.
pub async fn markup(state: State, context: ViewContext) -> String {
    let props = CheckoutViewProps { state, context, root: NodeRef::default() };
    yew::LocalServerRenderer::<CheckoutView>::with_props(props).hydratable(false).render().await
}
