//! TCP connections, TLS and HTTP/1.1. Every resource that a client can use before its request is
//! understood is limited.
//!
//! | limit | when exceeded |
//! |---|---|
//! | concurrent connections | new connections wait in the kernel's accept queue |
//! | connections of one address | new connections are closed |
//! | time until the first byte, of TLS or of a request head | the connection is closed |
//! | duration of the TLS handshake, and of receiving a request head | the connection is closed |
//! | size of a request head, number of its headers | 431, and the connection is closed |
//! | duration of receiving a request body (see `http::body`) | 408, and the connection is closed |
//! | the rest of a request body that no response waits for | the connection is closed |
//! | idle time between requests, and while a response is not read | the connection is closed |

pub mod acme;
pub mod client;
mod connection_limits;
mod innermost_cause;
pub mod limited_request;
pub mod limits;
mod listen;
mod request_counter;
mod stream;
pub mod tls;
mod unnamed_proxy;
mod unread_body;
mod wrong_scheme;

pub use client::{Client, Proxy};
pub use connection_limits::ConnectionLimits;
pub use innermost_cause::innermost_cause;
pub use listen::{HttpService, Server, listen, serve};
pub use unnamed_proxy::{ProxyDetector, SILENT_VALUE, UNNAMED_PROXY_HEADER};
