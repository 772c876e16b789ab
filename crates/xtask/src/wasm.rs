//! The component as the browser gets it: cargo, then wasm-bindgen, then wasm-opt.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "tua-embed";
/// What wasm-bindgen writes and pkg/'s hand-written half imports.
const NAME: &str = "tua_embed";
const GLUE: &str = "tua_embed.js";
pub const WASM: &str = "tua_embed_bg.wasm";
const TYPES: &str = "tua_embed.d.ts";
/// What rustc 1.95 may use by default; wasm-opt assumes less.
const WASM_FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// The first half: a long one, for running beside other builds.
///
/// `stable` takes the toolchain's own std, a third heavier. Otherwise std is compiled with the
/// component, for size and with a panic that is one instruction; cargo and rustc keep that behind
/// `RUSTC_BOOTSTRAP`, which here reaches this one build and nothing that is published as source.
pub fn compile(stable: bool) -> Step {
    let step = Step::new("compiling the component to wasm", "cargo")
        .args(["build", "--package", PACKAGE, "--profile", "wasm", "--target", tools::WASM_TARGET, "--target-dir"])
        .args([target_dir(stable)])
        .without_env("CARGO_ENCODED_RUSTFLAGS")
        .about(150);
    if stable {
        return step.without_env("RUSTFLAGS");
    }
    step.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort -Zfmt-debug=none")
}

/// The program that `finish` runs, and whatever else is wanted: one cargo, since two would wait for each other.
pub fn compile_for_host(title: &str, packages: &[&str]) -> Step {
    Step::new(title, "cargo")
        .args(["build", "--package", "tua-bindgen"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .about(if packages.is_empty() { 40 } else { 240 })
}

/// The second half, skipped where the wasm and the tools are those of the last time.
pub fn finish(stable: bool) -> Result<()> {
    let built = target_dir(stable).join(tools::WASM_TARGET).join("wasm").join(format!("{NAME}.wasm"));
    let bytes = fs::read(&built).map_err(|e| fault!("{}: {e}", paths::shown(&built)))?;
    let stamp_path = paths::wasm_target().join("pkg.stamp");
    let pkg = paths::pkg();
    let stamp = stamp(&bytes);
    let is_there = [GLUE, WASM, TYPES].iter().all(|name| pkg.join(name).is_file());
    let is_fresh = is_there && fs::read_to_string(&stamp_path).is_ok_and(|old| old == stamp);
    if is_fresh {
        return Ok(());
    }

    let out = paths::wasm_target().join("out");
    Step::new("writing the JavaScript half", paths::target().join("debug").join("tua-bindgen"))
        .args([built.as_path(), &out, Path::new(NAME)])
        .about(3)
        .run()?;
    tools::npm_tool("shrinking the wasm", tools::WASM_OPT)
        // The lowest kilobyte is the far end of the stack, which nothing points into.
        .args(["-Oz", "--converge", "--low-memory-unused"])
        .args(WASM_FEATURES)
        .args([&out.join(WASM), Path::new("-o"), &out.join("small.wasm")])
        .about(10)
        .run()?;
    tools::npm_tool("shrinking the JavaScript", tools::ESBUILD)
        .args(["--minify", "--format=esm", "--target=es2022", "--log-level=warning", "--legal-comments=none"])
        .args([out.join(GLUE).display().to_string(), format!("--outfile={}", out.join("small.js").display())])
        .run()?;

    fs::create_dir_all(&pkg).map_err(|e| fault!("{}: {e}", paths::shown(&pkg)))?;
    for (from, to) in [("small.js", GLUE), ("small.wasm", WASM), (TYPES, TYPES)] {
        place(&out.join(from), &pkg.join(to))?;
    }
    fs::write(&stamp_path, stamp).map_err(|e| fault!("{}: {e}", paths::shown(&stamp_path)))?;
    Ok(())
}

/// Copies beside and renames over: a server that reads the folder never sees half a file.
fn place(from: &Path, to: &Path) -> Result<()> {
    let partial = to.with_extension("partial");
    fs::copy(from, &partial).and_then(|_| fs::rename(&partial, to)).map_err(|e| fault!("{}: {e}", paths::shown(to)))
}

fn target_dir(stable: bool) -> PathBuf {
    paths::wasm_target().join(if stable { "stable" } else { "small" })
}

fn stamp(wasm: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    wasm.hash(&mut hasher);
    tools::npm_versions().hash(&mut hasher);
    include_str!("../../bindgen/src/main.rs").hash(&mut hasher);
    include_str!("../../bindgen/src/shorten.rs").hash(&mut hasher);
    // This file decides the flags.
    include_str!("wasm.rs").hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
