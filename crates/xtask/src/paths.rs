//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The repository. Cargo says where it is now; it may have been moved since xtask was built.
pub fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.ancestors().nth(2).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The wasm has its own flags and its own std: sharing a folder would rebuild both each time.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// Tools that `cargo xtask` installs; nothing outside the repository but apt's and rustup's.
pub fn tools() -> PathBuf {
    target().join("tools")
}

pub fn logs() -> PathBuf {
    target().join("xtask")
}

pub fn pkg() -> PathBuf {
    root().join("pkg")
}

/// As a person would type it, from the repository's top.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
