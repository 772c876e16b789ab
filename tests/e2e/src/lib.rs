//! A payer, or one of a merchant's people, in a real browser, for the journeys in `tests/`.
//!
//! [`journey`] runs each journey in a new browser of the engine in `TUA_E2E_ENGINE`. A violation
//! fails the journey: a request to another origin, an error response or none, a violation of the
//! page's security policy, an error on the console. The proxy records the first three in every
//! engine. The console is read in Chromium and Firefox.

mod browser;
pub mod demo;
mod engine;
mod find;
mod journey;
pub mod merchant;
pub mod pages;
mod program;
mod proxy;
mod service;
mod session;
mod violations;

pub use browser::Browser;
pub use engine::Powers;
pub use journey::{journey, journey_with};
pub use service::{Order, PASSWORD, Person, TestService};
pub use thirtyfour::Key;
