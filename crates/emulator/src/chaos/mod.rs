//! Faults on demand: by flag, on the page, and from tests.

mod active;
mod distort;
mod fault;
mod rule;
mod wire_format;

pub(crate) use active::Chaos;
pub(crate) use distort::distort;
#[cfg(test)]
pub(crate) use distort::{OTHER_REFERENCE, OTHER_STATUS};
pub use fault::Fault;
pub use rule::Rule;
pub(crate) use wire_format::{AmountUnit, RefusedCall, WireFormat};
