//! The payments service behind Tua, and its command line `tua`.
//!
//! A request walks the modules in this order: [`net`] takes it in, [`http`] or [`hosted`] parses
//! it, [`domain`] decides, [`store`] keeps it, [`operators`] move the money, [`worker`] comes back
//! to what is not decided yet, and [`webhooks`] tell the merchant.

pub mod acme;
pub mod actor;
mod api;
pub mod cli;
pub mod clock;
pub mod config;
pub mod dashboard;
pub mod database;
mod documentation;
pub mod domain;
pub mod export;
mod files;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod hosted;
pub mod http;
mod key_file;
pub mod limits;
pub mod mail;
pub mod metrics;
pub mod net;
pub mod oidc;
pub mod operators;
mod payout_file;
mod private_file;
mod server;
mod settings_audit;
mod statement_file;
pub mod store;
mod table_file;
pub mod webhooks;
pub mod worker;

pub use config::Config;
pub use server::{Running, start, start_around, start_with};
