//! The screen's machine: everything the component decides, without a browser.
//!
//! [`State::begin`] and [`State::update`] are the only ways to a state, and both return what is to
//! be done outside ([`Effect`]). Nothing here knows Yew, the page, a clock or a random source, so
//! `cargo test` walks through all of it on the host.
//!
//! | module | holds |
//! |---|---|
//! | [`state`] | what the payer can be looking at |
//! | [`facts`] | what the server has said: the session, a transaction, a refusal |
//! | [`msg`] | what can happen |
//! | [`effect`] | what is to be done about it |
//! | [`update`] | which of them answers which |
//! | [`form`] | the number, the network, and sending them once |
//! | [`waiting`] | asking after a payment until the server decides it, and the code it may want |

pub mod effect;
pub mod facts;
pub mod form;
pub mod msg;
pub mod state;
pub mod update;
pub mod waiting;

// On the host only: the browser has its own tests.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use effect::{Effect, Event, EventKind, Focus, Request};
pub use facts::{Problem, Session, SessionStanding, Transaction};
pub use form::{Choice, Form, FormNotice, Sending};
pub use msg::{Answer, Msg};
pub use state::{Expiry, Screen, State};
pub use waiting::{CodeEntry, CodeNotice, On, Poll, Waiting};
