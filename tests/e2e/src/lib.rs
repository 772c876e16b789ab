//! A payer in a real browser: what the journeys in `tests/` are told with.
//!
//! A journey runs in [`journey`], which gives it a browser of its own, of the engine that
//! `TUA_E2E_ENGINE` names, and holds against it what was seen of it: a request to a foreign
//! origin, an answer that is an error or none, a refusal by the page's security policy, an error
//! on the console. The first three are seen on the wire, in every engine; the last is read in
//! Chromium and in Firefox.

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
pub use thirtyfour::Key;
