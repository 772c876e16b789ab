//! Connections: everything that a client may take of us before its request is understood is bounded.
//!
//! | bound | beyond it |
//! |---|---|
//! | connections at once | the next ones wait in the system's queue until one ends |
//! | a TLS handshake, a request's head | the connection is closed |
//! | a head's size and its number of headers | 431, and the connection is closed |
//! | a request's body (see `http::body`) | 408, and the connection is closed |
//! | the pause between two requests, or an answer that is not taken | the connection is closed |

mod bounds;
pub mod client;
mod listen;
mod stream;
pub mod tls;
mod traffic;

pub use bounds::Bounds;
pub use client::Client;
pub(crate) use listen::{Answers, Edge, listen, serve};
