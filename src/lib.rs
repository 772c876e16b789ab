//! Tua's checkout as a Yew component. A token is all that it needs.
//!
//! ```ignore
//! use tua_checkout::Checkout;
//! html! { <Checkout token={token} /> }
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`flow`] | the state machine of the screens, pure |
//! | [`views`] | the screens as function components |
//! | [`locale`] | message ids; the texts are in `locale/texts/` |
//! | [`style`] | one style sheet, adopted so that a strict content security policy holds |
//! | `server` | the screens as HTML text (feature `server`) |
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
