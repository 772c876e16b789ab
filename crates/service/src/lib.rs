//! The payments service behind Tua as one program: its command line `tua`, and the start that puts
//! all crates together.
//!
//! A request walks the crates in this order: [`tua_net`] takes it in, [`tua_web`] parses it,
//! [`tua_domain`] decides, [`tua_store`] keeps it, [`tua_operators`] move the money,
//! [`tua_worker`] comes back to what is not decided yet, and [`tua_webhooks`] tell the merchant.

pub mod cli;
mod connected_operators;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod mail_servers;
mod server;
mod shared_use_cases;

pub use server::{Running, start, start_around, start_with};
