//! Packs the files that browsers load: names them by a hash of their content, and compresses them.
//!
//! The service's build script packs its files. `cargo xtask` measures the same bytes and prints
//! their integrity hash.

mod compress;
mod sdk;
mod set;
#[cfg(test)]
mod tests;

pub use compress::{brotli, gzip, integrity};
pub use sdk::{LOADER, Sdk, WASM};
pub use set::FileSet;

/// The suffix of a file's brotli form.
pub const BROTLI_SUFFIX: &str = ".br";
/// The suffix of a file's gzip form.
pub const GZIP_SUFFIX: &str = ".gz";
