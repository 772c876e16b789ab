//! The state machine of the screens: everything that the component decides, without a browser.
//!
//! The program makes a state only by [`State::begin`] and [`State::update`]. Both also return
//! effects: what the component in `src/shell` must do. Nothing here depends on Yew, the page, a
//! clock or a random source, so `cargo test` runs all of it on the host.
//!
//! | module | holds |
//! |---|---|
//! | [`state`] | the screens |
//! | [`facts`] | data from the server: the session, a transaction, a problem document |
//! | [`msg`] | the messages that change the state |
//! | [`effect`] | the effects that the shell runs |
//! | [`update`] | how a message changes the state |
//! | [`form`] | the phone number and the network |
//! | `charge` | the request that charges once |
//! | `session_screen` | the screen of a session or a transaction |
//! | [`notice`] | what the form tells the payer after a charge that did not begin |
//! | [`networks`] | networks that are down |
//! | [`waiting`] | polling until the server decides the payment |
//! | [`code`] | the passcode or voucher that a payment may require |

mod charge;
pub mod code;
pub mod effect;
pub mod facts;
pub mod form;
pub mod msg;
pub mod networks;
pub mod notice;
mod session_screen;
pub mod state;
pub mod update;
pub mod waiting;

// On the host only: the browser has its own tests.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use code::{CodeEntry, CodeNotice};
pub use effect::{Effect, Event, EventKind, Focus, Request};
pub use facts::{LocalizedText, Price, Problem, Session, SessionStatus, Transaction};
pub use form::{Form, FormRequestState, NetworkChoice};
pub use msg::{ApiResponse, Msg};
pub use notice::FormNotice;
pub use state::{Expiry, Screen, State};
pub use waiting::{Awaited, Poll, Waiting};
