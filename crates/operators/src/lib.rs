//! Connectors to mobile-money operators and to aggregators (payment service providers), behind
//! [`tua_domain::ports::Operator`]. In this project an *operator* is either of them.
//!
//! A connector translates: our order into the operator's request, the operator's response into a
//! [`tua_domain::ports::Report`]. It decides nothing about a transaction and stores nothing
//! about one.

pub mod callback_address;
pub mod clock_check;
pub mod configured;
pub mod connection;
pub mod connector;
pub mod connectors;
pub mod dashboard_connector;
pub mod ended_networks;
mod environment;
pub mod exact;
mod failure_text;
pub mod hubtel;
pub mod minor_units;
pub mod mtn_momo;
pub mod pawapay;
pub mod paystack;
pub mod redaction;
pub mod sandbox;
pub mod settings;
pub mod statement_columns;
pub mod tariffs;

pub use environment::Environment;
