//! The words both sides of Tua speak.
//!
//! The service and the checkout component share these types, so that a phone number,
//! an amount or a transition cannot mean one thing in the browser and another on the
//! server. There is no I/O here, no clock, no serialisation format, and nothing that
//! can hold a secret.
//!
//! | module | holds | specified in |
//! |---|---|---|
//! | [`amount`] | whole pesewas, and their decimal text | contract section 2 |
//! | [`phone`] | ten-digit Ghanaian numbers, strict and as people type them | contract section 2 |
//! | [`network`] | the three wallets, and what a prefix hints | interface specification section 1, contract section 2 |
//! | [`lifecycle`] | the states of a transaction and the only function that moves one | contract section 7 |
//! | [`failure`] | why a payment did not happen | contract section 3 |
//! | [`code`] | passcodes and vouchers | contract section 7 |
//! | [`error`] | the codes of refused requests | contract section 5 |

pub mod amount;
pub mod code;
pub mod error;
pub mod failure;
pub mod lifecycle;
pub mod network;
pub mod phone;

pub use amount::Amount;
pub use code::Code;
pub use error::ErrorCode;
pub use failure::FailureCode;
pub use lifecycle::{State, Status, Step};
pub use network::Network;
pub use phone::Phone;
