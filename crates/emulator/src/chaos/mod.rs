//! Faults on demand: by flag, on the page, and from tests.

mod active;
mod distort;
pub(crate) mod documented;
mod fault;
mod rule;

pub(crate) use active::Chaos;
pub(crate) use distort::distort;
pub use fault::Fault;
pub use rule::Rule;
