//! What browsers load, as it travels: named by its contents and compressed ahead.
//!
//! The service packs its files while it is built; `cargo xtask` weighs and signs the same bytes.

mod compress;
mod sdk;
mod set;
#[cfg(test)]
mod tests;

pub use compress::{brotli, gzip, integrity};
pub use sdk::{LOADER, Sdk, WASM};
pub use set::FileSet;

/// What a file's compressed form is called beside it.
pub const BROTLI_SUFFIX: &str = ".br";
/// As [`BROTLI_SUFFIX`], for gzip.
pub const GZIP_SUFFIX: &str = ".gz";
