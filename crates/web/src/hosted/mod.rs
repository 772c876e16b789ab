//! The hosted page, `/pay?key=<token>` (docs/reference/endpoints.md): the checkout as HTML with
//! plain forms, drawn from the component's own machine and views. Where scripts run, the component
//! takes it over.

mod facts;
mod find;
mod form;
mod hand_over;
mod language;
mod links;
mod page;
mod page_address;
mod page_error;
mod refunds;
mod send;
mod server_flow;
mod session_page;
mod state;
mod texts;
mod token_session;

use axum::{Router, routing::get};
use send::handle_form;
use session_page::show_checkout;
use tower_http::compression::CompressionLayer;

pub use state::HostedState;

/// The page's routes. The page differs for each payer, so it is compressed for each request.
pub fn router(state: HostedState) -> Router {
    let checkout = || get(show_checkout).post(handle_form);
    Router::new()
        .route("/pay", checkout())
        // With a slash: a person or a program has added it to the address.
        .route("/pay/", checkout())
        .merge(links::router(state.limiter.clone()))
        .merge(find::router())
        .layer(CompressionLayer::new())
        .with_state(state)
}
