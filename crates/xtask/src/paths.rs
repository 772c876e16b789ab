//! The paths of the repository, and of what cargo and xtask build.

use std::env;
use std::path::{Path, PathBuf};

/// The root folder of the repository, from the environment that cargo sets when xtask runs: the
/// repository may have been moved since xtask was built.
pub fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.ancestors().nth(2).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Cargo's target folder, which `CARGO_TARGET_DIR` may move.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The target folder of the wasm. The wasm has its own flags and its own std, so with one folder
/// for both each build would rebuild both.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// The tools that `cargo xtask` installs. Only packages of apt and rustup are installed elsewhere.
pub fn tools() -> PathBuf {
    target().join("tools")
}

/// The logs of steps, one file each.
pub fn logs() -> PathBuf {
    target().join("xtask")
}

/// The browser package of the checkout component, which is committed.
pub fn pkg() -> PathBuf {
    root().join("pkg")
}

/// A path for messages: relative to the repository's root if it is inside.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
