//! What the service and the companion do alike with a request: read its body, parse its JSON
//! strictly, and refuse it with a problem document.
//!
//! | module | holds |
//! |---|---|
//! | [`body`] | a request's body: media type, size limit, timeout |
//! | [`object`] | a JSON object without duplicate names, read into serde structs |
//! | [`text`] | one JSON value as it was written, so that numbers stay exact |
//! | [`values`] | amounts and e-mail addresses |
//! | [`fault`] | what is wrong with a request, and where |
//! | [`problem`] | problem documents (RFC 9457) |
//!
//! A request struct derives `serde::Deserialize`, as any other. [`object::JsonObject::read`]
//! deserializes one member after the other, so that all faults are reported at once, each with its
//! JSON pointer and its own code.

pub mod body;
mod deserializer;
pub mod fault;
mod members;
pub mod object;
pub mod problem;
#[cfg(feature = "openapi")]
mod problem_code;
#[cfg(feature = "openapi")]
mod schemas;
pub mod text;
pub mod values;

pub use fault::{Fault, Refusal};
pub use object::JsonObject;
#[cfg(feature = "openapi")]
pub use problem_code::{KNOWN_VALUES, ProblemCode};
#[cfg(feature = "openapi")]
pub use schemas::decimal;
pub use text::JsonText;
