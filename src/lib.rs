//! Tua's checkout, as a Yew component that takes a token and nothing else.
//!
//! ```ignore
//! use tua_checkout::Checkout;
//! html! { <Checkout token={token} /> }
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`flow`] | the screen's machine, pure: what happens when |
//! | [`views`] | the screens as functions: facts in, messages out |
//! | [`locale`] | message ids; the texts are in `locale/texts/` |
//! | [`style`] | one style sheet, adopted so that a strict content security policy holds |
//! | `server` | the screens as a server writes them (feature `server`) |
//! | `shell` | `Checkout`, the only stateful component: it runs what the machine orders |
//! | `api` | the calls with the checkout token |
//!
//! Without the feature `csr` the first four are left, which is what a server draws from.

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
