//! Tua's checkout as a Yew component. Its only required property is a checkout token.
//!
//! ```
//! # #[cfg(all(feature = "csr", feature = "english"))] {
//! use tua_checkout::Checkout;
//! use yew::prelude::*;
//!
//! #[derive(PartialEq, Properties)]
//! struct PayProps {
//!     /// What `POST /v1/checkout` returned to your server.
//!     token: AttrValue,
//! }
//!
//! #[component]
//! fn Pay(props: &PayProps) -> Html {
//!     html! { <Checkout token={&props.token} base_url="https://pay.example/v1" /> }
//! }
//! # }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`flow`] | the state machine of the screens, pure |
//! | [`views`] | the screens, as functions that return `Html` |
//! | [`locale`] | identifiers of the texts; the texts are in `locale/texts/` |
//! | [`style`] | the style sheet, added in a way that a strict content security policy allows |
//! | `server` | the screens as HTML strings (feature `server`) |
//! | `shell` | `Checkout`, the only component with state: it runs the state machine's effects |
//! | `api` | the API requests, made with the checkout token |
//!
//! Without the feature `csr` only the first four modules are built, which a server renders.

#[cfg(feature = "csr")]
mod api;
#[cfg(feature = "csr")]
mod browser;
pub mod flow;
#[cfg(feature = "csr")]
mod intl;
pub mod locale;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "csr")]
mod shell;
pub mod style;
pub mod views;

#[cfg(all(feature = "csr", feature = "english"))]
pub use shell::english;
#[cfg(feature = "csr")]
pub use shell::{Checkout, CheckoutProps, read_texts};
