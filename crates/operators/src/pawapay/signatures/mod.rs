//! Signed messages (RFC 9421), as pawaPay uses them: signs orders, verifies callbacks.
//!
//! pawaPay's own example encodes ECDSA signatures in ASN.1 DER, not in the 64 bytes of RFC 9421,
//! section 3.3.4. So orders are signed in DER, and callbacks are verified in either encoding.

mod base;
mod sign;
mod verify;

pub(super) use sign::Signed;
pub use sign::SigningKey;
pub(super) use verify::{Addressed, PublicKey, key_id, verify};

#[cfg(test)]
pub(super) mod tests;
