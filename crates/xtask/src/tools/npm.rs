//! Packages from npm, in target/tools.

use crate::paths;
use crate::step::Step;
use std::path::PathBuf;

/// wasm-opt, and the minifier of the JavaScript.
pub const BUILD_PACKAGES: [&str; 2] = ["binaryen@132.0.0", "esbuild@0.28.2"];
/// What the tests of pages use: an accessibility checker, fonts that are the same everywhere, an
/// image comparison, and browser automation.
pub const LOOKS_PACKAGES: [&str; 7] = [
    "axe-core@4.14.1",
    "dejavu-fonts-ttf@2.37.3",
    // A test compares the copy in www/dashboard with it.
    "htmx.org@4.0.1",
    // The sign-in provider of the dashboard's stage.
    "oidc-provider@9.13.3",
    "pixelmatch@7.2.0",
    "playwright-core@1.65.1",
    "pngjs@7.0.0",
];
/// The smallest comparable checkout that we found; `cargo xtask size` compares ours with it.
pub const RIVAL_PACKAGES: [&str; 1] = ["@adyen/adyen-web@6.45.2"];

pub const WASM_OPT: &str = "binaryen/bin/wasm-opt";
pub const ESBUILD: &str = "esbuild/bin/esbuild";

/// The folder of these packages, whether or not they are installed.
pub fn npm_dir(packages: &[&str]) -> PathBuf {
    paths::tools().join(packages.join(" ").replace(['@', '.', ' ', '/'], "-"))
}

/// The versions of the packages that builds use.
pub fn npm_versions() -> String {
    BUILD_PACKAGES.join(" ")
}

/// `node` with a program of the packages that builds use.
pub fn npm_tool(title: &str, program: &str) -> Step {
    Step::new(title, "node").args([npm_dir(&BUILD_PACKAGES).join("node_modules").join(program)])
}
