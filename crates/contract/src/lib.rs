//! The types that the service and the checkout component share.
//!
//! Both parse a phone number or an amount with the same code, and both apply the same state
//! transitions, so browser and server cannot disagree. This crate has no I/O, no clock, no
//! serialisation format, and no type for a secret key.
//!
//! | module | contents | specified in |
//! |---|---|---|
//! | [`amount`] | whole pesewas, and their decimal text | `docs/reference/values.md#amounts` |
//! | [`phone`] | phone numbers of Ghana, also as people type them | `docs/reference/values.md` |
//! | [`network`] | the three networks and their prefixes | `docs/reference/values.md#networks` |
//! | [`typed_text`] | digits of any script, and invisible characters | `docs/reference/values.md` |
//! | [`code`] | one-time passcodes and vouchers | `docs/reference/values.md#text-fields` |
//! | [`plain_text`] | cleans texts that people type | `docs/reference/values.md#typed-numbers` |
//! | [`typed_amount`] | amounts as people type them | `docs/reference/values.md#typed-numbers` |
//! | [`lifecycle`] | the states of a transaction | `docs/reference/lifecycle.md` |
//! | [`failure`] | the reasons of failed payments | `docs/reference/lifecycle.md#failure-codes` |
//! | [`error`] | the error codes of refused requests | `docs/reference/errors.md#error-codes` |

// The examples of the README are compiled and run as tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod amount;
pub mod code;
mod code_in_text;
pub mod error;
pub mod failure;
pub mod lifecycle;
pub mod network;
pub mod phone;
pub mod plain_text;
pub mod typed_amount;
pub mod typed_text;

pub use amount::{Amount, AmountError};
pub use code::Code;
pub use error::ErrorCode;
pub use failure::FailureCode;
pub use lifecycle::{State, Status, Step};
pub use network::Network;
pub use phone::Phone;
