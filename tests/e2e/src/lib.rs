//! A payer in a real browser: what the journeys in `tests/` are told with.
//!
//! A journey runs in [`journey`], which gives it a browser of its own and, when it has
//! ended, asks what the browser saw: an error on the console, a refusal by the page's
//! security policy or a request to a foreign origin fails it.

mod browser;
pub mod demo;
mod engine;
mod find;
mod journey;
pub mod merchant;
pub mod pages;
mod session;
mod wire;
mod witness;

pub use browser::Browser;
pub use engine::Powers;
pub use journey::{journey, journey_with};
